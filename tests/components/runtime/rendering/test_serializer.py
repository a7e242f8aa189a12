"""The serializer writes the same document as React, and React hydrates it without a warning."""

import json
import time
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from components.runtime.rendering.html_names import safe_address, script_text
from components.runtime.rendering.serializer import Spot, _merged, inside_script, pieces, to_json
from tests.components.runtime.rendering.conftest import Browser
from tests.components.runtime.rendering.models import TEXTS, element
from tests.offenders import check_each
from tests.rendering import to_html


def wire(model: Any) -> Any:
    """Return the model as it arrives in the browser."""
    return json.loads(to_json(model))


@settings(deadline=None, max_examples=50)
@given(texts=st.lists(TEXTS | st.sampled_from(["\n", "\n\n", ""]), max_size=4))
def test_first_line_of_pre_hydrates(browser: Browser, texts: list[str]) -> None:
    """React's server renderer loses this line end, so the test compares with hydration only."""
    model = element("div", {}, [element("pre", {}, texts)])
    assert browser("page", model=model, html=to_html(model))["problems"] == []


def test_comparison_notices_a_difference(browser: Browser) -> None:
    model = element("div", {}, ["text", element("b", {"title": "a"})])
    page = browser("page", model=model, html='<div>other<b title="a"></b></div>')
    assert page["got"] != page["wanted"]
    assert page["problems"]


@given(number=st.integers(-(2**53) + 1, 2**53 - 1) | st.floats(allow_nan=False, allow_infinity=False))
@settings(deadline=None)
def test_numbers_are_written_as_in_javascript(browser: Browser, number: float) -> None:
    page = browser("page", model=element("div", {"title": number}), html="")
    assert page["wanted"][0]["attributes"] == [["title", script_text(number)]]


SCRIPTS = [
    *("javascript:alert(1)", "JaVaScRiPt:alert(1)", " javascript:alert(1)", "java\nscript:alert(1)", "java\tscript:a"),
    *("\x01javascript:a", "vbscript:x", "data:text/html,<script>", "blob:x", "file:///etc/passwd", "intent:x"),
]


ADDRESSES = [("a", "href"), ("iframe", "src"), ("form", "action"), ("button", "formAction"), ("use", "xlinkHref")]


def test_addresses_that_run_scripts_are_left_out(browser: Browser) -> None:
    def is_left_out(tag: str, name: str, address: str) -> None:
        model = element(tag, {name: address})
        assert to_html(model) == f"<{tag}></{tag}>"
        assert browser("page", model=element("div", {}, [model]), html=f"<div><{tag}></{tag}></div>")["problems"] == []

    assert [address for address in SCRIPTS if safe_address(address)] == []
    cases = [(tag, name, address) for tag, name in ADDRESSES for address in SCRIPTS]
    check_each(cases, lambda case: is_left_out(*case))


def test_other_addresses_are_kept() -> None:
    addresses = "/a:b ?q=a:b #a:b news/1 https://e.org HTTP://e.org mailto:a@e.org webcal://e.org/a.ics".split()
    written = [to_html(element("a", {"href": address})) for address in addresses]
    assert written == [f'<a href="{address}"></a>' for address in addresses]


def test_malformed_names_are_rejected() -> None:
    for name in ('x" onload="alert(1)', "a b", "a>", "", "1a", "a=b"):
        assert to_html(element("p", {name: "value"})) == "<p></p>"
    for tag in ("a b", "p><script", "1", "a\n"):
        with pytest.raises(ValueError, match="bad tag name"):
            to_html(element(tag, {}))


@given(text=st.text())
def test_data_inside_a_script_element_does_not_end_it(text: str) -> None:
    data = to_json(element("p", {"title": text}, [text]))
    assert "<" not in data
    assert "\u2028" not in data
    assert "\u2029" not in data
    assert json.loads(data) == element("p", {"title": text}, [text])


def test_inside_script_escapes_ends_of_scripts() -> None:
    assert inside_script('"</script>\u2028\u2029"') == '"\\u003c/script>\\u2028\\u2029"'


def test_failed_components_and_browser_only_nodes_have_no_html() -> None:
    children = [
        {"tagName": "", "error": "secret"},
        element("page-events", {}),
        element("page-navigation", {"path": "/"}),
        "a",
    ]
    assert to_html(element("div", {}, children)) == "<div>a</div>"


def test_web_module_is_written_as_its_fallback() -> None:
    source = {"source": "/static/player.js", "sourceType": "URL", "fallback": element("p", {}, ["Loading"])}
    model = {"tagName": "Player", "importSource": source}
    assert to_html(model) == "<p>Loading</p>"
    assert to_html({"tagName": "Player", "importSource": source | {"fallback": None}}) == ""


def test_data_has_no_event_targets() -> None:
    model = element("div", {}, [element("button", {}) | {"eventHandlers": {"onClick": {"target": "/0:onClick"}}}])
    assert wire(model) == element("div", {}, [element("button", {})])


def test_cost_of_a_document_is_linear() -> None:
    """Both sizes are measured in one run, in this thread's CPU time."""

    def seconds(rows: int) -> float:
        model = element("ul", {}, [element("li", {}, [element("b", {}, ["x" * 100]), "text"]) for _ in range(rows)])
        begun = time.thread_time()
        pieces(model)
        return time.thread_time() - begun

    assert min(seconds(16_000) for _ in range(3)) < 5 * 8 * min(seconds(2_000) for _ in range(3))


@settings(deadline=None)
@given(texts=st.lists(st.text(max_size=3)), spots=st.sets(st.integers(0, 9)))
def test_pieces_between_two_spots_are_merged(texts: list[str], spots: set[int]) -> None:
    pieces = [Spot(text) if number in spots else text for number, text in enumerate(texts)]
    merged = _merged(pieces)
    assert "".join(merged) == "".join(texts)
    assert [piece for piece in merged if isinstance(piece, Spot)] == [
        piece for piece in pieces if isinstance(piece, Spot)
    ]
    assert not any(type(one) is type(other) is str for one, other in pairwise(merged))
