"""Answers of the last minute, which each process keeps, so that the same letters cost no search."""

from collections import OrderedDict
from dataclasses import dataclass
from datetime import datetime
from threading import Lock
from time import monotonic

from django.db import connection

from apps.search.limits import KEPT_FOR, KEPT_MOST
from apps.search.results import Group

Key = tuple[str, bool, str, int]

# An entry with a time from before the newest one may have been committed since, so those of the answer are compared.
_CURRENT = """
SELECT (SELECT max(changed_at) FROM search_entries), (
    SELECT count(*) FROM search_entries AS entry
    JOIN unnest(%s::bigint[], %s::timestamptz[]) AS kept (id, changed_at)
        ON kept.id = entry.id AND kept.changed_at = entry.changed_at
    WHERE entry.id = ANY(%s) AND (entry.is_public OR %s)
)
"""


@dataclass(frozen=True, slots=True)
class Kept:
    """An answer, the time of the newest entry when it was made, and its entries with their times.

    `is_named`: a hit was found by its name.
    """

    groups: tuple[Group, ...]
    corrected: str
    stamp: datetime | None
    entries: tuple[tuple[int, datetime], ...]
    is_administrator: bool
    is_named: bool


_answers: OrderedDict[Key, tuple[float, Kept]] = OrderedDict()
_lock = Lock()


def answer_kept(key: Key) -> Kept | None:
    """Return the kept answer if it is of the last minute and nothing has changed since. One query, by primary key."""
    with _lock:
        kept_at, kept = _answers.get(key, (0.0, None))
    if kept is None or monotonic() - kept_at > KEPT_FOR.total_seconds():
        return None
    ids = [pk for pk, _ in kept.entries]
    with connection.cursor() as cursor:
        cursor.execute(_CURRENT, [ids, [at for _, at in kept.entries], ids, kept.is_administrator])
        stamp, current = cursor.fetchone()
    return kept if (stamp, current) == (kept.stamp, len(ids)) else None


def answer_keep(key: Key, kept: Kept) -> None:
    """Keep an answer; the oldest one goes when there are KEPT_MOST."""
    with _lock:
        _answers[key] = (monotonic(), kept)
        _answers.move_to_end(key)
        while len(_answers) > KEPT_MOST:
            _answers.popitem(last=False)


def answers_forget() -> None:
    """Forget all answers."""
    with _lock:
        _answers.clear()
