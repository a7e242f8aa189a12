"""Single steps of rendering for tests: HTML of a model, reads of parts, and the browser's patches."""

import contextvars
from collections.abc import Sequence
from typing import Any

from components.runtime.rendering.live_part import LivePart, read_all
from components.runtime.rendering.parts import shared_reads
from components.runtime.rendering.serializer import Model, pieces, pieces_join
from components.runtime.rendering.slots import Fills
from components.runtime.rendering.tree import Operation


def to_html(model: Model | str, fills: Fills | None = None) -> str:
    """Return the HTML of a model with these fills in its slots, without its shared parts."""
    return pieces_join(pieces(model), fills or {}, lambda _: ())


def renew(live: LivePart) -> bytes:
    """Read and render this part in an empty context. Return its frame; exceptions propagate."""

    def work() -> bytes:
        with shared_reads():
            return live.renew()

    return contextvars.Context().run(work)


def renew_all(lives: Sequence[LivePart]) -> list[bytes | Exception]:
    """Read these parts together, as a process does. Return the frame or the exception of each."""
    found = zip(lives, read_all(lives), strict=True)
    return [read if isinstance(read, Exception) else live.take(read) for live, read in found]


def key_of(node: Any) -> str | None:
    """Return the key of a node, or None."""
    return None if isinstance(node, str) else node.get("attributes", {}).get("key")


def patch(node: Any, operation: Operation) -> Any:
    """Return `node` after one operation, as the browser applies it."""
    kind, path, *value = operation
    return _at(node, path.split("/")[1:], kind, value)


def _at(node: Any, steps: list[str], kind: str, value: list[Any]) -> Any:
    if steps:
        step = int(steps[0]) if isinstance(node, list) else steps[0]
        copy = node.copy()
        copy[step] = _at(node[step], steps[1:], kind, value)
        return copy
    if kind == "set":
        return value[0]
    if kind == "rows":
        known = {key_of(child): child for child in node["children"]} | value[1]
        value = [[known[key] for key in value[0]]]
    name = "attributes" if kind == "attributes" else "children"
    without = {k: v for k, v in node.items() if k != name}
    return without | {name: value[0]} if value[0] else without
