"""Children and keys behave as in ReactPy, in trees with handlers and in static ones; duplicate keys fail."""

from typing import Any

import pytest

from components.runtime.markup import Component, cached_markup, component, html, key
from components.runtime.rendering.layout import first_model
from components.runtime.rendering.live_part import LivePart
from components.runtime.rendering.parts import PublicPart, Ref
from components.runtime.rendering.tree import DuplicateKey
from tests.components.runtime.rendering.mounting import CONNECTION, mounted, nodes, settled, target
from tests.components.runtime.rendering.upstream import upstream_mounted
from tests.rendering import renew, to_html


@component
def leaf() -> Any:
    return html.b("leaf")


@component
def holding(markup: Any) -> Any:
    """A component that shows this markup inside an element."""
    return html.main({}, markup() if callable(markup) and not isinstance(markup, Component) else markup)


def press() -> dict[str, Any]:
    """Return the event handlers of an element, as ReactPy stores them in a model."""
    return dict(html.b({"onClick": lambda _event: None})["eventHandlers"])


def _in_any_language(markup: Any) -> Any:
    """Return the markup function of a part from a function without a language."""
    return lambda **_: markup()


CHILDREN: dict[str, Any] = {
    "a text": "text",
    "a component": leaf,
    "an element": lambda: html.i("element"),
    "a number": 7,
    "none": None,
    "an empty list": [],
    "a tuple": ("a", "b"),
    "a list with a list": ["a", ["b", "c"]],
    "a boolean": True,
    "an empty text": "",
    "texts like names in models": ["attributes", "key"],
}


@pytest.mark.parametrize("is_static", [True, False])
@pytest.mark.parametrize("children", CHILDREN.values(), ids=CHILDREN)
async def test_children_render_as_in_reactpy(children: Any, is_static: bool) -> None:
    def markup() -> dict[str, Any]:
        inner = children() if callable(children) else children
        return {"tagName": "p", "children": inner} | ({} if is_static else {"eventHandlers": press()})

    async with upstream_mounted(holding(markup)) as upstream:
        await settled(lambda: bool(upstream.updates))
    expected = to_html(upstream.updates[0]["model"])
    assert to_html(await first_model(holding(markup), CONNECTION)) == expected
    async with mounted(holding(markup)) as shown:
        assert to_html(shown.updates[0]["model"]) == expected
    if is_static and children is not leaf:
        live = LivePart(Ref(PublicPart("part", _in_any_language(markup), lambda: ("part",)), (), "en"))
        renew(live)
        assert f"<main>{to_html(live.model)}</main>" == expected


TWINS: dict[str, Any] = {
    "static": lambda: html.ol(html.li({"key": "twin"}), html.li({"key": "twin"})),
    "deep inside a static tree": lambda: html.ol(html.li(html.i({"key": "twin"}), "text", html.b({"key": "twin"}))),
    "with handlers": lambda: html.ol(html.li({"key": "twin", "onClick": lambda _: None}), html.li({"key": "twin"})),
    "components": lambda: html.ol(key("twin", leaf()), key("twin", leaf())),
    "a component and an element": lambda: html.ol(key("twin", leaf()), html.b({"key": "twin"})),
}
NUMBERS: dict[str, Any] = {
    "static": lambda: html.ol(html.li({"key": 1}), html.li({"key": "1"})),
    "with handlers": lambda: html.ol(html.li({"key": 1, "onClick": lambda _: None}), html.li({"key": "1"})),
}


@pytest.mark.parametrize("twins", TWINS.values(), ids=TWINS)
async def test_duplicate_key_fails_its_component(twins: Any, caplog: pytest.LogCaptureFixture) -> None:
    @component
    def rows() -> Any:
        return twins()

    model = await first_model(holding([rows(), html.i("beside")]), CONNECTION)
    assert to_html(model) == "<main><i>beside</i></main>"
    assert [node for node in nodes(model) if "error" in node] == [{"tagName": "", "error": ""}]
    [record] = caplog.records
    assert record.message.startswith("Failed to render rows(")
    assert record.exc_info
    assert str(record.exc_info[1]) == "children of one element have the same key: 'twin'"
    caplog.clear()


@pytest.mark.parametrize("twins", NUMBERS.values(), ids=NUMBERS)
async def test_number_and_its_text_are_the_same_key(twins: Any, caplog: pytest.LogCaptureFixture) -> None:
    """React converts each key to text."""
    model = await first_model(holding(twins), CONNECTION)
    assert any("error" in node for node in nodes(model))
    caplog.clear()


def test_duplicate_key_fails_shared_parts_and_cached_markup() -> None:
    live = LivePart(Ref(PublicPart("part", _in_any_language(TWINS["static"]), lambda: ("part",)), (), "en"))
    with pytest.raises(DuplicateKey, match="'twin'"):
        renew(live)
    with pytest.raises(DuplicateKey, match="'twin'"):
        cached_markup(TWINS["static"])()


@pytest.mark.parametrize("number_key", [1, "1"])
async def test_key_is_different_from_the_position_of_a_sibling(number_key: Any) -> None:
    """ReactPy's own layout gives both handlers one target, or confuses the key with the position and fails."""
    pressed: list[str] = []
    rows = html.ol(
        html.li({"key": number_key, "onClick": lambda _event: pressed.append("keyed")}),
        html.li({"onClick": lambda _event: pressed.append("placed")}),
    )
    async with mounted(holding(rows)) as shown:
        for number in (0, 1):
            await shown.event(target(shown.updates[-1]["model"], "li", number=number), {})
        await settled(lambda: len(pressed) == 2)
    assert pressed == ["keyed", "placed"]


async def test_handlers_of_many_rows_have_different_targets() -> None:
    pressed: list[int] = []

    def row(number: int) -> Any:
        return html.li({"onClick": lambda _event: pressed.append(number)})

    async with mounted(holding(html.ol([row(number) for number in range(150)]))) as shown:
        for number in (3, 149):
            await shown.event(target(shown.updates[-1]["model"], "li", number=number), {})
        await settled(lambda: len(pressed) == 2)
    assert pressed == [3, 149]
