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
from tests.components.runtime.rendering.models import TEXTS, made
from tests.rendering import to_html


def wire(model: Any) -> Any:
    """Return the model as it arrives in the browser."""
    return json.loads(to_json(model))


@settings(deadline=None, max_examples=50)
@given(texts=st.lists(TEXTS | st.sampled_from(["\n", "\n\n", ""]), max_size=4))
def test_first_line_of_pre_hydrates_however_its_text_is_cut(browser: Browser, texts: list[str]) -> None:
    """React's server renderer loses this line end, so the test compares with hydration only."""
    model = made("div", {}, [made("pre", {}, texts)])
    assert browser("page", model=model, html=to_html(model))["problems"] == []


def test_the_comparison_notices_a_difference(browser: Browser) -> None:
    model = made("div", {}, ["text", made("b", {"title": "a"})])
    page = browser("page", model=model, html='<div>other<b title="a"></b></div>')
    assert page["got"] != page["wanted"]
    assert page["problems"]


@given(number=st.integers(-(2**53) + 1, 2**53 - 1) | st.floats(allow_nan=False, allow_infinity=False))
@settings(deadline=None)
def test_numbers_are_written_as_javascript_writes_them(browser: Browser, number: float) -> None:
    page = browser("page", model=made("div", {"title": number}), html="")
    assert page["wanted"][0]["attributes"] == [["title", script_text(number)]]


SCRIPTS = [
    *("javascript:alert(1)", "JaVaScRiPt:alert(1)", " javascript:alert(1)", "java\nscript:alert(1)", "java\tscript:a"),
    *("\x01javascript:a", "vbscript:x", "data:text/html,<script>", "blob:x", "file:///etc/passwd", "intent:x"),
]


@pytest.mark.parametrize("address", SCRIPTS)
@pytest.mark.parametrize(
    ("tag", "name"),
    [("a", "href"), ("iframe", "src"), ("form", "action"), ("button", "formAction"), ("use", "xlinkHref")],
)
def test_addresses_that_run_scripts_are_left_out(browser: Browser, tag: str, name: str, address: str) -> None:
    assert not safe_address(address)
    model = made(tag, {name: address})
    assert to_html(model) == f"<{tag}></{tag}>"
    assert browser("page", model=made("div", {}, [model]), html=f"<div><{tag}></{tag}></div>")["problems"] == []


@pytest.mark.parametrize(
    "address",
    ["/a:b", "?q=a:b", "#a:b", "news/1", "https://e.org", "HTTP://e.org", "mailto:a@e.org", "webcal://e.org/a.ics"],
)
def test_other_addresses_stay(address: str) -> None:
    assert to_html(made("a", {"href": address})) == f'<a href="{address}"></a>'


@pytest.mark.parametrize("name", ['x" onload="alert(1)', "a b", "a>", "", "1a", "a=b"])
def test_malformed_attribute_names_are_left_out(name: str) -> None:
    assert to_html(made("p", {name: "value"})) == "<p></p>"


@pytest.mark.parametrize("tag", ["a b", "p><script", "1", "a\n"])
def test_malformed_tag_names_are_refused(tag: str) -> None:
    with pytest.raises(ValueError, match="bad tag name"):
        to_html(made(tag, {}))


@given(text=st.text())
def test_data_inside_a_script_element_never_ends_it(text: str) -> None:
    data = to_json(made("p", {"title": text}, [text]))
    assert "<" not in data
    assert "\u2028" not in data
    assert "\u2029" not in data
    assert json.loads(data) == made("p", {"title": text}, [text] if text is not None else [])


def test_inside_script_escapes_what_ends_scripts() -> None:
    assert inside_script('"</script>\u2028\u2029"') == '"\\u003c/script>\\u2028\\u2029"'


def test_a_failed_component_and_what_only_the_browser_reads_leave_no_html() -> None:
    children = [
        {"tagName": "", "error": "secret"},
        made("page-events", {}),
        made("page-navigation", {"path": "/"}),
        "a",
    ]
    assert to_html(made("div", {}, children)) == "<div>a</div>"


def test_a_web_module_leaves_its_fallback() -> None:
    source = {"source": "/static/player.js", "sourceType": "URL", "fallback": made("p", {}, ["Loading"])}
    model = {"tagName": "Player", "importSource": source}
    assert to_html(model) == "<p>Loading</p>"
    assert to_html({"tagName": "Player", "importSource": source | {"fallback": None}}) == ""


def test_event_targets_do_not_reach_the_data_block() -> None:
    model = made("div", {}, [made("button", {}) | {"eventHandlers": {"onClick": {"target": "/0:onClick"}}}])
    assert wire(model) == made("div", {}, [made("button", {})])


def test_a_document_costs_by_its_length() -> None:
    """Both sizes are measured in one run, in this thread's CPU time."""

    def seconds(rows: int) -> float:
        model = made("ul", {}, [made("li", {}, [made("b", {}, ["x" * 100]), "text"]) for _ in range(rows)])
        begun = time.thread_time()
        pieces(model)
        return time.thread_time() - begun

    assert min(seconds(16_000) for _ in range(3)) < 5 * 8 * min(seconds(2_000) for _ in range(3))


@settings(deadline=None)
@given(texts=st.lists(st.text(max_size=3)), spots=st.sets(st.integers(0, 9)))
def test_pieces_between_two_spots_are_one(texts: list[str], spots: set[int]) -> None:
    written = [Spot(each) if at in spots else each for at, each in enumerate(texts)]
    merged = _merged(written)
    assert "".join(merged) == "".join(texts)
    assert [each for each in merged if isinstance(each, Spot)] == [each for each in written if isinstance(each, Spot)]
    assert not any(type(one) is type(other) is str for one, other in pairwise(merged))
