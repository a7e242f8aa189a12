"""The text of an article: Markdown without HTML, in which every line is a paragraph.

Headings, emphasis, links, lists, quotes and pictures are recognised. Everything else is plain text (ADR 16). NESTING
limits the depth, and SIGNS_MOST the work. A line longer than LINE_LENGTH, or after that many signs, is plain text with
links.
"""

from collections.abc import Iterable, Iterator, MutableMapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_block import blockquote as quote_rule
from markdown_it.rules_block import list_block as list_rule
from markdown_it.rules_inline import StateInline
from markdown_it.rules_inline import escape as escape_rule
from markdown_it.rules_inline import image as image_rule
from markdown_it.token import Token

from apps.core.commands import OWN_PATH
from apps.core.text_rules import is_secure_picture_address, link_of, text_links
from apps.news.limits import LINE_LENGTH, NESTING, SIGNS_MOST

_OPENS = {
    "paragraph_open": "paragraph",
    "heading_open": "heading",
    "bullet_list_open": "bullets",
    "ordered_list_open": "numbers",
    "list_item_open": "item",
    "blockquote_open": "quote",
    "em_open": "emphasis",
    "strong_open": "strong",
    "link_open": "link",
}
_SIGNS = frozenset("*_[]()!#>-.")
_COSTLY = "*_[!"  # signs that the parser reads more than once
_LOWEST = 6  # the level of the smallest heading


@dataclass(frozen=True, slots=True)
class Node:
    """A part of an article.

    `kind` is "paragraph", "heading", "bullets", "numbers", "item", "quote", "picture", "emphasis", "strong", "link" or
    "text". `address` is the address of a link or a picture. `text` is a text or a picture's caption. `number` is a
    heading's level (1 is the page's own heading) or the first number of a list.
    """

    kind: str
    children: tuple["Node", ...] = ()
    text: str = ""
    address: str = ""
    number: int = 0


def article_read(content: str) -> tuple[Node, ...]:
    """Return the blocks of an article's text. Its length limits work and depth."""
    tokens = _READER.parse("\n".join(content.splitlines()))
    return tuple(_ordered(_blocks(tokens), []))


def plain_text(content: str) -> str:
    """Return the text of an article without markup and captions of pictures, with one line for each block."""
    return "\n".join(filter(None, map(_words, article_read(content))))


def _words(node: Node) -> str:
    if node.kind == "text":
        return node.text
    between = "\n" if node.kind in ("bullets", "numbers", "quote") or _has_blocks(node) else ""
    return between.join(filter(None, map(_words, node.children)))


def _has_blocks(node: Node) -> bool:
    return node.kind == "item" and any(child.kind == "paragraph" for child in node.children)


def _line(state: StateBlock, start: int, _end: int, silent: bool) -> bool:  # noqa: FBT001 - markdown-it's signature
    """Parse each line as a paragraph. As a terminator of quotes it ends a quote at a line without its sign."""
    if not silent:
        state.line = start + 1
        state.push("paragraph_open", "p", 1)
        token = state.push("inline", "", 0)
        token.content = state.getLines(start, state.line, state.blkIndent, keepLastLF=False).strip()
        token.map, token.children = [start, state.line], []
        state.push("paragraph_close", "p", -1)
    return True


