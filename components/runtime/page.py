"""Pages: what `load` gets (`PageRequest`) and returns (`Page`), complete before anything is rendered.

def load(request: PageRequest) -> Page:
session = session_get(session_id=request.int_param("id"))
return Page(
title=session.title,
description=session.description,
component=session_page,
parts={"head": session_head(session.id, language=request.language)},   # page.parts["head"]
slots=(rating_slots(session_id=session.id, language=request.language), author_slots()),
topics=(f"session.{session.id}",),
)
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NoReturn

from apps.accounts.actors import Viewer
from apps.core.events import topics_check
from apps.core.limits import SEARCH_LENGTH
from apps.core.texts import Texts, texts
from components.runtime.form import Form
from components.runtime.markup import Component
from components.runtime.rendering.covers import Cover
from components.runtime.rendering.page_slots import SlotQuery, fills_read
from components.runtime.rendering.parts import Ref, refs_of
from components.runtime.rendering.slots import Fills

DIGITS = 9  # of an id or a page's number in an address
Params = Mapping[str, str]
Query = Mapping[str, str]
Parts = Mapping[str, Ref]


class PageInvalid(ValueError):
    """A page contradicts itself; the message names the page, and the part, slot or topic."""


@dataclass(frozen=True, slots=True)
class PageRequest:
    """One request for a page."""

    params: Params = field(default_factory=dict)  # of the path
    query: Query = field(default_factory=dict)
    language: str = "en"
    form: Form = field(default_factory=Form)  # of a plain page: the posted form, or an empty one
    known_viewer: Viewer | None = None  # None for a public page; read `viewer` instead

    @property
    def viewer(self) -> Viewer:
        """The viewer; raises PageInvalid on a public page, because all viewers share the page that `load` returns."""
        if self.known_viewer is None:
            raise PageInvalid(
                "viewers share the page that the load of a public page returns, so it cannot read the viewer: "
                "read use_viewer() in the component, or fill slots"
            )
        return self.known_viewer

    @property
    def t(self) -> Texts:
        """The texts of the request's language."""
        return texts(self.language)

    def int_param(self, name: str) -> int:
        """Return a number of the path, such as the id in `/sessions/{id}`."""
        return int(self.params[name])

    def page_number(self) -> int:
        """Return the number of the list's page that the address names (`page`), or 1."""
        return number_of(self.query)

    def search_text(self) -> str:
        """Return the search that the address names (`q`), without spaces around it and at most SEARCH_LENGTH long."""
        return self.query.get("q", "").strip()[:SEARCH_LENGTH]


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
    parts: Parts = field(default_factory=dict)  # by name
    frame_parts: Parts = field(default_factory=dict)  # of the frame around every page, by name
    topics: tuple[str, ...] = ()  # after a change of any of them the page is loaded again, also where it is open
    cache_topics: tuple[str, ...] = ()  # further topics: after a change the page cache loads it again; open pages stay
    slots: tuple[SlotQuery, ...] = ()  # what fills the slots of a viewer who is signed in, by feature
    fills: tuple[Fills, ...] = ()  # what each of `slots` returned; empty on a cached page
    status: int = 200
    refresh: Refresh | None = None
    redirect: str = ""  # the address of the page that is shown instead, for routes with `redirects`
    image: str = ""  # of a shared link; the site's image when empty
    scripts: tuple[str, ...] = ()  # modules that a plain page needs, such as "modules/passkeys.js"
    styles: tuple[str, ...] = ()  # style sheets that it needs besides that of every page, such as "session"
    canonical: str = ""  # the canonical path of the content, if it differs from `path`
    address: str = ""  # path and query, as the address bar shows them
    path: str = ""  # the page keeps its state while the path stays the same
    language: str = "en"
    sequence: int = 0  # the bus's, before the page was read

    @property
    def all_parts(self) -> tuple[Ref, ...]:
        """The shared parts of the page and of the frame around it."""
        return (*self.parts.values(), *self.frame_parts.values())

    @property
    def shown_parts(self) -> tuple[Ref, ...]:
        """The same, and those that fill this viewer's slots."""
        return (*self.all_parts, *refs_of(self.all_fills))

    @property
    def all_fills(self) -> Fills:
        """What fills the slots of this viewer, of all features together."""
        return {name: fill for fills in self.fills for name, fill in fills.items()}

    @property
    def cover(self) -> Cover:
        """What is withheld from this viewer."""
        return Cover.of(self.all_fills)

    def at(self, path: str) -> "Page":
        """Return the page as the page at `path`, which its errors name.

        Raises TopicUnknown for a topic of the page, of its parts or of its slot queries that no event publishes.
        """
        where = f"the page {path}"
        topics_check((*self.topics, *self.cache_topics), where=where)
        for name, ref in self.parts.items():
            topics_check(ref.topics, where=f"{where}, its part {name!r}")
        for query in self.slots:
            topics_check(query.topics, where=f"{where}, its slots {query.read.__name__}")
        return replace(self, path=path, parts=_NamedParts(path, self.parts))


class _NamedParts(dict[str, Ref]):
    """The parts of one page by name; a name that the page does not have is refused with a sentence."""

    def __init__(self, path: str, parts: Parts) -> None:
        super().__init__(parts)
        self.path = path

    def __missing__(self, name: str) -> NoReturn:
        raise PageInvalid(f"the page {self.path} has no part named {name!r}; its parts: {', '.join(self) or 'none'}")


def joined(*groups: Parts) -> Parts:
    """Return the parts of several helpers as those of one page; raises PageInvalid for two parts with one name."""
    parts: dict[str, Ref] = {}
    for group in groups:
        for name, ref in group.items():
            if name in parts:
                raise PageInvalid(f"two parts are named {name!r}: {parts[name].key} and {ref.key}")
            parts[name] = ref
    return parts


def filled(page: Page, viewer: Viewer) -> Page:
    """Return the page with what fills the slots of this viewer; raises PageInvalid for a slot filled by two features.

    Slots with one name ("author:7", "author:8") belong to one feature.
    """
    if not viewer.is_signed_in:
        return page
    fills = tuple(fills_read(query=each, viewer=viewer) for each in page.slots)
    owners: dict[str, str] = {}
    for query, found in zip(page.slots, fills, strict=True):
        for name in {slot.partition(":")[0] for slot in found}:
            if name in owners:
                both = f"{owners[name]} and {query.read.__name__}"
                raise PageInvalid(f"two features fill the slot {name!r} of the page {page.path}: {both}")
            owners[name] = query.read.__name__
    return replace(page, fills=fills)


@dataclass(frozen=True, slots=True)
class Redirect:
    """What `find` returns instead of a page: the address to go to. `is_unknown`: no page has the path."""

    to: str
    is_unknown: bool = False


def number_of(query: Query, name: str = "page", otherwise: int = 1) -> int:
    """Return a whole number above 0 out of the address, or `otherwise`."""
    text = query.get(name, "")
    readable = text.isascii() and text.isdecimal() and len(text) <= DIGITS
    return (int(text) or otherwise) if readable else otherwise
