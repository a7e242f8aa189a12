"""Differences of trees, for generated pairs, applied by the server's and by the browser's code."""

import copy
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from components.runtime.markup import component, html, key, use_state
from components.runtime.rendering.encoding import encode
from components.runtime.rendering.tree import NotPublic, difference, plain_tree
from tests.components.runtime.rendering.conftest import Browser
from tests.components.runtime.rendering.models import element
from tests.rendering import patch

KEYS = st.lists(st.sampled_from("abcdef"), unique=True, max_size=5)
# Keys that look like numbers or special names: JavaScript objects order and treat such keys differently.
OTHER_KEYS = st.lists(st.sampled_from(["10", "9", "1", "__proto__", "constructor", "a/b"]), unique=True, max_size=4)
ATTRIBUTES = st.fixed_dictionaries({}, optional={"className": st.sampled_from("xyz"), "title": st.none() | st.just("")})


def keyed(rows: list[Any], keys: list[str]) -> list[Any]:
    """Return the rows with these keys, as many as both lists have."""
    return [
        element(row["tagName"], row.get("attributes", {}) | {"key": name}, row.get("children", ()))
        for row, name in zip(rows, keys, strict=False)
    ]


def branch(inner: Any) -> Any:
    """Return a strategy for elements with mixed children from `inner`, or with keyed rows."""
    tags = st.sampled_from(["p", "ul", ""])
    elements = inner.filter(lambda node: isinstance(node, dict))
    rows = st.builds(keyed, st.lists(elements, max_size=5), KEYS | OTHER_KEYS)
    return st.builds(element, tags, ATTRIBUTES, st.lists(inner, max_size=4) | rows)


TREES = st.recursive(st.sampled_from("ab") | st.builds(element, st.just("b"), ATTRIBUTES), branch, max_leaves=12)


@st.composite
def pairs(draw: Any) -> tuple[Any, Any]:
    old = draw(TREES)
    return old, draw(changed(old))


def changed(node: Any) -> Any:
    """Return a strategy for later versions of `node`: texts change; rows move, disappear and appear."""
    if isinstance(node, str):
        return st.just(node) | st.sampled_from("ab")
    children = node.get("children", [])

    @st.composite
    def later(draw: Any) -> Any:
        kept = [draw(changed(child)) for child in children]
        kept = draw(st.just(kept) | st.permutations(kept))
        if draw(st.booleans()):
            kept = kept[: draw(st.integers(0, len(kept)))]
        if draw(st.integers(0, 3)) == 0:
            kept = [*kept, draw(TREES)]
        return element(node["tagName"], node.get("attributes", {}), kept)

    return st.just(node) | later() | TREES


@settings(deadline=None, max_examples=60)
@given(pair=pairs())
@example(
    pair=(
        element("ul", {}, [element("li", {"key": "9"})]),
        element("ul", {}, [element("li", {"key": "10"}), element("li", {"key": "9"})]),
    )
)
@example(pair=(element("ul", {}, [element("li", {"key": "a"})]), element("ul", {})))
@example(pair=(element("p", {"title": "a"}), element("p", {})))
def test_difference_applied_to_the_old_tree_gives_the_new(browser: Browser, pair: tuple[Any, Any]) -> None:
    old, new = pair
    before = copy.deepcopy(old)
    operations, patched = difference(old, new), old
    for operation in operations:
        patched = patch(patched, operation)
    assert patched == new
    assert old == before
    assert tidy(browser("operations", model=old, operations=operations)) == new
    assert bool(operations) == (old != new)
    assert len(encode(operations)) < 2 * len(encode([old, new])), "long operations"


def tidy(node: Any) -> Any:
    """Return the browser's node without empty attributes and children, which the browser may keep."""
    if isinstance(node, str):
        return node
    out = node | {"children": [tidy(child) for child in node.get("children", [])]}
    return {name: value for name, value in out.items() if value or name not in ("children", "attributes")}


