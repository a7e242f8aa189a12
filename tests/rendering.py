"""Single steps of rendering for tests: HTML of a model, reads of parts, and the browser's patches."""

import contextvars
from collections.abc import Sequence
from typing import Any

from components.runtime.rendering.live_part import LivePart, read_all
from components.runtime.rendering.parts import shared_reads
from components.runtime.rendering.serializer import Model, pieces, pieces_join
from components.runtime.rendering.slots import Fills
from components.runtime.rendering.tree import Change

WHOLE = 3  # values of a whole part in a message


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


def named(content: Sequence[Any]) -> dict[str, Any]:
    """Return the content or change of a part in a message (`LivePart.full`, `Renewal.change`) with names."""
    names = ("key", "to", "model") if len(content) == WHOLE else ("key", "to", "change", "from")
    return dict(zip(names, content, strict=True))


def patch(node: Any, change: Change) -> Any:
    """Return `node` after a part's change, as the browser applies it."""
    if not isinstance(change, list):
        return change
    if isinstance(node, str):
        units = node.encode("utf-16-le")
        return (units[: 2 * change[0]] + change[1].encode("utf-16-le") + units[len(units) - 2 * change[2] :]).decode(
            "utf-16-le"
        )
    children, attributes, removed = change + [{}, {}, []][len(change) :]
    old = node.get("children", [])
    if isinstance(children, list):
        made = [each for piece in children for each in _made(old, piece)]
    else:
        made = [
            patch(child, children[str(place)]) if str(place) in children else child for place, child in enumerate(old)
        ]
    before = node.get("attributes", {})
    given = {name: value for name, value in before.items() if name not in removed}
    names = dict(zip(map(str, range(len(before))), sorted(before), strict=True))
    given |= {
        names.get(place, place): patch(before.get(names.get(place, place)), value)
        for place, value in attributes.items()
    }
    others = {name: value for name, value in node.items() if name not in ("attributes", "children")}
    return others | ({"attributes": given} if given else {}) | ({"children": made} if made else {})


def _made(old: list[Any], piece: Any) -> list[Any]:
    """Return the children that a piece of a change stands for."""
    if not isinstance(piece, list):
        return [piece]
    place, more = piece
    return [patch(old[place], more)] if isinstance(more, list) else old[place:more]


def update(node: Any, path: str, model: Any) -> Any:
    """Return `node` with `model` at this path, as the browser applies an update of a layout."""
    if not path:
        return model
    _, step, *rest = path.split("/")
    copy = node.copy()
    place = int(step) if isinstance(node, list) else step
    copy[place] = update(node[place], "".join(f"/{each}" for each in rest), model)
    return copy
