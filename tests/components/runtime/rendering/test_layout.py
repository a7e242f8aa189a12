"""The layout: keys, memory over many updates, failing components, and shared static trees."""

import asyncio
import gc
from typing import Any

import pytest

from components.runtime.markup import cached_markup, component, html, key, use_effect, use_state
from components.runtime.rendering.layout import PageLayout, first_model, with_connection
from components.runtime.rendering.tree import NotPublic
from tests.components.runtime.rendering.mounting import CONNECTION, mounted, nodes, settled, target


@cached_markup
def sign(text: str) -> Any:
    """A static tree, cached for all viewers."""
    return html.section(html.h2(text), html.p("as ever"))


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


@pytest.mark.long
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

    layout = PageLayout(with_connection(page(leaf), CONNECTION), sent, lambda: None)
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
    """A page around this component."""
    return html.div(leaf())


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


@pytest.mark.parametrize("fails", ["in its body", "in its markup"])
async def test_what_a_component_showed_before_it_failed_is_ended(fails: str, caplog: pytest.LogCaptureFixture) -> None:
    """Otherwise its children would send updates for paths that the browser no longer has."""
    setters: dict[str, Any] = {}
    begun: list[str] = []
    ended: list[str] = []

    @component
    def child(name: str) -> Any:
        number, setters[name] = use_state(0)

        @use_effect(dependencies=[])
        def follow() -> Any:
            begun.append(name)
            return lambda: ended.append(name)

        return html.button({"onClick": lambda _event: None}, f"{name} {number}")

    @component
    def fragile() -> Any:
        broken, setters["broken"] = use_state(False)
        if broken and fails == "in its body":
            raise RuntimeError("secret")
        twins = [html.p({"key": "twin"}), html.p({"key": "twin"})] if broken else []
        new = child("new") if broken else None  # mounted, then discarded with the failed render
        return html.div(child("first"), html.section(child("inner"), new, twins), child("last"))

    @component
    def both() -> Any:
        return html.div(fragile(), child("beside"))

    async with mounted(both()) as shown:
        for times in (1, 2):
            setters["broken"](True)
            await shown.idle()
            assert shown.updates[-1]["model"] == {"tagName": "", "error": ""}
            assert sorted(ended) == sorted(["first", "inner", "last"] * times)
            assert len(shown.layout._event_handlers) == 1
            assert len(shown.layout._model_states_by_life_cycle_state_id) == 4, "the connection, both, fragile, beside"
            before = len(shown.updates)
            for name in ("first", "inner", "last"):
                setters[name](5)
                await shown.idle()
            assert len(shown.updates) == before
            setters["broken"](False)
            await shown.idle()
            assert "inner 0" in str(shown.updates[-1]["model"])
        setters["inner"](7)
        await shown.idle()
        assert "inner 7" in str(shown.updates[-1]["model"])
        assert shown.failures == 0
    assert sorted(begun) == sorted(ended) == sorted(["first", "inner", "last"] * 3 + ["beside"])
    caplog.clear()


async def test_a_render_that_cannot_be_sent_ends_the_socket() -> None:
    failures: list[str] = []

    def send(_update: Any) -> None:
        raise RuntimeError("not JSON")

    @component
    def any_page() -> Any:
        return html.p("a")

    layout = PageLayout(with_connection(any_page(), CONNECTION), send, lambda: failures.append("failed"))
    async with layout:
        await settled(lambda: bool(failures))
    assert failures == ["failed"]


@pytest.mark.parametrize("ends", ["an effect", "an event"])
async def test_what_ends_with_the_layout_renders_nothing_any_more(ends: str, caplog: pytest.LogCaptureFixture) -> None:
    begun = asyncio.Event()

    @component
    def leaf() -> Any:
        number, set_number = use_state(0)

        @use_effect(dependencies=[])
        def shown_once() -> Any:
            return (lambda: set_number(1)) if ends == "an effect" else None

        async def on_click(event: Any) -> None:
            begun.set()
            try:
                await asyncio.Event().wait()
            finally:
                if ends == "an event":
                    set_number(2)

        return html.button({"onClick": on_click}, str(number))

    async with mounted(leaf()) as shown:
        await shown.event(target(shown.updates[-1]["model"], "button"), {})
        async with asyncio.timeout(20):
            await begun.wait()
    await settled(lambda: asyncio.all_tasks() == {asyncio.current_task()})
    assert len(shown.updates) == 1
    assert shown.failures == 0
    assert "Traceback" not in caplog.text


async def test_viewers_share_still_trees_and_updates_around_them_keep_their_appearances() -> None:
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
        for sequence in (1, 2):  # a static tree replaces an element with a handler, and the reverse
            handler = shown.layout._event_handlers[target(shown.updates[-1]["model"], "button", number=-1)]
            await handler.function([{}])
            await shown.idle()
            model = shown.updates[-1]["model"]
            assert any(node.get("children") == [f"number {sequence}"] for node in nodes(model))
            handlers = [node for node in nodes(model) if node.get("eventHandlers")]
            assert len(shown.layout._event_handlers) == len(handlers) == (1 if sequence == 1 else 2)


def test_a_still_tree_is_nobodys() -> None:
    async def on_click(event: Any) -> None:
        """Do nothing."""

    @cached_markup
    def private() -> Any:
        return html.button({"onClick": on_click}, "mine")

    with pytest.raises(NotPublic):
        private()