def test_changed_and_moved_rows_are_one_short_operation() -> None:
    def rows(performing: str) -> Any:
        items = [element("li", {"key": name}, ["now" if name == performing else "later"]) for name in "abcd"]
        return element("ol", {}, items)

    assert difference(rows("b"), rows("c")) == [[{"1": [{"0": "later"}], "2": [{"0": "now"}]}]]

    def rows(order: str) -> Any:
        return element("ol", {}, [element("li", {"key": name}, ["x" * 1000]) for name in order])

    assert difference(rows("abc"), rows("cab")) == [[[[2, 3], [0, 2]]]]
    assert difference(rows("abcd"), rows("acd")) == [[[[0, 1], [2, 4]]]]

    def words(*texts: str) -> Any:
        return element("p", {}, [element("b", {}, [text]) for text in texts])

    assert difference(words("a", "b", "c"), words("a", "c")) == [[[[0, 1], [2, 3]]]]
    assert difference(words("a", "c"), words("a", "b", "c")) == [[[[0, 1], [1, [{"0": "b"}]], [1, 2]]]]
    assert difference(words("a"), words()) == [[[]]]


def test_new_row_is_sent_as_values_for_an_old_one() -> None:
    def row(name: str) -> Any:
        button = element("button", {"class": "link", "data-argument": name, "data-yes": "Delete"}, ["Delete"])
        return element("li", {"key": name, "class": "says"}, [name * 3, button])

    def rows(order: str) -> Any:
        return element("ol", {}, [row(name) for name in order])

    own = [{"0": "ddd", "1": [{}, {"1": "d"}]}, {"1": "d"}]  # the second names are "data-argument" and "key"
    assert difference(rows("abc"), rows("dab")) == [[[[0, own], [0, 2]]]]
    assert difference(rows("abc"), rows("abcd")) == [[[[0, 3], [2, own]]]]
    assert difference(rows(""), rows("d")) == [[[row("d")]]]


def test_only_changed_attributes_are_sent() -> None:
    def shown(**attributes: str) -> Any:
        return element("p", {"id": "one", "title": "a long title", **attributes}, ["text"])

    assert difference(shown(), shown(lang="en")) == [[{}, {"lang": "en"}]]
    assert difference(shown(lang="en"), shown(lang="pl")) == [[{}, {"1": "pl"}]]  # of id, lang and title
    assert difference(shown(lang="en"), shown()) == [[{}, {}, ["lang"]]]
    old, new = (element("p", {"title": value}, ["text"]) for value in ("text", ["text"]))
    assert difference(old, new) == [new]


WORDS = st.text(st.sampled_from("ab\u0142\u4e2d\U0001f3b9"), max_size=14)  # characters of one and of two units


@settings(deadline=None)  # the first example starts the browser
@given(start=WORDS, end=WORDS, old=WORDS, new=WORDS)
@example(start="\U0001f3b9" * 9, end="", old="\U0001f3b8", new="\U0001f3bb")  # pairs that begin alike
def test_only_the_changed_middle_of_a_text_is_sent(browser: Browser, start: str, end: str, old: str, new: str) -> None:
    before, after = (element("p", {"title": text}, [text]) for text in (f"{start}{old}{end}", f"{start}{new}{end}"))
    patched = before
    for change in difference(before, after):
        patched = patch(patched, change)
        assert len(str(change)) <= len(str([{"0": after["children"][0]}, after["attributes"]])) + 20
    assert patched == after
    assert browser("operations", model=before, operations=difference(before, after)) == after


@component
def row(text: str) -> Any:
    return html.li(text, None, 7)


def test_plain_tree_has_no_handlers_scripts_and_hooks() -> None:
    tree = plain_tree(html.ol({"class": "rows"}, [key("a", row("one")), html.li({"key": "b"}, "two")]))
    first = {"tagName": "li", "attributes": {"key": "a"}, "children": ["one", "7"]}
    second = {"tagName": "li", "attributes": {"key": "b"}, "children": ["two"]}
    assert tree == {"tagName": "ol", "attributes": {"class": "rows"}, "children": [first, second]}
    error = r"<button> in a shared part has \['onClick'\]: use page_event\(name, argument\)"
    with pytest.raises(NotPublic, match=error):
        plain_tree(html.div(html.button({"onClick": lambda _event: None}, "Press")))
    assert plain_tree(html.button({"onClick": "alert(1)"})) == {"tagName": "button"}

    @component
    def counter() -> Any:
        return html.p(str(use_state(0)[0]))

    with pytest.raises(NotPublic, match="uses a hook; what is one viewer's stands beside it"):
        plain_tree(html.div(counter()))
