"""Declaring shared parts: public pieces of pages that are read and rendered once for all viewers.

    @public_part(topics=lambda session_id: (f"session.{session_id}",))
    def session_order(session_id: int, *, language: str) -> VdomDict: ...

    ref = session_order(7, language="en")     # what a page lists in `Page.parts`
    shared_part(ref)                                # its place in the markup of the page or of another part
    page_event("watch", entry.id)                 # attributes of a link or button inside it
    page_events({"watch": on_watch})              # the page's handlers

A part is public: it renders without a viewer, hooks and handlers, so its content may be sent to all viewers. One
viewer's values fill its slots (`slots.py`).

A part may contain parts that were declared before it, so that no part contains itself. Inner parts have their own
content, versions and changes. A socket that shows the outer part follows them while the outer part contains them.
"""

from collections.abc import Awaitable, Callable, Hashable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar
from urllib.parse import quote

from components.runtime.markup import Vdom, VdomDict
from components.runtime.rendering.covers import Around
from components.runtime.rendering.slots import SLOT, Fill, Fills, covered
from components.runtime.rendering.tree import PART, Node, NotPublic

SHARED_PART, PAGE_EVENTS = Vdom(PART), Vdom("page-events")
MOST_INNER_PARTS = 100  # parts inside one part
DEFAULT_AVATARS = "default_avatars"  # the topic
REGISTERED: dict[str, "PublicPart"] = {}
Data = TypeVar("Data")
_reads: ContextVar[dict[Any, Any] | None] = ContextVar("reads of parts that are made together", default=None)


@contextmanager
def shared_reads() -> Iterator[None]:
    """Let equal calls of `read_once` in this context share one read."""
    token = _reads.set({})
    try:
        yield
    finally:
        _reads.reset(token)


def read_once(read: Callable[..., Data], **arguments: Hashable) -> Data:
    """Return the result of `read(**arguments)`. Parts that are renewed together share one read of equal arguments."""
    known = _reads.get()
    if known is None:
        return read(**arguments)
    key = (read, *sorted(arguments.items()))
    if key not in known:
        known[key] = read(**arguments)
    found: Data = known[key]
    return found


def read_together(read: Callable[[tuple[Any, ...]], Mapping[Any, Data]], key: Any) -> Data | None:
    """Return the result of `read` for this key, or None. Parts declared with `together=read` share one read."""
    known = (_reads.get() or {}).get(read)
    found: Mapping[Any, Data] = known if known is not None and key in known else read((key,))
    return found.get(key)


def read_ahead(refs: Iterable["Ref"]) -> None:
    """Read the common data of these parts once, for the renders within the current `shared_reads`."""
    keys: dict[Any, list[Any]] = {}
    for ref in refs:
        if ref.part.together is not None:
            keys.setdefault(ref.part.together, []).append(ref.parameters[0])
    known = _reads.get()
    for read, wanted in keys.items():
        if known is not None and len(wanted) > 1:
            known[read] = {**dict.fromkeys(wanted), **read(tuple(dict.fromkeys(wanted)))}


class PartKey(str):
    """A part's key with its `Ref`. Markup contains keys, from which `refs_in` finds the inner parts."""

    __slots__ = ("ref",)
    ref: "Ref"

    @classmethod
    def of(cls, ref: "Ref") -> "PartKey":
        """Return the key of this part."""
        key = cls(ref.key)
        key.ref = ref
        return key


def refs_in(model: Node, holder: "PublicPart") -> tuple[tuple["Ref", ...], Around]:
    """Return the parts inside the model of `holder`, each once, and the slots around those that are only in slots.

    Raises NotPublic for parts that it must not contain.
    """
    found: dict[str, Ref] = {}
    places: dict[str, list[frozenset[str]]] = {}
    _collect(model, found, places, frozenset())
    if len(found) > MOST_INNER_PARTS:
        raise NotPublic(f"it holds {len(found)} parts; the most are {MOST_INNER_PARTS}")
    for ref in found.values():
        if ref.part.number >= holder.number:
            raise NotPublic(f"it holds {ref.part.name}, which is declared after it: parts would hold each other")
    return tuple(found.values()), {key: tuple(slots) for key, slots in places.items() if all(slots)}


def _collect(
    node: Node, found: "dict[str, Ref]", places: dict[str, list[frozenset[str]]], slots: frozenset[str]
) -> None:
    if isinstance(node, str):
        return
    attributes = node.get("attributes", {})
    if node["tagName"] == PART:
        key = attributes["part"]
        found[key] = key.ref
        places.setdefault(key, []).append(slots)
    elif SLOT in attributes:
        slots |= {attributes[SLOT]}
    for child in node.get("children", ()):
        _collect(child, found, places, slots)


