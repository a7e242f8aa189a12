"""Pages: the frozen results of `load`, complete before anything is rendered."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from components.markup import Component
from components.rendering.page_slots import SlotQuery
from components.rendering.parts import Ref
from components.rendering.slots import Fills
from components.ui.blocks import Links

DIGITS = 9  # of an id or a page's number in an address
Params = Mapping[str, str]
Query = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Refresh:
    """Where the browser goes from a plain page by itself (the header Refresh), after how many seconds."""

    to: str
    seconds: int


@dataclass(frozen=True, slots=True)
class Page:
    """One page for one viewer: head, data and shared parts."""

    title: str = field(default="", kw_only=True)  # the table's name for it when empty
    description: str
    component: Callable[["Page"], Component]
    data: Any = None
    parts: tuple[Ref, ...] = ()
    frame_parts: tuple[Ref, ...] = ()  # of the frame around every page
    topics: tuple[str, ...] = ()  # a change of any of them loads the page again
    cached_until: tuple[str, ...] = ()  # further topics: whoever comes after a change gets the page anew
    slot_query: SlotQuery | None = None  # what fills the slots of a viewer who is signed in
    fills: Fills = field(default_factory=dict)  # what `slot_query` returned; empty on a cached page
    status: int = 200
    refresh: Refresh | None = None
    image: str = ""  # of a shared link; the site's own when empty
    scripts: tuple[str, ...] = ()  # modules of ours that a plain page needs, such as "modules/passkeys.js"
    canonical: str = ""  # the one address of what it shows, where that is not the path
    address: str = ""  # path and query, as the address bar shows them
    path: str = ""  # a page whose path stays keeps its state
    language: str = "en"
    menu: Links = ()  # to the other administrators' pages
    sequence: int = 0  # the bus's, before the page was read

    @property
    def all_parts(self) -> tuple[Ref, ...]:
        """The shared parts of the page and of the frame around it."""
        return (*self.parts, *self.frame_parts)


@dataclass(frozen=True, slots=True)
class Redirect:
    """What `find` and `load` return instead of a page: the address that the browser goes to."""

    to: str


def number_of(query: Query, name: str = "page", otherwise: int = 1) -> int:
    """Return a whole number above 0 out of the address, or `otherwise`."""
    text = query.get(name, "")
    readable = text.isascii() and text.isdecimal() and len(text) <= DIGITS
    return (int(text) or otherwise) if readable else otherwise
