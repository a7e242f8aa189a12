"""Read a page: the models in its HTML, and the elements, text and handlers of a tree."""

import json
import re
from collections.abc import Iterator
from html import unescape
from html.parser import HTMLParser
from typing import Any

VOID = frozenset("br hr img input link meta".split())
INLINE = frozenset(
    "a abbr b bdi button cite code data em i kbd label mark q s small span strong sub sup time u".split()
)
MODEL = re.compile(r'<script type="application/json" id="app-model">(.*?)</script>', re.DOTALL)
PART = re.compile(
    r'<script type="application/json" data-part="([^"]*)" data-version="([^"]*)">(.*?)</script>', re.DOTALL
)
Node = Any


def walk(node: Node) -> Iterator[dict[str, Any]]:
    """Yield every element, the outer before the inner."""
    pending = [node]
    while pending:
        found = pending.pop()
        if isinstance(found, dict):
            yield found
            pending.extend(reversed(found.get("children", ())))


def handlers_of(node: Node) -> list[tuple[str, str]]:
    """Return the element's handlers: name and target."""
    return [(name, handler["target"]) for name, handler in node.get("eventHandlers", {}).items()]


def name_of(node: Node) -> str:
    """Return the accessible name of a link or a button."""
    return node.get("attributes", {}).get("aria-label") or readable(node)


def readable(node: Node) -> str:
    """Return the text of a tree in one line, with spaces between blocks."""
    return " ".join(_words(node).split())


def _words(node: Node) -> str:
    if isinstance(node, str):
        return node
    if node.get("attributes", {}).get("aria-hidden") in (True, "true"):
        return ""
    inner = "".join(_words(child) for child in node.get("children", ()))
    return inner if node["tagName"] in INLINE or node["tagName"] == "" else f" {inner} "


class _Reader(HTMLParser):
    """A parser that builds the tree of a page's body."""

    def __init__(self) -> None:
        super().__init__()
        self.title = ""
        self.open: list[Node] = [{"tagName": "body", "attributes": {}, "children": []}]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        node: Node = {"tagName": tag, "attributes": {name: value or "" for name, value in attrs}, "children": []}
        self.open[-1]["children"].append(node)
        if tag not in VOID:
            self.open.append(node)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            self.open.pop()

    def handle_data(self, data: str) -> None:
        if self.open[-1]["tagName"] == "title":
            self.title = data
        elif self.open[-1]["tagName"] != "script":
            self.open[-1]["children"].append(data)


def document(html: str, path: str) -> Node:
    """Return the tree of an HTML-only page, with a navigation element as in live pages."""
    reader = _Reader()
    reader.feed(html)
    about = {"tagName": "page-navigation", "attributes": {"path": path, "title": reader.title}}
    return reader.open[0] | {"children": [about, *reader.open[0]["children"]]}


def embedded(html: str) -> tuple[Node, dict[str, tuple[str, Node]]] | None:
    """Return the model in a live page's HTML, and its parts' versions and models by key. None for HTML-only pages."""
    found = MODEL.search(html)
    if found is None:
        return None
    blocks = PART.findall(html)
    return json.loads(found[1]), {unescape(key): (version, json.loads(model)) for key, version, model in blocks}
