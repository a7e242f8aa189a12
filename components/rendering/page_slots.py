"""What fills the slots of a page, for one viewer who is signed in.

It is read apart from the page, which is the same for everybody, and goes into no cache and no part. The first HTML has
the slots filled; from then on the mapping is one node of this viewer's layout, which a live query keeps current. A page
may have more such nodes: each opened part is one.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import orjson

from apps.accounts.actors import Viewer
from components.markup import Vdom
from components.rendering.slots import Fill, Fills

PAGE_SLOTS = Vdom("page-slots")
MOST, LONGEST = 1000, 100_000  # slots, and bytes of what is in them, that one page fills
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SlotQuery:
    """The read that fills a page's slots for one viewer, and the topics that change what it returns."""

    read: Callable[..., Fills]
    topics: tuple[str, ...]  # "{id}" in them stands for the viewer's
    arguments: tuple[tuple[str, Any], ...]

    def topics_of(self, viewer: Viewer) -> tuple[str, ...]:
        """Return the topics of this viewer."""
        return tuple(topic.format(id=viewer.id) for topic in self.topics)


def slot_query(read: Callable[..., Fills], *topics: str, **arguments: Any) -> SlotQuery:
    """Have `read(viewer=…, language=…, **arguments)` fill a page's slots, again whenever one of `topics` changes."""
    return SlotQuery(read, topics, tuple(sorted(arguments.items())))


def fills_in(model: Any) -> Fills:
    """Return what fills the slots of a page's model: all its nodes of that kind together."""
    if not isinstance(model, dict):
        return {}
    if model["tagName"] == "page-slots":
        fills: Fills = model["attributes"]["fills"]
        return fills
    found: dict[str, Fill] = {}
    for child in model.get("children", ()):
        found.update(fills_in(child))
    return found


def fills_read(*, query: SlotQuery, viewer: Viewer, language: str) -> Fills:
    """Return what fills the slots of this viewer: at most MOST, at most LONGEST bytes; what is too much is left out."""
    found: dict[str, Fill] = {}
    size = 0
    for name, each in query.read(viewer=viewer, language=language, **dict(query.arguments)).items():
        size += len(name) + len(orjson.dumps(each))
        if len(found) == MOST or size > LONGEST:
            log.error("%s fills too many slots: those from %s on stay empty", query.read.__name__, name)
            break
        found[name] = each
    return found
