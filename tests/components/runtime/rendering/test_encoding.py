"""A value that cannot be encoded fails the component that shows it, in the first HTML as in frames."""

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.runtime.markup import cached_markup, component, html, key, use_effect, use_state
from components.runtime.rendering.encoding import NotEncodable, encode
from components.runtime.rendering.frames import frame
from components.runtime.rendering.layout import first_model
from components.runtime.rendering.live_part import LivePart
from components.runtime.rendering.parts import PublicPart, Ref
from components.runtime.rendering.serializer import static_model, to_json
from tests.components.runtime.rendering.mounting import CONNECTION, mounted, nodes, target
from tests.rendering import renew, to_html


@dataclass
class Thing:
    """An object that has no JSON form."""

    name: str = "a"


BAD = {
    "NaN": float("nan"),
    "infinity": float("inf"),
    "2**63": 2**63,
    "more than JavaScript counts": 2**53,
    "Decimal": Decimal("1.5"),
    "bytes": b"a",
    "half a character": "\ud800",
    "set": {1},
    "object": object(),
    "our own object": Thing(),
    "moment": datetime(2027, 1, 1, tzinfo=UTC),
    "key that is no text": {1: "a"},
    "key of half a character": {"\ud800": "a"},
    "deep inside": {"a": [("b", {"c": float("-inf")})]},
}
VALUES = pytest.mark.parametrize("value", BAD.values(), ids=BAD)


@VALUES
def test_a_value_that_is_not_carried_is_said(value: Any) -> None:
    with pytest.raises(NotEncodable, match="no browser can be sent"):
        encode({"attributes": {"data-a": value, "title": None}})
    with pytest.raises(NotEncodable):
        frame({"type": "command-answer", "data": value})


def test_the_sentence_says_where_and_what() -> None:
    with pytest.raises(NotEncodable) as said:
        encode({"tagName": "p", "children": ["a", {"attributes": {"title": Decimal("1.5")}}]})
    assert str(said.value) == "/children/1/attributes/title is Decimal Decimal('1.5'), which no browser can be sent"


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.floats(allow_nan=False) | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
@pytest.mark.long
def test_what_is_carried_arrives_as_it_is(value: Any) -> None:
    try:
        body = encode(value)
    except NotEncodable:
        assert "inf" in repr(value)
    else:
        assert json.loads(body) == value


class Page:
    """A page with a component that shows `value`, inside a working component and beside one with a handler."""

    def __init__(self, value: Any, *, at_first: bool = False) -> None:
        self.value, self.at_first = value, at_first
        self.setters: dict[str, Any] = {}
        self.events: list[str] = []

    def whole(self) -> Any:
        """Return the page's root component."""

        @component
        def child(name: str) -> Any:
            number, self.setters[name] = use_state(0)

            @use_effect(dependencies=[])
            def follow() -> Any:
                self.events.append(f"begin {name}")
                return lambda: self.events.append(f"end {name}")

            return html.button({"onClick": lambda _event: None}, f"{name} {number}")

        @component
        def fragile() -> Any:
            is_broken, self.setters["broken"] = use_state(self.at_first)
            title = {"title": self.value if is_broken else "fine"}
            press = {"onClick": lambda _event: None} if is_broken else {}
            return html.section(child("inside"), html.p(title, "a still tree"), html.i(press | title))

        @component
        def page() -> Any:
            number, self.setters["page"] = use_state(0)
            return html.main(html.h1(f"page {number}"), html.div(key("k", fragile())), child("beside"))

        return page()


def failed(model: Any) -> list[Any]:
    """Return the nodes of failed components."""
    return [node for node in nodes(model) if "error" in node]


FAILED = [{"tagName": "", "error": "", "attributes": {"key": "k"}}]


@VALUES
async def test_it_fails_the_component_that_shows_it_in_the_first_html(
    value: Any, caplog: pytest.LogCaptureFixture
) -> None:
    page = Page(value, at_first=True)
    model = await first_model(page.whole(), CONNECTION)
    assert failed(model) == FAILED
    assert "beside 0" in to_html(model)
    assert json.loads(to_json(model)) == static_model(model)
    assert [record.message.partition("(")[0] for record in caplog.records] == ["Failed to render fragile"]
    assert "no browser can be sent" in str(caplog.records[0].exc_info)
    assert page.events == []
    caplog.clear()


@VALUES
async def test_it_fails_the_component_that_shows_it_on_the_socket(value: Any, caplog: pytest.LogCaptureFixture) -> None:
    page = Page(value)
    async with mounted(page.whole()) as shown:
        for times in (1, 2):
            page.setters["broken"](True)
            await shown.idle()
            assert shown.updates[-1]["model"] == FAILED[0]
            assert page.events.count("end inside") == times
            assert len(shown.layout._event_handlers) == 1, "that of the one beside"
            before = len(shown.updates)
            page.setters["inside"](5)
            await shown.idle()
            assert len(shown.updates) == before, "nothing of it runs any more"
            page.setters["page"](times)
            await shown.idle()
            assert failed(shown.updates[-1]["model"]) == FAILED, "the others go on"
            assert f"page {times}" in str(shown.updates[-1])
            page.setters["broken"](False)
            await shown.idle()
            assert "inside 0" in str(shown.updates[-1]["model"])
        assert target(shown.updates[-1]["model"], "button")
        assert shown.failures == 0
        assert all(orjson.loads(update.body) == update for update in shown.updates)
    assert page.events.count("begin inside") == page.events.count("end inside") == 3
    assert {record.message.partition("(")[0] for record in caplog.records} == {"Failed to render fragile"}
    assert "no browser can be sent" in str(caplog.records[0].exc_info)
    caplog.clear()


async def test_one_within_another_fails_alone_and_two_fail_each(caplog: pytest.LogCaptureFixture) -> None:
    @component
    def leaf(value: Any) -> Any:
        return html.i({"title": value})

    @component
    def around(value: Any) -> Any:
        return html.div({"title": value}, leaf(value), leaf(2**60))

    model = await first_model(html_of(around("fine"), leaf(b""), leaf("fine")), CONNECTION)
    assert len(failed(model)) == 2
    assert [node["tagName"] for node in nodes(model) if node["tagName"]] == ["main", "div", "i", "i"]
    assert len(caplog.records) == 2
    caplog.clear()


@component
def html_of(*inside: Any) -> Any:
    """A page with these children."""
    return html.main(*inside)


async def test_a_key_that_is_no_key_fails_its_component_alone(caplog: pytest.LogCaptureFixture) -> None:
    @component
    def row() -> Any:
        return html.li("row")

    bad: Any = b"1"
    model = await first_model(html_of(key(bad, row()), key("2", row())), CONNECTION)
    assert failed(model) == [{"tagName": "", "error": ""}]
    assert "row" in to_html(model)
    caplog.clear()


def test_cached_markup_is_asked_when_it_is_made() -> None:
    @cached_markup
    def sign() -> Any:
        return html.p({"data-a": float("nan")})

    with pytest.raises(NotEncodable):
        sign()


@VALUES
def test_a_shared_part_fails_as_a_whole(value: Any) -> None:
    def markup(*, language: str) -> Any:
        return html.p({"title": value, "lang": None}, language)

    live = LivePart(Ref(PublicPart("part", markup, lambda: ("part",)), (), "en"))
    with pytest.raises(NotEncodable):
        renew(live)
    assert live.version == ""
