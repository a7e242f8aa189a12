"""Writes of the search: entries in the transaction that writes their objects, and the comparison of all of them."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from django.db import connection, transaction

from apps.core.events import Event
from apps.search.entries import names_folded, title_of, vector_of
from apps.search.enums import Kind
from apps.search.limits import ENTRIES_AT_ONCE, ENTRIES_COMPARED
from apps.search.models import SearchEntry
from apps.search.registry import Document, Searchable, searchables

_COLUMNS = ("is_public", "weight", "title", "detail", "text", "folded", "words")
_GIVEN = """unnest(
    %s::bigint[], %s::boolean[], %s::bigint[], %s::text[], %s::text[], %s::text[], %s::text[], %s::text[]
) AS given (object_id, is_public, weight, title, detail, text, folded, words)"""
_WRITE = f"""
INSERT INTO search_entries (kind, object_id, {", ".join(_COLUMNS)}, changed_at)
SELECT %s, object_id, is_public, weight, title, detail, text, folded, words::tsvector, clock_timestamp()
FROM {_GIVEN}
ORDER BY object_id
ON CONFLICT (kind, object_id) DO UPDATE
SET {", ".join(f"{name} = EXCLUDED.{name}" for name in _COLUMNS)}, changed_at = EXCLUDED.changed_at
WHERE ({", ".join(f"search_entries.{name}" for name in _COLUMNS)})
    IS DISTINCT FROM ({", ".join(f"EXCLUDED.{name}" for name in _COLUMNS)})
"""  # noqa: S608 - our own columns
_DIFFERENT = f"""
SELECT object_id FROM search_entries AS entry JOIN {_GIVEN} USING (object_id)
WHERE entry.kind = %s AND ({", ".join(f"entry.{name}" for name in _COLUMNS[:-1])}, entry.words)
    IS DISTINCT FROM ({", ".join(f"given.{name}" for name in _COLUMNS[:-1])}, given.words::tsvector)
"""  # noqa: S608 - as above
_EXCLUSIVE_LOCK = "SELECT pg_advisory_xact_lock(hashtext(%s))"
_SHARED_LOCK = "SELECT pg_advisory_xact_lock_shared(hashtext(%s))"
_REPAIR = "LOCK TABLE search_entries IN SHARE ROW EXCLUSIVE MODE"


def event_write(event: Event) -> None:
    """Write the entries of the objects that an event changed, in its transaction.

    An entry that shows rows of other tables is read behind a lock: otherwise one transaction would write the other's
    former values.
    """
    for each in searchables():
        ids, others = each.events.get(type(event)), each.others.get(type(event))
        if ids is None and others is None:
            continue
        if each.others:
            with connection.cursor() as cursor:
                cursor.execute(_SHARED_LOCK if others is None else _EXCLUSIVE_LOCK, [f"parterre search {each.kind}"])
        concerned = {*(ids(event) if ids else ()), *(others(event) if others else ())}
        _entries_write(each, concerned)


def _entries_write(searchable: Searchable, ids: Collection[int]) -> None:
    """Write the entries of these objects of one kind, and delete those of objects that do not exist."""
    for batch in _batches(ids, ENTRIES_AT_ONCE):
        documents = sorted(searchable.documents(batch), key=lambda each: each.object_id)
        gone = sorted(set(batch) - {each.object_id for each in documents})
        with connection.cursor() as cursor:
            if documents:
                cursor.execute(_WRITE, [searchable.kind.value, *_given(searchable.kind, documents)])
            if gone:
                SearchEntry.objects.filter(kind=searchable.kind.value, object_id__in=gone).delete()


def _given(kind: Kind, documents: Collection[Document]) -> Iterator[list[object]]:
    """Yield the values of each column."""
    yield [each.object_id for each in documents]
    yield [each.is_public for each in documents]
    yield [each.weight for each in documents]
    yield [title_of(each) for each in documents]
    yield [each.detail for each in documents]
    yield [each.text for each in documents]
    yield [names_folded(each) for each in documents]
    yield [vector_of(kind, each) for each in documents]


@dataclass(frozen=True, slots=True)
class Repaired:
    """How many entries of a kind were missing, different from their object, or without an object."""

    kind: Kind
    objects: int
    missing: int
    different: int
    superfluous: int


def entries_rebuild() -> tuple[Repaired, ...]:
    """Compare all objects with their entries, repair what differs, and return the counts by kind."""
    return tuple(_rebuild(each) for each in searchables())


def entries_complete() -> tuple[Repaired, ...]:
    """Repair the kinds that have fewer or more entries than objects, as after an update, and return their counts."""
    return tuple(_rebuild(each) for each in searchables() if not _is_complete(each))


def _is_complete(searchable: Searchable) -> bool:
    return sum(1 for _ in searchable.ids()) == SearchEntry.objects.filter(kind=searchable.kind.value).count()


def _rebuild(searchable: Searchable) -> Repaired:
    kind = searchable.kind.value
    ids, missing, different = set(searchable.ids()), 0, 0
    for batch in _batches(ids, ENTRIES_COMPARED):
        stored = set(SearchEntry.objects.filter(kind=kind, object_id__in=batch).values_list("object_id", flat=True))
        documents = list(searchable.documents(batch))
        absent = {each.object_id for each in documents} - stored
        with connection.cursor() as cursor:
            cursor.execute(_DIFFERENT, [*_given(searchable.kind, documents), kind])
            others = {pk for (pk,) in cursor.fetchall()}
        missing, different = missing + len(absent), different + len(others)
        _repair(searchable, absent | others)
    entries = SearchEntry.objects.filter(kind=kind).order_by("object_id").values_list("object_id", flat=True)
    superfluous = set(entries.iterator(chunk_size=10_000)) - ids
    # an object may have been added since
    superfluous -= {
        each.object_id for batch in _batches(superfluous, ENTRIES_COMPARED) for each in searchable.documents(batch)
    }
    _repair(searchable, superfluous)
    return Repaired(searchable.kind, len(ids), missing, different, len(superfluous))


def _batches(ids: Iterable[int], size: int) -> Iterator[list[int]]:
    """Yield these ids in their order, `size` at a time."""
    ordered = iter(sorted(ids))
    while batch := list(islice(ordered, size)):
        yield batch


def _repair(searchable: Searchable, ids: Collection[int]) -> None:
    """Write these entries, beside no other write: it waits for those that have written and not committed."""
    for batch in _batches(ids, ENTRIES_COMPARED):
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute(_REPAIR)
            _entries_write(searchable, batch)