@dataclass(frozen=True, slots=True)
class Ref:
    """A reference to one part with its parameters and language, as pages list them."""

    part: "PublicPart"
    parameters: tuple[str | int, ...]
    language: str
    key: str = field(init=False, compare=False)  # its name in the browser and in frames; equal in every process

    def __post_init__(self) -> None:
        key = ":".join([self.part.name, *(quote(str(value), safe="") for value in self.parameters), self.language])
        object.__setattr__(self, "key", key)  # computed once: every new socket needs the keys of its page

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics that cause a new read of the part. Any part may show people with default avatars."""
        return (*self.part.topics(*self.parameters), DEFAULT_AVATARS)


@dataclass(frozen=True, slots=True)
class PublicPart:
    """A registered part: its markup function and the topics that change it."""

    name: str
    markup: Callable[..., Any]
    topics: Callable[..., Iterable[str]]
    every: float = 0.0  # the seconds of each of which it is read at most once, however often its topics change
    together: Callable[[tuple[Any, ...]], Mapping[Any, Any]] | None = None  # reads for many, by their first parameter
    outcome: bool = False  # whether it shows an outcome: who advanced, who was ranked where
    number: int = field(default_factory=lambda: len(REGISTERED))  # in the order of declaration

    def __call__(self, *parameters: str | int, language: str) -> Ref:
        """Return a reference to the part with these parameters. Raises NotPublic unless all are texts or integers."""
        for value in parameters:
            if type(value) not in (str, int):
                raise NotPublic(
                    f"{self.name}: {value!r} is not a plain text or number; a shared part takes ids, "
                    "reads for itself, and never knows who looks"
                )
        return Ref(self, parameters, language)


def public_part(
    topics: Callable[..., Iterable[str]],
    *,
    every: float = 0.0,
    together: Callable[[tuple[Any, ...]], Mapping[Any, Any]] | None = None,
    outcome: bool = False,
) -> Callable[[Callable[..., Any]], PublicPart]:
    """Declare a function of plain parameters (and `language`) as a part that is the same for all viewers.

    With `every`, changes within that many seconds are shown together. A part that expires without a change has
    `{"data-refresh-after": 5}` on its element: it is read again after five seconds while shown.
    Parts that are rows of one list have `together=read` and call `read_together(read, id)`: the rows of one page then
    share one read.
    With `outcome` the part shows how something ended, so that it can be hidden from viewers who want no spoilers.
    """

    def register(markup: Callable[..., Any]) -> PublicPart:
        if markup.__name__ in REGISTERED:
            raise NotPublic(f"two shared parts are called {markup.__name__}; keys would mix them up")
        part = REGISTERED[markup.__name__] = PublicPart(markup.__name__, markup, topics, every, together, outcome)
        return part

    return register


def covered_by(ref: Ref) -> Fill:
    """Return the fill of a slot that withholds its inner parts from the viewer and shows this part in their place.

    Viewers with equal fills share the part. Only a slot query covers.
    """
    return {**covered(), "part": PartKey.of(ref)}


def part_fill(ref: Ref) -> Fill:
    """Return the fill of a slot that shows this part, which the page need not list.

    Viewers with equal fills share the part.
    """
    return {"part": PartKey.of(ref)}


def refs_of(fills: Fills) -> tuple[Ref, ...]:
    """Return the parts that these fills bring to the viewer's page (`covered_by`, `part_fill`)."""
    keys = (fill["part"] for fill in fills.values() if "part" in fill)
    return tuple(key.ref for key in keys if isinstance(key, PartKey))


def page_event(name: str, argument: str | int) -> dict[str, str]:
    """Return attributes of an element that sends one of the page's page events."""
    return {"data-page-event": name, "data-argument": str(argument)}


def shared_part(ref: Ref) -> VdomDict:
    """Return the placeholder element of the part in a viewer's layout."""
    return SHARED_PART({"part": PartKey.of(ref)})


def page_events(handlers: Mapping[str, Callable[[str], Awaitable[None]]]) -> VdomDict:
    """Register page events by name. Each changes only this window, and any number of rows may use it.

    The argument is untrusted input: handlers pass it to services and selectors, which check it.
    """
    return PAGE_EVENTS({name: partial(_named, handler) for name, handler in handlers.items()})


async def _named(handler: Callable[[str], Awaitable[None]], *sent: Any) -> None:
    """Call the handler with the text argument of an event; ignore an event without one."""
    match sent:
        case [str(argument)]:
            await handler(argument)
