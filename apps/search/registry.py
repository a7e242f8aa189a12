"""What can be found. An app registers its objects in its `AppConfig.ready`; the search imports none of these apps."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from apps.search.enums import Kind


@dataclass(frozen=True, slots=True)
class Document:
    """What is found of one object: title and second line as shown, other names of it, and its text.

    The words of the title and of `names` are more certain than those of `detail` and `text`; with `is_untitled` the
    title is only the beginning of the text. Of equally certain hits, the one with the higher weight is the first.
    """

    object_id: int
    title: str
    detail: str = ""
    text: str = ""
    names: tuple[str, ...] = ()
    is_public: bool = True
    is_untitled: bool = False
    weight: int = 0


Ids = Callable[[Any], Collection[int]]


@dataclass(frozen=True, slots=True)
class Searchable:
    """One kind of objects.

    `documents` returns those of these ids that exist. `ids` returns the ids of all objects. `events` are the events
    after which objects are written, each with a function that returns their ids; it runs behind the lock.
    `columns` are the text columns that are found, as "table.column".

    The entries of a kind with `others` also show rows of other tables (the stage of a session): their events are
    written one transaction at a time, beside no other writes of the kind.
    """

    kind: Kind
    columns: tuple[str, ...]
    ids: Callable[[], Iterable[int]]
    documents: Callable[[Collection[int]], Iterable[Document]]
    events: Mapping[type, Ids]
    others: Mapping[type, Ids] = field(default_factory=dict)


_kinds: dict[Kind, Searchable] = {}


def register(searchable: Searchable) -> None:
    """Register a kind of objects."""
    _kinds[searchable.kind] = searchable


def searchables() -> tuple[Searchable, ...]:
    """Return all kinds, in the order of `Kind`: locks are taken in this order."""
    return tuple(_kinds[kind] for kind in Kind if kind in _kinds)
