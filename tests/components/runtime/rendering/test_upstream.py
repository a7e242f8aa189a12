"""The internals of ReactPy that `layout.py` and `overrides` rely on are unchanged."""

import asyncio
from typing import Any

import pytest
from reactpy.core import component as component_module
from reactpy.core import hooks, layout
from reactpy.core._life_cycle_hook import HOOK_STACK, LifeCycleHook
from reactpy.core.layout import Layout
from reactpy.types import Connection, Location
from reactpy_django import hooks as django_hooks

from components.runtime.markup import component, html
from components.runtime.rendering.layout import PageLayout, first_model, with_connection
from components.runtime.rendering.overrides.effects import PLAIN, LeanHook
from components.runtime.rendering.overrides.trees import children_info
from tests.components.runtime.rendering.upstream import unchanged
from tests.upstream import calls_of, digest_of

UNCHANGED = unchanged()


@component
def plain() -> Any:
    return html.p("plain")


def test_overridden_and_used_code_of_upstream_is_unchanged() -> None:
    methods = {(owner, name): digest_of(vars(owner)[name]) for owner, name in METHODS}
    assert methods == METHODS
    functions = {(module, name): digest_of(getattr(module, name)) for module, name in FUNCTIONS}
    assert functions == FUNCTIONS


# Digests of upstream's code. If one fails: read the upstream change, then adapt this site's code or update the digest.
METHODS = {
    (LifeCycleHook, "affect_layout_did_render"): "c21d7afe",
    (LifeCycleHook, "affect_component_will_render"): "b862d41c",
    (LifeCycleHook, "affect_component_did_render"): "64f5804a",
    (LifeCycleHook, "affect_component_will_unmount"): "8305e154",
    (LifeCycleHook, "add_effect"): "25d52c44",
    (Layout, "__aenter__"): "38b4e39b",
    (Layout, "__aexit__"): "190cdee4",
    (Layout, "_render_model"): "96d20c2f",
    (Layout, "_render_model_children"): "782a0644",
    (Layout, "_render_component"): "32c1cc49",
    (Layout, "_create_layout_update"): "f990231e",
    (Layout, "_process_event_queue"): "78f4b8d7",
    (Layout, "_schedule_render_task"): "6c1e6f20",
    (Layout, "_unmount_model_states"): "49eaf56d",
    (Layout, "_render_model_attributes"): "7e5e4b09",
    (Layout, "_render_model_event_handlers_without_old_state"): "a215f2e3",
    (Layout, "_inject_event_ack_seq"): "0f5ea1dc",
    (Layout, "deliver"): "7ffb0e38",
    (LifeCycleHook, "__init__"): "4707a504",
    (LifeCycleHook, "schedule_render"): "f9d06fb2",
    (LifeCycleHook, "set_current"): "c6fb86d0",
    (LifeCycleHook, "unset_current"): "c5c113ff",
}
# Digests of module functions: of the layout module before its replacements, and of the hooks that this site builds on.
FUNCTIONS = {
    (UNCHANGED, "_get_children_info"): "7dfe1cb6",
    (UNCHANGED, "_make_life_cycle_state"): "11d131ef",
    (UNCHANGED, "_make_component_model_state"): "40519308",
    (UNCHANGED, "_update_component_model_state"): "0d0da54e",
    (UNCHANGED, "_update_element_model_state"): "d0b984ad",
    (UNCHANGED, "_copy_component_model_state"): "7c5bb12a",
    (UNCHANGED, "_new_root_model_state"): "f286ad06",
    (layout, "_ModelState"): "5ac242f5",
    (hooks, "use_effect"): "341ee574",
    (hooks, "use_async_effect"): "e81d7840",
    (hooks, "run_effect_cleanup"): "bc67ac81",
    (django_hooks, "use_query"): "62a22f44",
    (django_hooks, "use_mutation"): "717c3939",
    (django_hooks, "use_connection"): "11b9a9cd",
    (django_hooks, "use_location"): "c261e575",
    (django_hooks, "use_scope"): "f79d7c73",
    (django_hooks, "use_user"): "2a6d5bb4",
    (component_module, "component"): "fa9229c7",
}


def test_layout_uses_the_replaced_names() -> None:
    assert layout._get_children_info is children_info
    assert "_get_children_info" in calls_of(Layout)
    assert layout.LifeCycleHook is LeanHook
    state = layout._make_life_cycle_state(plain(), lambda _: None)
    assert type(state.hook) is LeanHook


@pytest.mark.parametrize("hook", [hooks.use_effect, hooks.use_async_effect])
def test_effects_have_their_name_and_clean_up(hook: Any) -> None:
    functions: list[Any] = []

    @component
    def effective() -> Any:
        async def wait() -> None:
            """End at once."""

        hook((lambda: None) if hook is hooks.use_effect else wait, dependencies=[])
        functions.extend(HOOK_STACK.current_hook()._effect_funcs)
        return html.p()

    asyncio.run(first_model(effective(), None))  # type: ignore[arg-type]
    [function] = functions
    assert function.__qualname__.startswith(PLAIN) is (hook is hooks.use_effect)
    assert "cleanup_func" in function.__code__.co_freevars


async def test_private_attributes_exist() -> None:
    connection: Any = Connection({}, Location("/", ""), None)
    async with PageLayout(with_connection(plain(), connection), lambda _: None, lambda: None) as page:
        for name in ("_model_states_by_life_cycle_state_id", "_event_handlers", "_last_event_seq_by_target"):
            assert isinstance(getattr(page, name), dict), name
