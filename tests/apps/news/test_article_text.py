"""Test the rendering of an article's text: recognised markup, text that stays as typed, and the cost."""

import time
from dataclasses import astuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.core.text_rules import text_links
from apps.news.article_text import Node, article_read, plain_text
from apps.news.limits import LINE_LENGTH, NESTING, SIGNS_MOST
from components.runtime.rendering.html_names import safe_address
from tests.offenders import check_each
from tests.project.security.bounded_work import work_bounded

SIGNS = st.sampled_from(
    "# ## ###### * ** _ [ ] ( ) ![ ]( > - + 1. 7) \\ ` ``` ~~~ < > <b> <script> <!-- --> &lt; &#106; | --- === : \" ' "
    "https://a.example/ http://b.example javascript:alert(1) data:text/html, mailto:a@b.org //c.example /news/1 "
    "[a](javascript:alert(1)) ![a](data:,) ![a](https://a.example/b.png) [a](\tjava\nscript:x) [r]: https://x.y "
    "\n \n\n \t \0 \u2028 \x85 one two".split(" ")
)
TEXTS = st.lists(SIGNS | st.sampled_from(["\n", " ", "\n> ", "\n- "]) | st.text(max_size=4), max_size=40).map("".join)
KINDS = {
    *("paragraph", "heading", "bullets", "numbers", "item", "quote", "picture", "emphasis", "strong", "link", "text")
}


def walk(nodes, depth=1):
    for node in nodes:
        yield node, depth
        yield from walk(node.children, depth + 1)


def outline(nodes):
    """Return each node as its kind and its words, children in brackets."""
    return [node.text if node.kind == "text" else (node.kind, *outline(node.children)) for node in nodes]


def test_each_line_of_plain_text_is_a_paragraph():
    text = "  First line. \nSecond, 3 * 4 = 12 and 5*6.\n\n    Indented by four.\n---\nsnake_case & <b>&amp;</b>"
    text += "\u2028Last."
    assert outline(article_read(text)) == [
        ("paragraph", "First line."),
        ("paragraph", "Second, 3 * 4 = 12 and 5*6."),
        ("paragraph", "Indented by four."),
        ("paragraph", "---"),
        ("paragraph", "snake_case & <b>&amp;</b>"),
        ("paragraph", "Last."),
    ]


def test_backslash_escapes_only_markup_signs():
    assert plain_text("\\*not\\* \\<b> C:\\news \\\\a \\# \\") == "*not* \\<b> C:\\news \\\\a # \\"


def test_markdown_is_parsed():
    text = "## Heard *live*\n- one\n- **two**\n  - deep\nafter\n3. third\n4. fourth\n> quoted\nnot quoted"
    assert outline(article_read(text)) == [
        ("heading", "Heard ", ("emphasis", "live")),
        ("bullets", ("item", "one"), ("item", ("paragraph", ("strong", "two")), ("bullets", ("item", "deep")))),
        ("paragraph", "after"),
        ("numbers", ("item", "third"), ("item", "fourth")),
        ("quote", ("paragraph", "quoted")),
        ("paragraph", "not quoted"),
    ]
    assert [node.number for node in article_read(text) if node.kind == "numbers"] == [3]


def test_heading_levels_are_consecutive_below_the_page_heading():
    for typed, levels in ("123", [2, 3, 4]), ("331", [2, 2, 2]), ("1421", [2, 3, 3, 2]), ("123456", [2, 3, 4, 5, 6, 6]):
        text = "\n".join(f"{'#' * int(level)} Word" for level in typed)
        assert [node.number for node in article_read(text)] == levels, typed


def test_links_go_only_to_the_web_mailboxes_and_this_site():
    text = (
        "[web](https://example.org/a) [mail](mailto:a@example.org) [own](/participants/3) [x](javascript:alert(1)) "
        "[host](//evil.example/) [x](data:text/html,x) [signed](https://bank.example@evil.example/) [x](file:///x) "
        "[deceiving](https://\u0440\u0430ypal.com/in) bare https://example.org/b. *[in](https://e.example/)*"
    )
    links = {node.children[0].text: node.address for node, _ in walk(article_read(text)) if node.kind == "link"}
    assert links == {
        "web": "https://example.org/a",
        "mail": "mailto:a@example.org",
        "own": "/participants/3",
        "deceiving": "https://xn--ypal-43d9g.com/in",
        "https://example.org/b": "https://example.org/b",
        "in": "https://e.example/",
    }
    assert "host" in plain_text(text)
    assert "signed" in plain_text(text)


def test_pictures_need_https_and_are_moved_between_paragraphs():
    text = "before ![The *hall*](https://example.org/a.png) after\n![no](http://example.org/a.png)\n# ![in](https://e.org/a)"
    assert article_read(text) == (
        Node("paragraph", (Node("text", text="before "),)),
        Node("picture", text="The hall", address="https://example.org/a.png"),
        Node("paragraph", (Node("text", text=" after"),)),
        Node("paragraph", (Node("text", text="no"),)),
        Node("heading", (Node("text", text="in"),), number=2),
    )


