"""Queries on rendered markup: its text, its elements, and a whole page with its parts inserted."""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, cast

from apps.accounts.actors import ANONYMOUS, Viewer
from components.parts.covered_texts import EVERYTHING, TextsPart
from components.parts.notifications import notification_fills
from components.routes import Target, find
from components.runtime.hooks import PageViewConnection
from components.runtime.page import Page, filled
from components.runtime.rendering.layout import HookConnection, first_model
from components.runtime.rendering.live_part import LivePart
from components.runtime.rendering.page_slots import fills_in
from components.runtime.rendering.parts import PublicPart, Ref, refs_of
from components.runtime.rendering.slots import SLOT, Fills, fill_of, slot_fill
from components.runtime.rendering.tree import plain_tree
from components.site import site
from tests.reading import walk
from tests.rendering import renew_all, to_html

Node = Any


def tree(markup: Any) -> Node:
    """Return markup as the plain tree that the browser gets."""
    return plain_tree(markup)


def read_part(part: PublicPart | TextsPart, *parameters: str | int) -> Node:
    """Return the markup of a part in English as a plain tree; of a list of texts as it is without covered ones."""
    if isinstance(part, TextsPart):
        return read_part(cast("PublicPart", part.of_sight), *parameters, EVERYTHING)
    return tree(part.markup(*parameters, language="en"))


def attributes(node: Node) -> dict[str, Any]:
    return node.get("attributes") or {}


def classes(node: Node) -> list[str]:
    return attributes(node).get("class", "").split()


def every(node: Node, tag: str = "", look: str = "", **named: Any) -> list[dict[str, Any]]:
    """Return the elements with this tag, class and attributes (`aria_label` means aria-label)."""
    required = {name.replace("_", "-"): value for name, value in named.items()}
    return [
        element
        for element in walk(node)
        if (not tag or element["tagName"] == tag)
        and (not look or look in classes(element))
        and required.items() <= attributes(element).items()
    ]


def one(node: Node, tag: str = "", look: str = "", **named: Any) -> dict[str, Any]:
    """Return the only element with this tag, class and attributes."""
    [element] = every(node, tag, look, **named)
    return element


def text(node: Node) -> str:
    """Return the text of a tree, with no-break spaces as plain ones."""
    if isinstance(node, str):
        return node.replace("\u00a0", " ")
    return "".join(text(child) for child in node.get("children", ()))


def name(node: Node) -> str:
    """Return the accessible name of a link or a button."""
    return attributes(node).get("aria-label") or " ".join(text(node).split())


@dataclass(frozen=True, slots=True)
class Seen:
    """A rendered page, its model with all parts inserted, and its live parts."""

    page: Page
    model: Node
    parts: dict[str, LivePart]

    @property
    def main(self) -> Node:
        return one(self.model, "main")

    @property
    def html(self) -> str:
        return to_html(self.model)


def loaded(address: str, viewer: Viewer = ANONYMOUS) -> tuple[Page, dict[str, LivePart]]:
    """Return the page at `address` and its parts after their reads.

    This runs all queries of a page view but the one of the frame (tests/components/parts/test_notifications.py).
    """
    target = find(address, viewer)
    assert isinstance(target, Target), f"{address} leads to {target}"
    page = target.load(viewer, "en")
    slots = tuple(query for query in page.slots if query.read is not notification_fills)
    page = filled(replace(page, slots=slots), viewer)
    parts: dict[str, LivePart] = {}
    refs = {ref.key: ref for ref in (*page.parts.values(), *refs_of(page.all_fills))}
    while refs:  # each round reads the inner parts of the round before
        read = _read(refs.values())
        parts |= read
        inner = (ref for part in read.values() for ref in part.refs_shown(page.cover))
        refs = {ref.key: ref for ref in inner if ref.key not in parts}
    return page, parts


def opened(address: str, viewer: Viewer = ANONYMOUS) -> Seen:
    """Return the page at `address` as `viewer` sees it. A query while rendering raises: it runs on an event loop."""
    return shown(*loaded(address, viewer), viewer)


def shown(page: Page, parts: dict[str, LivePart], viewer: Viewer = ANONYMOUS) -> Seen:
    """Return this loaded page inside the frame of every page."""
    connection = HookConnection({"type": "http"}, PageViewConnection(page, viewer))
    parts = parts | _read(page.frame_parts.values())  # read once a process, not by the page view
    model = asyncio.run(first_model(site(), connection))
    return Seen(page, _whole(model, parts, {**page.all_fills, **fills_in(model)}), parts)


def _read(refs: Iterable[Ref]) -> dict[str, LivePart]:
    parts = {ref.key: LivePart(ref) for ref in refs}
    assert not [result for result in renew_all(tuple(parts.values())) if isinstance(result, Exception)]
    return parts


def _whole(node: Node, parts: dict[str, LivePart], fills: Fills) -> Node:
    if not isinstance(node, dict):
        return node
    if node["tagName"] == "shared-part":
        return _whole(parts[node["attributes"]["part"]].model, parts, fills)
    if name := attributes(node).get(SLOT):
        node = slot_fill(node, fill_of(fills, name))
    return node | {"children": [_whole(child, parts, fills) for child in node.get("children", ())]}
