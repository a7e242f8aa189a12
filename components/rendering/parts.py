"""Declaring shared parts: public pieces of pages that are read and rendered once for everybody.

    @public_part(topics=lambda session_id: (f"session.{session_id}",))
    def session_order(session_id: int, *, language: str) -> VdomDict: ...

    ref = session_order(7, language="en")     # what a page lists in `Page.parts`
    shared_part(ref)                                # where it stands, in the page's markup or in that of another part
    page_event("watch", entry.id)                 # attributes of a link or button inside it
    page_events({"watch": on_watch})              # the page's handlers

A part belongs to nobody: no viewer, no hook, no handler exists while it renders, so what it returns may go to all. What
is one viewer's in it fills slots (`slots.py`).

A part may hold parts that were declared before it, so none holds itself. It names them; their content, versions and
changes are their own, and whoever shows the outer one follows them for as long as it names them.
"""

from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar
from urllib.parse import quote

from components.markup import Vdom, VdomDict
from components.rendering.tree import PART, Node, NotPublic

SHARED_PART, PAGE_EVENTS = Vdom(PART), Vdom("page-events")
MOST_INNER_PARTS = 100  # parts that one holds
DEFAULT_AVATARS = "default_avatars"  # the topic
REGISTERED: dict[str, "PublicPart"] = {}
Data = TypeVar("Data")
_reads: ContextVar[dict[Any, Any] | None] = ContextVar("reads of parts that are made together", default=None)


@contextmanager
def shared_reads() -> Iterator[None]:
    """While this lasts, equal calls of `read_once` share one read."""
    token = _reads.set({})
    try:
        yield
    finally:
        _reads.reset(token)


def read_once(read: Callable[..., Data], **arguments: str | int) -> Data:
    """Return what `read(**arguments)` returns; parts that are renewed together share one read of the same arguments."""
    known = _reads.get()
    if known is None:
        return read(**arguments)
    key = (read, *sorted(arguments.items()))
    if key not in known:
        known[key] = read(**arguments)
    found: Data = known[key]
    return found


def read_together(read: Callable[[tuple[Any, ...]], Mapping[Any, Data]], key: Any) -> Data | None:
    """Return what `read` returns for this key, or None; parts declared with `together=read` share one read of all."""
    known = (_reads.get() or {}).get(read)
    found: Mapping[Any, Data] = known if known is not None and key in known else read((key,))
    return found.get(key)


def read_ahead(refs: Iterable["Ref"]) -> None:
    """Read what these parts read together, for those that are rendered while `shared_reads` lasts."""
    keys: dict[Any, list[Any]] = {}
    for ref in refs:
        if ref.part.together is not None:
            keys.setdefault(ref.part.together, []).append(ref.parameters[0])
    known = _reads.get()
    for read, wanted in keys.items():
        if known is not None and len(wanted) > 1:
            known[read] = {**dict.fromkeys(wanted), **read(tuple(dict.fromkeys(wanted)))}


class PartKey(str):
    """A part's key that knows which part it is of: markup holds keys, and a part must find those it holds."""

    __slots__ = ("ref",)
    ref: "Ref"

    @classmethod
    def of(cls, ref: "Ref") -> "PartKey":
        """Return the key of this part."""
        key = cls(ref.key)
        key.ref = ref
        return key


def refs_in(model: Node, holder: "PublicPart") -> tuple["Ref", ...]:
    """Return the parts that the model of `holder` names, each once; raises NotPublic for those that it may not hold."""
    found: dict[str, Ref] = {}
    _collect(model, found)
    if len(found) > MOST_INNER_PARTS:
        raise NotPublic(f"it holds {len(found)} parts; the most are {MOST_INNER_PARTS}")
    for ref in found.values():
        if ref.part.number >= holder.number:
            raise NotPublic(f"it holds {ref.part.name}, which is declared after it: parts would hold each other")
    return tuple(found.values())


def _collect(node: Node, found: "dict[str, Ref]") -> None:
    if isinstance(node, str):
        return
    if node["tagName"] == PART:
        key = node["attributes"]["part"]
        found[key] = key.ref
    for child in node.get("children", ()):
        _collect(child, found)


@dataclass(frozen=True, slots=True)
class Ref:
    """One part with its parameters and language: what a page says it shows."""

    part: "PublicPart"
    parameters: tuple[str | int, ...]
    language: str
    key: str = field(init=False, compare=False)  # its name in the browser and in frames; equal in every process

    def __post_init__(self) -> None:
        key = ":".join([self.part.name, *(quote(str(value), safe="") for value in self.parameters), self.language])
        object.__setattr__(self, "key", key)  # once: every socket that comes asks for those of its page

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics whose change makes the part be read again; those without a picture may stand in any part."""
        return (*self.part.topics(*self.parameters), DEFAULT_AVATARS)


@dataclass(frozen=True, slots=True)
class PublicPart:
    """A registered part: its markup function and the topics that change it."""

    name: str
    markup: Callable[..., Any]
    topics: Callable[..., Iterable[str]]
    every: float = 0.0  # seconds that pass at least between two readings, however often its topics change
    together: Callable[[tuple[Any, ...]], Mapping[Any, Any]] | None = None  # reads for many, by their first parameter
    outcome: bool = False  # whether it tells how something ended: who advanced, who was ranked where
    number: int = field(default_factory=lambda: len(REGISTERED))  # in the order of declaration

    def __call__(self, *parameters: str | int, language: str) -> Ref:
        """Refer to the part with these parameters; raises NotPublic for anything but texts and whole numbers."""
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
    """Declare a function of plain parameters (and `language`) as a part that is the same for everybody.

    With `every`, changes that follow each other faster than that many seconds are shown together. A part that grows old
    by itself has `{"data-refresh-after": 5}` on its element: it is read again after five seconds while shown.
    Rows of one list that are parts each have `together=read`, and call `read_together(read, id)`: those that are made
    at once, such as a page of the list, cost one read.
    With `outcome` the part tells how something ended, so that whoever wants no spoilers can be spared it.
    """

    def register(markup: Callable[..., Any]) -> PublicPart:
        if markup.__name__ in REGISTERED:
            raise NotPublic(f"two shared parts are called {markup.__name__}; keys would mix them up")
        part = REGISTERED[markup.__name__] = PublicPart(markup.__name__, markup, topics, every, together, outcome)
        return part

    return register


def page_event(name: str, argument: str | int) -> dict[str, str]:
    """Return attributes of an element that asks the page for one of its page events."""
    return {"data-page-event": name, "data-argument": str(argument)}


def shared_part(ref: Ref) -> VdomDict:
    """Return the element that stands for the part in a viewer's layout."""
    return SHARED_PART({"part": PartKey.of(ref)})


def page_events(handlers: Mapping[str, Callable[[str], Awaitable[None]]]) -> VdomDict:
    """Register page events by name: each changes only what this window shows, however many rows name it.

    The argument comes from a stranger: handlers pass it to services and selectors that check it.
    """
    return PAGE_EVENTS({name: partial(_named, handler) for name, handler in handlers.items()})


async def _named(handler: Callable[[str], Awaitable[None]], *sent: Any) -> None:
    """Call a handler with the argument that was sent, and not at all without one."""
    match sent:
        case [str(argument)]:
            await handler(argument)
