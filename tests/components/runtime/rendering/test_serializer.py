"""The serializer writes the same document as React, with its attribute names; React hydrates it without a warning."""

import json
import re
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from components.runtime.rendering import html_names
from components.runtime.rendering.html_names import safe_address, script_text
from components.runtime.rendering.refusals import ELEMENTS, OUTSIDE_SVG
from components.runtime.rendering.serializer import Spot, _merged, inside_script, pieces, to_json
from tests.components.runtime.rendering import react_tables
from tests.components.runtime.rendering.conftest import CLIENT, Browser
from tests.components.runtime.rendering.models import TEXTS, element
from tests.offenders import check_each
from tests.rendering import to_html


def wire(model: Any) -> Any:
    """Return the model as it arrives in the browser."""
    return json.loads(to_json(model))


@settings(deadline=None, max_examples=20)
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


def test_numbers_are_written_as_in_javascript(browser: Browser) -> None:
    for number in (0, 0.0, -3, 40, 0.5, -2.25, 7.0, 123456789.125, 2**53 - 1):
        page = browser("page", model=element("div", {"title": number}), html="")
        assert page["wanted"][0]["attributes"] == [["title", script_text(number)]], number


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


def test_texts_are_escaped() -> None:
    model = element("p", {"title": '"<&'}, ["<b> &amp;", element("textarea", {"value": "</textarea>"})])
    assert to_html(model) == (
        '<p title="&quot;&lt;&amp;">&lt;b&gt; &amp;amp;<textarea>&lt;/textarea&gt;</textarea></p>'
    )


def test_addresses_and_names_are_kept_only_if_well_formed() -> None:
    addresses = "/a:b ?q=a:b #a:b news/1 https://e.org HTTP://e.org mailto:a@e.org webcal://e.org/a.ics".split()
    written = [to_html(element("a", {"href": address})) for address in addresses]
    assert written == [f'<a href="{address}"></a>' for address in addresses]
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


def test_data_inside_a_script_element_does_not_end_it_and_has_no_targets() -> None:
    assert inside_script('"</script>\u2028\u2029"') == '"\\u003c/script>\\u2028\\u2029"'
    model = element("div", {}, [element("button", {}) | {"eventHandlers": {"onClick": {"target": "/0:onClick"}}}])
    assert wire(model) == element("div", {}, [element("button", {})])


def test_nodes_of_the_browser_alone_have_no_html_but_a_fallback() -> None:
    children = [
        {"tagName": "", "error": "secret"},
        element("page-events", {}),
        element("page-navigation", {"path": "/"}),
        "a",
    ]
    assert to_html(element("div", {}, children)) == "<div>a</div>"
    source = {"source": "/static/player.js", "sourceType": "URL", "fallback": element("p", {}, ["Loading"])}
    model = {"tagName": "Player", "importSource": source}
    assert to_html(model) == "<p>Loading</p>"
    assert to_html({"tagName": "Player", "importSource": source | {"fallback": None}}) == ""


def test_cost_of_a_document_is_linear() -> None:
    def calls(rows: int) -> int:
        model = element("ul", {}, [element("li", {}, [element("b", {}, ["x" * 100]), "text"]) for _ in range(rows)])
        counted = 0

        def count(_frame: Any, event: str, _argument: Any) -> None:
            nonlocal counted
            counted += event in ("call", "c_call")

        sys.setprofile(count)
        try:
            pieces(model)
        finally:
            sys.setprofile(None)
        return counted

    assert calls(1600) < 9 * calls(200)


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


PROPS = (Path(CLIENT) / "src/rendering/props.js").read_text(encoding="utf-8")


def test_attribute_tables_are_those_of_react_and_of_the_client() -> None:
    known = react_tables.aliases()
    own = {"className": "class", "tabIndex": "tabindex", "autoFocus": "autofocus"}  # React handles these separately
    assert html_names.RENAMED.items() <= (known | own).items()
    assert len(react_tables.booleans()) > 20
    assert react_tables.booleans() == html_names.BOOLEAN
    names = re.search(r'\(\s+\("(.*?)"\)\s+\.split', PROPS, re.DOTALL)
    assert names is not None
    spelled = re.findall(r"\w+", names[1])
    assert {name.lower(): name for name in spelled} | {"class": "className", "for": "htmlFor"} == html_names.REACT_NAMES
    tables = {name: json.loads(text) for name, text in re.findall(r"const (\w+) = new Set\((\[.*?\])\)", PROPS)}
    assert tables["REFUSED"] == [*ELEMENTS]
    assert tables["OUTSIDE_SVG"] == [*OUTSIDE_SVG]
    assert frozenset(tables["ADDRESSES"]) == html_names.ADDRESSES


def test_letters_of_names_are_those_of_react() -> None:
    literal = re.search(r'VALID_ATTRIBUTE_NAME_REGEX = RegExp\(\s+"(.*)"', react_tables.source())
    assert literal is not None
    pattern = re.compile(json.loads(f'"{literal[1]}"').replace("$", r"\Z"))
    for number in range(0x10000):
        for name in (chr(number), f"a{chr(number)}"):
            assert bool(html_names.ATTRIBUTE.match(name)) == bool(pattern.match(name)), hex(number)
