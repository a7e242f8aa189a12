"""The layout under load and out of order."""

import asyncio
import gc
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from reactpy.types import Connection, Location

from components.markup import component, html, key, still, use_connection, use_effect, use_state
from components.rendering.layout import PageLayout, connected, first_model
from components.rendering.tree import NotPublic

CONNECTION: Any = Connection({"type": "http"}, Location("/", ""), "the carrier")


class Mounted:
    """A layout with what it sent."""

    def __init__(self) -> None:
        self.updates: list[dict[str, Any]] = []
        self.failures = 0
        self.layout: PageLayout

    def fail(self) -> None:
        """Count a failed render."""
        self.failures += 1

    async def idle(self) -> None:
        """Wait until nothing is left to render or to handle."""
        async with asyncio.timeout(10):
            while (rendering := self.layout._rendering) is not None:
                await asyncio.wait([rendering])

    async def event(self, target: str, *data: Any, **more: Any) -> None:
        """Deliver an event and let it be handled."""
        await self.layout.deliver({"type": "layout-event", "target": target, "data": list(data), **more})


@still
def sign(text: str) -> Any:
    """A tree that is the same for everybody."""
    return html.section(html.h2(text), html.p("as ever"))


@asynccontextmanager
async def mounted(root: Any) -> AsyncIterator[Mounted]:
    """Show a component."""
    shown = Mounted()
    shown.layout = PageLayout(connected(root, CONNECTION), shown.updates.append, shown.fail)
    async with shown.layout:
        await shown.idle()
        yield shown


def nodes(model: Any) -> list[dict[str, Any]]:
    """All elements of a model."""
    if isinstance(model, str):
        return []
    return [model, *(node for child in model.get("children", []) for node in nodes(child))]


def target(model: Any, tag: str, event: str = "onClick", number: int = 0) -> str:
    """The target of the handler on the element of this tag and number."""
    found = [node for node in nodes(model) if node["tagName"] == tag]
    return str(found[number]["eventHandlers"][event]["target"])


async def settled(done: Callable[[], bool]) -> None:
    """Give the loop turns until this holds."""
    turn = asyncio.Event()
    async with asyncio.timeout(10):
        while not done():
            asyncio.get_running_loop().call_soon(turn.set)
            await turn.wait()
            turn.clear()


async def test_the_first_render_runs_no_effects() -> None:
    ran: list[str] = []

    @component
    def inner() -> Any:
        @use_effect(dependencies=[])
        def effect() -> None:
            ran.append("inner")

        return html.p(str(use_connection().carrier))

    @component
    def outer() -> Any:
        @use_effect(dependencies=[])
        def effect() -> None:
            ran.append("outer")

        return html.div(inner())

    model = await first_model(outer(), CONNECTION)
    await asyncio.sleep(0)
    assert [node["tagName"] for node in nodes(model) if node["tagName"]] == ["div", "p"]
    assert ran == []
    async with mounted(outer()) as shown:
        await settled(lambda: sorted(ran) == ["inner", "outer"])
        assert shown.updates[0]["path"] == ""
        assert shown.updates[0]["model"] == model, "hydration needs the same nesting in both"


async def test_a_components_key_reaches_the_wire_and_stays_after_its_own_render() -> None:
    setters: dict[str, Any] = {}

    @component
    def row(name: str) -> Any:
        number, setters[name] = use_state(0)
        return html.li(f"{name} {number}")

    @component
    def rows() -> Any:
        order, setters["order"] = use_state("ab")
        return html.ol([key(name, row(name)) for name in order])

    assert '"attributes": {"key": "a"}'.replace('"', "'") in str(await first_model(rows(), CONNECTION))
    async with mounted(rows()) as shown:
        setters["b"](1)
        await shown.idle()
        assert shown.updates[-1]["model"] == {
            "tagName": "",
            "attributes": {"key": "b"},
            "children": [{"tagName": "li", "children": ["b 1"]}],
        }
        setters["order"]("ba")
        await shown.idle()
        texts = [node["children"] for node in nodes(shown.updates[-1]["model"]) if node["tagName"] == "li"]
        assert texts == [["b 1"], ["a 0"]], "the rows keep their state"
        setters["a"](5)
        await shown.idle()
        assert shown.updates[-1]["path"].endswith("/children/1"), "and their new place"


