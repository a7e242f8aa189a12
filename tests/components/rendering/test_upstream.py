"""What `layout.py` relies on inside ReactPy: fails when upstream changes it."""

import inspect
from typing import Any

import pytest
from reactpy.core import layout as stock
from reactpy.core._life_cycle_hook import LifeCycleHook
from reactpy.core.layout import Layout
from reactpy.types import Connection, Location

from components.markup import component, html
from components.rendering.layout import LeanHook, PageLayout, with_connection
from tests.upstream import digest_of


@component
def nothing() -> Any:
    """Nothing special."""
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


# Digests of upstream's code. One of these fails: read what changed there, then mend `layout.py` or renew the digest.
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
}


@pytest.mark.parametrize(("owner", "name"), READ)
def test_upstreams_code_is_the_one_that_was_read(owner: type, name: str) -> None:
    assert digest_of(vars(owner)[name]) == READ[owner, name]


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
