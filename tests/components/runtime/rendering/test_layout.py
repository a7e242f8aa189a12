"""The layout: keys, events, memory over many updates, failing components, and shared static trees."""

import asyncio
from operator import is_
from typing import Any

import orjson
import pytest

from components.runtime.markup import cached_markup, component, html, key, use_effect, use_state
from components.runtime.rendering.layout import PageLayout, first_model, with_connection
from components.runtime.rendering.tree import NotPublic
from tests.components.runtime.rendering.mounting import CONNECTION, Mounted, mounted, nodes, settled, target


@cached_markup
def sign(text: str) -> Any:
    """A static tree, cached for all viewers."""
    return html.section(html.h2(text), html.p("as ever"))


async def test_key_of_a_component_is_sent_with_every_render() -> None:
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
        assert texts == [["b 1"], ["a 0"]], "rows keep their state"
        setters["a"](5)
        await shown.idle()
        assert shown.updates[-1]["path"].endswith("/children/1"), "rows have their new place"


@component
def page(leaf: Any) -> Any:
    return html.div(leaf())


@pytest.mark.parametrize("fails", ["in its body", "in its markup", "in a value"])
async def test_failed_component_unmounts_its_children_only(fails: str, caplog: pytest.LogCaptureFixture) -> None:
    """Mounted children would send updates for paths that the browser no longer has."""
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
        is_duplicate = broken and fails == "in its markup"
        twins = [html.p({"key": "twin"}), html.p({"key": "twin"})] if is_duplicate else []
        new = child("new") if broken else None  # mounted, then discarded with the failed render
        title = {"title": float("nan") if broken and fails == "in a value" else "a title"}
        return html.div(title, child("first"), html.section(child("inner"), new, twins), child("last"))

    @component
    def page() -> Any:
        number, setters["page"] = use_state(0)
        return html.div(html.h1(f"page {number}"), key("k", fragile()), child("beside"))

    failed = {"tagName": "", "error": "", "attributes": {"key": "k"}}  # no detail leaves the server
    async with mounted(page()) as shown:
        for times in (1, 2):
            setters["broken"](True)
            await shown.idle()
            assert shown.updates[-1]["model"] == failed
            assert sorted(ended) == sorted(["first", "inner", "last"] * times)
            assert len(shown.layout._event_handlers) == 1
            assert len(shown.layout._model_states_by_life_cycle_state_id) == 4, "the connection, page, fragile, beside"
            before = len(shown.updates)
            for name in ("first", "inner", "last"):
                setters[name](5)
                await shown.idle()
            assert len(shown.updates) == before
            setters["page"](times)
            await shown.idle()
            assert [node for node in nodes(shown.updates[-1]["model"]) if "error" in node] == [failed]
            assert f"page {times}" in str(shown.updates[-1]), "other components go on"
            setters["broken"](False)
            await shown.idle()
            assert "inner 0" in str(shown.updates[-1]["model"])
        setters["inner"](7)
        await shown.idle()
        assert "inner 7" in str(shown.updates[-1]["model"])
        assert shown.failures == 0
        assert all(orjson.loads(update.body) == update for update in shown.updates)
    assert sorted(begun) == sorted(ended) == sorted(["first", "inner", "last"] * 3 + ["beside"])
    assert {message.partition("(")[0] for message in caplog.messages} == {"Failed to render fragile"}
    caplog.clear()


async def test_render_that_cannot_be_sent_ends_the_socket() -> None:
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
async def test_layout_renders_no_more_after_its_end(ends: str, caplog: pytest.LogCaptureFixture) -> None:
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


async def test_viewers_share_static_trees_and_updates_keep_their_place() -> None:
    @component
    def page() -> Any:
        number, set_number = use_state(0)

        async def on_click(event: Any) -> None:
            set_number(lambda before: before + 1)

        around = html.button({"onClick": on_click}, "static" if number % 2 else "with a handler")
        return html.div(sign("one"), around if number != 1 else sign("two"), sign(f"number {number}"), around)

    async with mounted(page()) as shown, mounted(page()) as other:
        own, others = (
            [node for node in nodes(layout.updates[0]["model"]) if node["tagName"] == "section"]
            for layout in (shown, other)
        )
        assert len(own) == len(others) == 2
        assert all(map(is_, own, others))
        for sequence in (1, 2):  # a static tree replaces an element with a handler, and the reverse
            handler = shown.layout._event_handlers[target(shown.updates[-1]["model"], "button", number=-1)]
            await handler.function([{}])
            await shown.idle()
            model = shown.updates[-1]["model"]
            assert any(node.get("children") == [f"number {sequence}"] for node in nodes(model))
            handlers = [node for node in nodes(model) if node.get("eventHandlers")]
            assert len(shown.layout._event_handlers) == len(handlers) == (1 if sequence == 1 else 2)


def test_cached_markup_has_no_handlers() -> None:
    async def on_click(event: Any) -> None:
        """Ignore the event."""

    @cached_markup
    def private() -> Any:
        return html.button({"onClick": on_click}, "mine")

    with pytest.raises(NotPublic):
        private()


async def test_event_is_acknowledged_after_its_handler() -> None:
    gate, entered = asyncio.Event(), asyncio.Event()
    setters: dict[str, Any] = {}

    @component
    def form() -> Any:
        text, set_text = use_state("")
        other, setters["other"] = use_state(0)

        async def on_change(event: Any) -> None:
            entered.set()
            await gate.wait()
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
        gate.set()
        await settled(lambda: field(shown).get("value") == "abc")
        setters["other"](2)
        await shown.idle()
        assert field(shown)["_reactpy_ack_seq"] == 3


async def test_layout_knows_only_its_targets() -> None:
    @component
    def button() -> Any:
        return html.button({"onClick": lambda _event: None}, "Press")

    async with mounted(button()) as shown:
        known = target(shown.updates[0]["model"], "button")
        assert shown.layout.knows(known)
        for guess in ("", "/", known + "x", known.replace("onClick", "onChange"), "__class__"):
            assert not shown.layout.knows(guess)


async def test_event_of_a_removed_row_does_not_run_the_next_handler() -> None:
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
        assert removed == ["a", "a"], "both events were for this row"
        assert not shown.layout.knows(first)
        assert target(shown.updates[-1]["model"], "button", number=0) == second, "targets stay with their rows"
        await shown.event(second, {})
        await settled(lambda: len(removed) > 2)
        assert removed == ["a", "a", "b"]
