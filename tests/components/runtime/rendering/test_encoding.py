"""A value that cannot be encoded fails the component that shows it, in the first HTML as in frames."""

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from components.runtime.markup import cached_markup, component, html, key
from components.runtime.rendering.encoding import NotEncodable, encode
from components.runtime.rendering.frames import frame
from components.runtime.rendering.layout import first_model
from components.runtime.rendering.live_part import LivePart
from components.runtime.rendering.parts import PublicPart, Ref
from components.runtime.rendering.serializer import static_model, to_json
from tests.components.runtime.rendering.mounting import CONNECTION, nodes
from tests.rendering import renew, to_html


@dataclass
class Thing:
    """An object that has no JSON form."""

    name: str = "a"


BAD = {
    "NaN": float("nan"),
    "infinity": float("inf"),
    "2**63": 2**63,
    "unsafe integer": 2**53,
    "Decimal": Decimal("1.5"),
    "bytes": b"a",
    "surrogate": "\ud800",
    "set": {1},
    "object": object(),
    "object of a class": Thing(),
    "datetime": datetime(2027, 1, 1, tzinfo=UTC),
    "key that is not a text": {1: "a"},
    "surrogate as a key": {"\ud800": "a"},
    "deep inside": {"a": [("b", {"c": float("-inf")})]},
}


def test_values_without_a_json_form_are_rejected() -> None:
    for value in BAD.values():

        def markup(*, language: str, value: Any = value) -> Any:
            return html.p({"title": value, "lang": None}, language)

        with pytest.raises(NotEncodable, match="no browser can be sent"):
            encode({"attributes": {"data-a": value, "title": None}})
        with pytest.raises(NotEncodable):
            frame({"type": "command-answer", "data": value})
        live = LivePart(Ref(PublicPart("part", markup, lambda: ("part",)), (), "en"))
        with pytest.raises(NotEncodable):
            renew(live)
        assert live.version == "", "a shared part fails as a whole"


def test_error_names_the_path_and_fails_cached_markup_at_once() -> None:
    with pytest.raises(NotEncodable) as error:
        encode({"tagName": "p", "children": ["a", {"attributes": {"title": Decimal("1.5")}}]})
    assert str(error.value) == "/children/1/attributes/title is Decimal Decimal('1.5'), which no browser can be sent"

    @cached_markup
    def sign() -> Any:
        return html.p({"data-a": float("nan")})

    with pytest.raises(NotEncodable):
        sign()


@settings(max_examples=40)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.floats(allow_nan=False) | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        max_leaves=10,
    )
)
def test_encoded_values_are_decoded_as_they_were(value: Any) -> None:
    try:
        body = encode(value)
    except NotEncodable:
        assert "inf" in repr(value)
    else:
        assert json.loads(body) == value


def failed(model: Any) -> list[Any]:
    return [node for node in nodes(model) if "error" in node]


@component
def page(*children: Any) -> Any:
    return html.main(*children)


async def test_invalid_value_fails_its_component_alone(caplog: pytest.LogCaptureFixture) -> None:
    """After the first HTML, as with other failures: test_layout.py."""

    @component
    def fragile(value: Any) -> Any:
        return html.section(html.b({"onClick": lambda _event: None}), html.p({"title": value}))

    for name, value in BAD.items():
        model = await first_model(page(html.div(key("k", fragile(value))), html.b("beside")), CONNECTION)
        assert failed(model) == [{"tagName": "", "error": "", "attributes": {"key": "k"}}], name
        assert "beside" in to_html(model)
        assert json.loads(to_json(model)) == static_model(model)
        [record] = caplog.records
        assert record.message.startswith("Failed to render fragile(")
        assert "no browser can be sent" in str(record.exc_info)
        caplog.clear()  # a logged error fails a test


async def test_invalid_key_fails_its_component_alone(caplog: pytest.LogCaptureFixture) -> None:
    @component
    def row() -> Any:
        return html.li("row")

    bad: Any = b"1"
    model = await first_model(page(key(bad, row()), key("2", row())), CONNECTION)
    assert failed(model) == [{"tagName": "", "error": ""}]
    assert "row" in to_html(model)
    caplog.clear()
