"""Slot queries: each reads the values that one feature fills into a page's slots, for one signed-in viewer.

    def rating_slots(*, session_id: int, language: str) -> SlotQuery:
        return slot_query(rating_fills, topics=("account.<id>.ratings",), session_id=session_id, language=language)

    Page(..., slots=(rating_slots(session_id=7, language=request.language), author_slots()))

The fills are read separately from the page, which all viewers share, and enter no cache and no part. The first HTML
contains the filled slots, and no parts inside covered ones (`covers.py`). Afterwards the fills of each query are one
node of this viewer's layout. A live query reads them again when one of the query's topics changes; a query without
topics is read once. Opened parts add further nodes.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import orjson

from apps.accounts.actors import Viewer
from components.runtime.markup import Vdom, VdomDict
from components.runtime.rendering.slots import COVERED, Fill, Fills

PAGE_SLOTS = Vdom("page-slots")
# the most slots, and bytes in them, that one query fills: a session of 12 programs of 40 items, all marked, has 2,000
MOST, LONGEST = 2500, 250_000
ID = "<id>"  # in a slot query's topics: the viewer's id
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SlotQuery:
    """The read that fills the slots of one feature for one viewer, and the topics that change its result."""

    read: Callable[..., Fills]
    topics: tuple[str, ...]  # "<id>" in them is replaced by the viewer's id
    arguments: tuple[tuple[str, Any], ...]

    def topics_of(self, viewer: Viewer) -> tuple[str, ...]:
        """Return the topics of this viewer."""
        return tuple(topic.replace(ID, str(viewer.id)) for topic in self.topics)


def slot_query(read: Callable[..., Fills], *, topics: tuple[str, ...] = (), **arguments: Any) -> SlotQuery:
    """Return the query that fills slots with `read(viewer=…, **arguments)`."""
    return SlotQuery(read, topics, tuple(sorted(arguments.items())))


def fill_slots(fills: Fills) -> VdomDict:
    """Return the node of a page that fills its slots. Raises ValueError for a covered one: only a slot query covers."""
    if any(COVERED in each for each in fills.values()):
        raise ValueError(
            "only the fills of a slot query cover slots: what a window covers itself was already sent to it"
        )
    return query_slots(fills)


def query_slots(fills: Fills) -> VdomDict:
    """Return the node with the fills of a slot query."""
    return PAGE_SLOTS({"fills": fills})


def fills_in(model: Any) -> Fills:
    """Return the fills of all slot nodes in a page's model."""
    if not isinstance(model, dict):
        return {}
    if model["tagName"] == "page-slots":
        fills: Fills = model["attributes"]["fills"]
        return fills
    found: dict[str, Fill] = {}
    for child in model.get("children", ()):
        found.update(fills_in(child))
    return found


def fills_read(*, query: SlotQuery, viewer: Viewer) -> Fills:
    """Return the fills of one query for this viewer: at most MOST slots and LONGEST bytes; the rest stays empty.

    Covered slots come first, so that none of them is among the rest.
    """
    found: dict[str, Fill] = {}
    size = 0
    made = query.read(viewer=viewer, **dict(query.arguments)).items()
    for name, each in sorted(made, key=lambda named: COVERED not in named[1]):
        size += len(name) + len(orjson.dumps(each))
        if len(found) == MOST or size > LONGEST:
            log.error("%s fills too many slots: those from %s on stay empty", query.read.__name__, name)
            break
        found[name] = each
    return found