async def test_an_edit_is_acknowledged_after_its_handler() -> None:
    door, entered = asyncio.Event(), asyncio.Event()
    setters: dict[str, Any] = {}

    @component
    def form() -> Any:
        text, set_text = use_state("")
        other, setters["other"] = use_state(0)

        async def on_change(event: Any) -> None:
            entered.set()
            await door.wait()
            set_text(event["target"]["value"])

        return html.div(str(other), html.input({"value": text, "onChange": on_change}))

    def field(shown: Mounted) -> dict[str, Any]:
        return next(node["attributes"] for node in nodes(shown.updates[-1]["model"]) if node["tagName"] == "input")

    async with mounted(form()) as shown:
        change = target(shown.updates[0]["model"], "input", "onChange")
        await shown.event(change, {"target": {"value": "abc"}}, seq=3)
        await entered.wait()
        setters["other"](1)
        await shown.idle()
        assert field(shown) == {"value": ""} | {name: -1 for name in field(shown) if name == "_reactpy_ack_seq"}
        door.set()
        await settled(lambda: field(shown).get("value") == "abc")
        setters["other"](2)
        await shown.idle()
        assert field(shown)["_reactpy_ack_seq"] == 3


async def test_ten_thousand_updates_of_a_leaf_leave_nothing_behind() -> None:
    setters: dict[str, Any] = {}

    @component
    def leaf() -> Any:
        number, setters["leaf"] = use_state(0)
        return html.p(str(number))

    count = 0

    def sent(_update: Any) -> None:
        nonlocal count
        count += 1

    layout = PageLayout(connected(page(leaf), CONNECTION), sent, lambda: None)
    async with layout:
        assert layout._rendering
        await layout._rendering

        async def change(times: int) -> int:
            for _ in range(times):
                setters["leaf"](lambda number: number + 1)
                assert layout._rendering
                await layout._rendering
            gc.collect()
            return len(gc.get_objects())

        before = await change(100)
        after = await change(10_000)
        assert count >= 10_000
        assert after - before < 200, "stock ReactPy keeps an event and a task for each"
        assert len(asyncio.all_tasks()) < 5


@component
def page(leaf: Any) -> Any:
    """A page around a leaf."""
    return html.div(leaf())


async def test_unknown_targets_are_unknown() -> None:
    @component
    def button() -> Any:
        return html.button({"onClick": lambda _event: None}, "Press")

    async with mounted(button()) as shown:
        known = target(shown.updates[0]["model"], "button")
        assert shown.layout.knows(known)
        for guess in ("", "/", known + "x", known.replace("onClick", "onChange"), "__class__"):
            assert not shown.layout.knows(guess)


async def test_an_event_whose_row_is_gone_does_not_run_the_next_rows_handler() -> None:
    removed: list[str] = []

    @component
    def rows() -> Any:
        names, set_names = use_state(("a", "b", "c"))

        def row(name: str) -> Any:
            def on_click(_event: Any) -> None:
                removed.append(name)
                set_names(lambda now: tuple(other for other in now if other != name))

            return html.li({"key": f"row-{name}"}, html.button({"onClick": on_click}, name))

        return html.ol([row(name) for name in names])

    async with mounted(rows()) as shown:
        first = target(shown.updates[0]["model"], "button", number=0)
        second = target(shown.updates[0]["model"], "button", number=1)
        await shown.event(first, {})
        await shown.event(first, {})  # a double click
        await settled(lambda: len(removed) == 2)
        await shown.idle()
        assert removed == ["a", "a"], "both were meant for this row"
        assert not shown.layout.knows(first)
        assert target(shown.updates[-1]["model"], "button", number=0) == second, "targets stay with their rows"
        await shown.event(second, {})
        await settled(lambda: len(removed) > 2)
        assert removed == ["a", "a", "b"]


async def test_a_component_that_fails_leaves_the_others(caplog: pytest.LogCaptureFixture) -> None:
    setters: dict[str, Any] = {}

    @component
    def fragile() -> Any:
        broken, setters["broken"] = use_state(False)
        if broken:
            raise RuntimeError("secret")
        return html.p("whole")

    @component
    def both() -> Any:
        return html.div(fragile(), html.p("beside"))

    async with mounted(both()) as shown:
        setters["broken"](True)
        await shown.idle()
        assert shown.updates[-1]["model"] == {"tagName": "", "error": ""}, "no detail leaves the server"
        assert "Failed to render" in caplog.text
        setters["broken"](False)
        await shown.idle()
        assert "whole" in str(shown.updates[-1]["model"])
        assert shown.failures == 0


