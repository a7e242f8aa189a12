"""The internals of ReactPy that `layout.py` and `overrides` rely on are unchanged."""

import asyncio
import inspect
from typing import Any

import pytest
from reactpy.core import component as component_module
from reactpy.core import hooks
from reactpy.core import layout as stock
from reactpy.core._life_cycle_hook import HOOK_STACK, LifeCycleHook
from reactpy.core.layout import Layout
from reactpy.types import Connection, Location
from reactpy_django import hooks as documented

from components.runtime.markup import component, html
from components.runtime.rendering.layout import PageLayout, first_model, with_connection
from components.runtime.rendering.overrides.effects import PLAIN, LeanHook
from components.runtime.rendering.overrides.trees import children_info
from tests.components.runtime.rendering.upstream import unchanged
from tests.upstream import calls_of, digest_of

UNCHANGED = unchanged()


@component
def nothing() -> Any:
    """A component without hooks."""
    return html.p("nothing")


OVERRIDDEN = {
    (Layout, "_render_component"): "(self, exit_stack, old_state, parent, index, key, component)",
    (Layout, "_render_model"): "(self, exit_stack, old_state, parent, index, key, raw_model)",
    (Layout, "_create_layout_update"): "(self, old_state)",
    (Layout, "_schedule_render_task"): "(self, lcs_id)",
    (Layout, "_process_event_queue"): "(self, target, queue)",
    (Layout, "deliver"): "(self, event)",
    (Layout, "__aenter__"): "(self)",
    (Layout, "__aexit__"): "(self, exc_type, exc_value, traceback)",
    (LifeCycleHook, "affect_layout_did_render"): "(self)",
    (LifeCycleHook, "affect_component_will_render"): "(self, component)",
    (LifeCycleHook, "affect_component_will_unmount"): "(self)",
}


@pytest.mark.parametrize(("owner", "name"), OVERRIDDEN)
def test_what_is_overridden_is_still_there_and_called_the_same(owner: type, name: str) -> None:
    parameters = inspect.signature(vars(owner)[name]).parameters
    assert "(" + ", ".join(parameters) + ")" == OVERRIDDEN[owner, name]
    assert inspect.iscoroutinefunction(vars(owner)[name]) or name == "_schedule_render_task"


# Digests of upstream's code. If one fails: read the upstream change, then adapt our code or update the digest.
READ = {
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
# Digests of module functions: of the layout module before our replacements, and of the hooks that ours build on.
FUNCTIONS = {
    (UNCHANGED, "_get_children_info"): "7dfe1cb6",
    (UNCHANGED, "_make_life_cycle_state"): "11d131ef",
    (UNCHANGED, "_make_component_model_state"): "40519308",
    (UNCHANGED, "_update_component_model_state"): "0d0da54e",
    (UNCHANGED, "_update_element_model_state"): "d0b984ad",
    (UNCHANGED, "_copy_component_model_state"): "7c5bb12a",
    (UNCHANGED, "_new_root_model_state"): "f286ad06",
    (stock, "_ModelState"): "5ac242f5",
    (hooks, "use_effect"): "341ee574",
    (hooks, "use_async_effect"): "e81d7840",
    (hooks, "run_effect_cleanup"): "bc67ac81",
    (documented, "use_query"): "62a22f44",
    (documented, "use_mutation"): "717c3939",
    (documented, "use_connection"): "11b9a9cd",
    (documented, "use_location"): "c261e575",
    (documented, "use_scope"): "f79d7c73",
    (documented, "use_user"): "2a6d5bb4",
    (component_module, "component"): "fa9229c7",
}


@pytest.mark.parametrize(("owner", "name"), READ)
def test_upstreams_code_is_the_one_that_was_read(owner: type, name: str) -> None:
    assert digest_of(vars(owner)[name]) == READ[owner, name]


@pytest.mark.parametrize(("module", "name"), FUNCTIONS, ids=lambda each: getattr(each, "__name__", each))
def test_upstreams_functions_are_those_that_were_read(module: Any, name: str) -> None:
    assert digest_of(getattr(module, name)) == FUNCTIONS[module, name]


def test_layouts_ask_for_children_by_the_name_that_is_replaced() -> None:
    assert stock._get_children_info is children_info
    assert "_get_children_info" in calls_of(Layout)


@pytest.mark.parametrize("hook", [hooks.use_effect, hooks.use_async_effect])
def test_an_effect_is_told_by_its_name_and_knows_its_clean_up(hook: Any) -> None:
    asked: list[Any] = []

    @component
    def effective() -> Any:
        async def wait() -> None:
            """Do nothing."""

        hook((lambda: None) if hook is hooks.use_effect else wait, dependencies=[])
        asked.extend(HOOK_STACK.current_hook()._effect_funcs)
        return html.p()

    asyncio.run(first_model(effective(), None))  # type: ignore[arg-type]
    [function] = asked
    assert function.__qualname__.startswith(PLAIN) is (hook is hooks.use_effect)
    assert "cleanup_func" in function.__code__.co_freevars


def test_layouts_make_their_hooks_by_the_name_that_is_replaced() -> None:
    assert stock.LifeCycleHook is LeanHook
    made = stock._make_life_cycle_state(nothing(), lambda _: None)
    assert type(made.hook) is LeanHook


@pytest.mark.parametrize(
    "name", ["_model_states_by_life_cycle_state_id", "_event_handlers", "_last_event_seq_by_target"]
)
async def test_the_private_names_that_are_read_exist(name: str) -> None:
    connection: Any = Connection({}, Location("/", ""), None)
    async with PageLayout(with_connection(nothing(), connection), lambda _: None, lambda: None) as layout:
        assert isinstance(getattr(layout, name), dict)