def _quote(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: FBT001 - markdown-it's signature
    return state.level < NESTING and quote_rule(state, start, end, silent)


def _list(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: FBT001 - markdown-it's signature
    if state.level >= NESTING or not _is_affordable(state.env, 0) or not list_rule(state, start, end, silent):
        return False
    state.env["signs"] += not silent
    return True


def _is_affordable(env: MutableMapping[str, Any], signs: int) -> bool:
    """Count `signs` more signs of this text; return False above SIGNS_MOST."""
    env["signs"] = env.get("signs", 0) + signs
    return bool(env["signs"] <= SIGNS_MOST)


def _image(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 - markdown-it's signature
    """Parse a picture. Its caption contains no pictures, because nested ones take quadratic time."""
    if state.env.get("in_caption"):
        return False
    state.env["in_caption"] = True
    try:
        return image_rule(state, silent)
    finally:
        state.env["in_caption"] = False


def _escape(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 - markdown-it's signature
    """Treat a backslash as an escape only before a sign of this syntax; otherwise it is plain text."""
    return state.src[state.pos + 1 : state.pos + 2] in _SIGNS and escape_rule(state, silent)


def _plain_line(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 - markdown-it's signature
    """Treat a line as plain text if it is too long, or exceeds the remaining signs."""
    if state.pos:
        return False
    if len(state.src) <= LINE_LENGTH and _is_affordable(state.env, sum(map(state.src.count, _COSTLY))):
        return False
    if not silent:
        state.pending += state.src[state.pos : state.posMax]
    state.pos = state.posMax
    return True


def _reader() -> MarkdownIt:
    reader = MarkdownIt("zero", {"maxNesting": 2 * NESTING})
    reader.enable(["heading", "blockquote", "list", "emphasis", "link", "image", "escape"])
    reader.block.ruler.at("blockquote", _quote)
    reader.block.ruler.at("list", _list)
    reader.block.ruler.at("paragraph", _line, {"alt": ["blockquote"]})
    reader.inline.ruler.at("image", _image)
    reader.inline.ruler.at("escape", _escape)
    reader.inline.ruler.before("text", "plain_line", _plain_line)
    return reader


_READER = _reader()


def _blocks(tokens: Sequence[Token]) -> tuple[Node, ...]:
    """Return the tree of a flat list of tokens."""
    open_nodes: list[tuple[Node, list[Node]]] = [(Node(""), [])]
    for token in tokens:
        if token.nesting > 0:
            number = int(token.tag[1]) if token.type == "heading_open" else int(token.attrGet("start") or 1)
            open_nodes.append((Node(_OPENS[token.type], number=number), []))
        elif token.nesting < 0:
            node, children = open_nodes.pop()
            open_nodes[-1][1].extend(_finished(replace(node, children=tuple(children))))
        else:
            open_nodes[-1][1].extend(_inlines(token.children or ()))
    return tuple(open_nodes[0][1])


def _finished(node: Node) -> Iterator[Node]:
    """Yield a block for display: pictures are moved between paragraphs, and an item of one line contains its text."""
    if node.kind == "paragraph":
        yield from _between_pictures(node)
    elif node.kind == "heading":
        yield replace(node, children=tuple(map(_in_words, node.children)))
    elif node.kind == "item" and [child.kind for child in node.children] == ["paragraph"]:
        yield replace(node, children=node.children[0].children)
    elif node.children:
        yield node


def _between_pictures(paragraph: Node) -> Iterator[Node]:
    words: list[Node] = []
    for child in (*paragraph.children, Node("picture")):
        if child.kind != "picture":
            words.append(child)
            continue
        if "".join(map(_words, words)).strip():
            yield Node("paragraph", tuple(words))
        words = []
        if child.address:
            yield child


def _inlines(tokens: Iterable[Token]) -> tuple[Node, ...]:
    """Return the tree of one line's tokens. Markup deeper than NESTING is dropped, and its content is kept."""
    open_nodes: list[tuple[Node, list[Node]]] = [(Node(""), [])]
    for token in tokens:
        if token.nesting > 0:
            open_nodes.append((Node(_OPENS[token.type], address=_address(str(token.attrGet("href") or ""))), []))
        elif token.nesting < 0:
            node, children = open_nodes.pop()
            is_kept = len(open_nodes) <= NESTING and (node.kind != "link" or node.address)
            shown = tuple(map(_in_words, children))
            open_nodes[-1][1].extend([replace(node, children=shown)] if is_kept and shown else shown)
        elif token.type == "image":
            open_nodes[-1][1].append(_picture(token))
        else:
            in_link = any(node.kind == "link" for node, _ in open_nodes)
            open_nodes[-1][1].extend([Node("text", text=token.content)] if in_link else _linked(token.content))
    return tuple(open_nodes[0][1])


def _linked(text: str) -> Iterator[Node]:
    for piece in text_links(text):
        words = Node("text", text=piece.text)
        yield Node("link", (words,), address=piece.address) if piece.address else words


def _picture(token: Token) -> Node:
    """Return a picture if it is on another site over https, otherwise its caption."""
    address, caption = str(token.attrGet("src") or ""), "".join(map(_words, _inlines(token.children or ())))
    if is_secure_picture_address(address):
        return Node("picture", text=caption, address=address)
    return Node("text", text=caption)


def _in_words(node: Node) -> Node:
    """Return a node for use within a line: a picture becomes its caption."""
    return Node("text", text=node.text) if node.kind == "picture" else node


def _address(href: str) -> str:
    """Return the target of a link to another site, a mailbox or a page of this site; empty for any other."""
    if href.lower().startswith("mailto:") or OWN_PATH.fullmatch(href):
        return href
    return link_of(href).address


def _ordered(nodes: Iterable[Node], above: list[int]) -> Iterator[Node]:
    """Yield the nodes with consecutive heading levels in place of the typed ones; `above` are the open ones."""
    for node in nodes:
        if node.kind != "heading":
            yield replace(node, children=tuple(_ordered(node.children, above))) if node.kind in _HOLDERS else node
            continue
        while above and above[-1] >= node.number:
            above.pop()
        above.append(node.number)
        if node.children:
            yield replace(node, number=min(len(above) + 1, _LOWEST))


_HOLDERS = frozenset(["bullets", "numbers", "item", "quote"])