async def test_a_render_that_cannot_be_sent_ends_the_socket() -> None:
    failures: list[str] = []

    def send(_update: Any) -> None:
        raise RuntimeError("not JSON")

    @component
    def any_page() -> Any:
        return html.p("a")

    layout = PageLayout(connected(any_page(), CONNECTION), send, lambda: failures.append("failed"))
    async with layout:
        await settled(lambda: bool(failures))
    assert failures == ["failed"]


async def test_leaving_ends_effects_and_tasks() -> None:
    ended: list[str] = []
    started = asyncio.Event()

    @component
    def effective() -> Any:
        @use_effect(dependencies=[])
        def effect() -> Any:
            started.set()
            return lambda: ended.append("cleaned")

        return html.button({"onClick": lambda _event: None}, "Press")

    before = len(asyncio.all_tasks())
    async with mounted(effective()) as shown:
        await asyncio.wait_for(started.wait(), 10)
        await shown.event(target(shown.updates[0]["model"], "button"), {})
    assert ended == ["cleaned"]
    await asyncio.sleep(0)
    assert len(asyncio.all_tasks()) == before


async def test_viewers_share_still_trees_and_updates_around_them_keep_their_places() -> None:
    @component
    def page() -> Any:
        number, set_number = use_state(0)

        async def on_click(event: Any) -> None:
            set_number(lambda before: before + 1)

        around = html.button({"onClick": on_click}, "still" if number % 2 else "with a handler")
        return html.div(sign("one"), around if number != 1 else sign("two"), sign(f"number {number}"), around)

    async with mounted(page()) as shown, mounted(page()) as other:
        trees = [
            [node for node in nodes(each.updates[0]["model"]) if node["tagName"] == "section"]
            for each in (shown, other)
        ]
        assert all(mine is theirs for mine, theirs in zip(*trees, strict=True))
        assert len(trees[0]) == 2
        for turn in (1, 2):  # an element with a handler gives its place to a still tree, and takes it back
            handler = shown.layout._event_handlers[target(shown.updates[-1]["model"], "button", number=-1)]
            await handler.function([{}])
            await shown.idle()
            model = shown.updates[-1]["model"]
            assert any(node.get("children") == [f"number {turn}"] for node in nodes(model))
            handlers = [node for node in nodes(model) if node.get("eventHandlers")]
            assert len(shown.layout._event_handlers) == len(handlers) == (1 if turn == 1 else 2)


def test_a_still_tree_is_nobodys() -> None:
    async def on_click(event: Any) -> None:
        """Nothing."""

    @still
    def private() -> Any:
        return html.button({"onClick": on_click}, "mine")

    with pytest.raises(NotPublic):
        private()


async def test_effects_cost_no_task_and_clean_up_in_their_turn() -> None:
    happened: list[str] = []

    @component
    def page() -> Any:
        number, set_number = use_state(0)

        @use_effect(dependencies=[number])
        def follow() -> Callable[[], None]:
            happened.append(f"begin {number}")
            return lambda: happened.append(f"end {number}")

        async def on_click(event: Any) -> None:
            set_number(number + 1)

        return html.button({"onClick": on_click})

    before = len(asyncio.all_tasks())
    async with mounted(page()) as shown:
        assert len(asyncio.all_tasks()) == before
        handler = shown.layout._event_handlers[target(shown.updates[-1]["model"], "button")]
        await handler.function([{}])
        await shown.idle()
        assert happened == ["begin 0", "end 0", "begin 1"]
    assert happened == ["begin 0", "end 0", "begin 1", "end 1"]


async def test_an_effect_that_fails_leaves_the_others(caplog: pytest.LogCaptureFixture) -> None:
    happened: list[str] = []

    @component
    def page() -> Any:
        @use_effect(dependencies=[])
        def failing() -> None:
            raise RuntimeError("no")

        @use_effect(dependencies=[])
        def working() -> Callable[[], None]:
            happened.append("begin")
            return lambda: happened.append("end")

        return html.p("still here")

    async with mounted(page()) as shown:
        assert shown.failures == 0
    assert happened == ["begin", "end"]
    assert [record.message for record in caplog.records] == ["an effect failed"]
    caplog.clear()
