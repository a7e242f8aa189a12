"""Markup of an article's text. It is built from the parsed tree, so HTML in the text is never interpreted."""

from collections.abc import Callable, Sequence

from apps.news.article_text import Node, article_read
from components.runtime import Markup, VdomDict, html
from components.ui.blocks import framed_picture

_HEADINGS = {2: html.h2, 3: html.h3, 4: html.h4, 5: html.h5, 6: html.h6}
_ELEMENTS = {
    "paragraph": html.p,
    "quote": html.blockquote,
    "bullets": html.ul,
    "emphasis": html.em,
    "strong": html.strong,
}


def article_text(content: str) -> VdomDict:
    """Return an article's text; its headings begin at level 2, below the page's title."""
    return article_blocks(article_read(content))


def article_blocks(blocks: Sequence[Node]) -> VdomDict:
    """Return the blocks of an article's text."""
    return html.div({"class": "prose article__text"}, *_all(blocks))


def _all(nodes: Sequence[Node]) -> list[Markup]:
    return [_node(node, number) for number, node in enumerate(nodes)]


def _node(node: Node, number: int) -> Markup:
    made = _MADE.get(node.kind)
    return made(node, number) if made else _ELEMENTS[node.kind](*_all(node.children))


def _heading(node: Node, _number: int) -> VdomDict:
    return _HEADINGS[node.number](*_all(node.children))


def _numbers(node: Node, _number: int) -> VdomDict:
    return html.ol({"start": node.number} if node.number != 1 else {}, *_all(node.children))


def _item(node: Node, number: int) -> VdomDict:
    return html.li({"key": f"item-{number}"}, *_all(node.children))


def _link(node: Node, _number: int) -> VdomDict:
    """Return a link; links to other sites open in a new tab."""
    other = {"rel": "noopener", "target": "_blank"} if node.address.startswith("http") else {}
    return html.a({"href": node.address} | other, *_all(node.children))


def _figure(node: Node, _number: int) -> VdomDict:
    caption = html.figcaption(node.text) if node.text else None
    return html.figure({"class": "figure"}, framed_picture(node.address), caption)


_MADE: dict[str, Callable[[Node, int], Markup]] = {
    "text": lambda node, _number: node.text,
    "heading": _heading,
    "numbers": _numbers,
    "item": _item,
    "link": _link,
    "picture": _figure,
}