def test_plain_text_has_no_markup():
    text = "# Four *pianos*\n- [one](https://example.org)\n- two\n\n![A hall](https://example.org/a.png)\n> quiet"
    assert plain_text(text) == "Four pianos\none\ntwo\nquiet"


@given(TEXTS)
def test_any_text_is_a_safe_tree_of_bounded_depth(text):
    last = 1
    for node, depth in walk(article_read(text)):
        assert node.kind in KINDS
        assert depth <= 3 * NESTING + 3
        assert safe_address(node.address)
        assert bool(node.address) == (node.kind in ("link", "picture"))
        assert node.kind != "picture" or node.address.startswith("https://")
        assert node.kind != "text" or not node.children
        if node.kind == "heading":
            assert 2 <= node.number <= last + 1
            last = node.number


@given(st.lists(st.text(alphabet=st.characters(codec="ascii", categories=["L", "N"]), min_size=1), max_size=9))
def test_lines_of_words_are_paragraphs(lines):
    assert outline(article_read("\n".join(lines))) == [("paragraph", line) for line in lines]
    assert plain_text("\n".join(lines)) == "\n".join(lines)


WORST = [
    *("[", "![", "](", "*a ", "**", "_a", ">", "> ", "- ", "1. a\n", "a\n", "> a\n", "> a\nb\n", "![a](", "[a](", "*_"),
    *('[x](y "', "***a", "- a\n  ", "# ", "&", "\\", "![![", "[![a](b)](", "https://a.b ", "[a](https://a.b) ", "\n"),
]


LENGTH = 25_000  # a quarter of the longest article


@pytest.mark.long(reason="measures the time of long texts")
def test_time_and_size_are_linear_in_the_length():
    """The text is one line, or lines of the greatest length that is read for its signs."""

    def check(repeat: str) -> None:
        line = (repeat * LENGTH)[:LENGTH]
        for text in line, "\n".join(line[start : start + LINE_LENGTH] for start in range(0, LENGTH, LINE_LENGTH)):
            with work_bounded(3):  # linear time is 1 s; quadratic time would be 3 s here, 40 s for the longest article
                assert len(repr(list(map(astuple, article_read(text))))) < 100 * LENGTH

    check_each(WORST, check)


@pytest.mark.parametrize("length", [10, LINE_LENGTH])
@pytest.mark.long(reason="measures the time of long texts")
def test_lines_of_signs_take_at_most_twice_the_time_of_words(length):
    """All texts are measured in one run, by the thread's CPU time, so that a busy machine slows all of them."""

    def seconds(text: str) -> float:
        begun = time.thread_time()
        article_read(text)
        return time.thread_time() - begun

    def lines(repeat: str) -> str:
        return "\n".join([(repeat * length)[: length - 1]] * (LENGTH // length))

    repeats = "*_", "*a*", "_a_ ", "[", "![", "*_[", "[a](b)"
    texts = lines("words "), "*a* " * (SIGNS_MOST // 2), *map(lines, repeats)
    with work_bounded(60):  # without garbage collection
        rounds = [[seconds(text) for text in texts] for _ in range(4)]
    words, allowed, *of_signs = (min(times) for times in zip(*rounds, strict=True))
    check_each(zip(repeats, of_signs, strict=True), lambda repeat: repeat[1] < 2 * (words + allowed))


def test_text_after_too_many_signs_is_plain():
    *_, last = article_read("*a*\n" * (SIGNS_MOST // 2) + "*no* https://example.org/")
    assert [child.kind for child in last.children] == ["text", "link"]
    *_, last = article_read("*a*\n" * (SIGNS_MOST // 2 - 1) + "*yes*")
    assert [child.kind for child in last.children] == ["emphasis"]


def test_depth_of_nested_markup_is_bounded():
    def check(text: str) -> None:
        with work_bounded(20):
            assert max(depth for _, depth in walk(article_read(text))) <= 3 * NESTING + 3

    nested = "- " * 3000 + "a", "> " * 3000 + "a", "*a " * 1500 + "b* " * 1500
    links = (sign * 3000 + "](https://a.example/b)" * 3000 for sign in ("[", "!["))
    indented = "".join(" " * n + "- a\n" for n in range(400)), "".join(">" * n + " a\n" for n in range(400))
    check_each([*nested, *links, *indented], check)


def test_line_that_is_too_long_is_plain_except_for_its_addresses():
    text = "*no* https://example.org/ " + "a" * LINE_LENGTH
    [paragraph] = article_read(text)
    assert [piece.text for piece in text_links(text)] == [
        node.text or node.children[0].text for node in paragraph.children
    ]
