"""The export of a session's or a stage's ratings as CSV, for the organiser's own archive.

One row a mark, of all submitted ratings, approved or not. An account that is closed has no username and no comment in
the file: its rows have only its number within the file. Deleted accounts have no marks, and so no rows. Marks that were
not submitted, weights and `blind` are in other tables, which the export does not read.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from itertools import chain
from tempfile import SpooledTemporaryFile
from typing import IO, Any

from django.core.exceptions import ValidationError
from django.db import connection, transaction

from apps.accounts.actors import Viewer
from apps.accounts.audit_notes import change_note
from apps.accounts.selectors.sessions import signed_in_lately
from apps.competition.selectors.admin.sessions import session_options
from apps.competition.selectors.public.stages import stage_names
from apps.core.csv_files import csv_lines
from apps.core.database.fields import venue_zone
from apps.core.database.long_transactions import long_transaction
from apps.core.permissions import require
from apps.core.rate_limits import rate_limit_take
from apps.core.text_rules import cell_guard
from apps.ratings.enums import ExportKind
from apps.ratings.limits import EXPORT_BATCH, EXPORT_MEMORY, RATING_EXPORTS
from apps.ratings.permissions import can_moderate

COLUMNS = (
    *("stage", "session", "session_begins", "performance", "performer", "country"),
    *("kind", "piece", "mark", "quick_rating", "comment", "approved"),
    *("listener", "username", "given_at", "changed_at"),
)
NOT_ALLOWED = "Only administrators export ratings."
NO_SUCH = "There is nothing of this kind any more."
_SPACES = ("\t", "\r", "\n")  # a cell that begins with one may be read as a formula after it


class SignInNeeded(Exception):
    """The actor has neither signed in nor reauthenticated within the last ten minutes."""


@dataclass(frozen=True, slots=True)
class RatingsFile:
    """A written file, at its beginning: bytes of UTF-8 with a byte order mark; `size` in bytes, `rows` without header.

    The caller closes `content`.
    """

    name: str
    content: IO[bytes]
    size: int
    rows: int


def ratings_export(*, actor: Viewer, kind: ExportKind, subject_id: int) -> RatingsFile:
    """Write the ratings of a session or a stage to a temporary file, with an audit entry, and return the file.

    It reads one snapshot by a cursor of the database, EXPORT_BATCH rows at a time. Raises PermissionDenied,
    SignInNeeded, and ValidationError at the rate limit and for an unknown id.
    """
    require(can_moderate(actor), NOT_ALLOWED)
    if not signed_in_lately(viewer=actor):
        raise SignInNeeded
    with transaction.atomic():
        rate_limit_take(RATING_EXPORTS, account_id=actor.id or 0)
    with long_transaction():
        name = _name(kind, subject_id)
        content = SpooledTemporaryFile(max_size=EXPORT_MEMORY)  # noqa: SIM115 - the caller closes it
        try:
            rows = _write(content, _marks(kind, subject_id))
        except BaseException:
            content.close()
            raise
        change_note(actor=actor, action=f"{kind}.export", subject_id=subject_id, name=name, rows=rows)
    size = content.tell()
    content.seek(0)
    return RatingsFile(f"ratings-{kind}-{subject_id}.csv", content, size, rows)


def _name(kind: ExportKind, subject_id: int) -> str:
    """Return the name of the stage or the title of the session. Raises ValidationError for an unknown id."""
    if kind == ExportKind.STAGE:
        names = {each.id: each.name for each in stage_names()}
    else:
        names = {each.id: each.title for each in session_options(limit=0, chosen=(subject_id,))}
    if subject_id not in names:
        raise ValidationError(NO_SUCH)
    return names[subject_id]


def _write(content: IO[bytes], marks: Iterable[tuple[Any, ...]]) -> int:
    """Write header and rows; return the number of rows."""
    listeners = _Listeners()
    guarded = lru_cache(maxsize=EXPORT_BATCH)(_guarded)  # most texts repeat: names, titles, pieces
    rows = ([_cell(value, guarded) for value in _row(mark, listeners)] for mark in marks)
    count = -2  # the byte order mark and the header
    for line in csv_lines(chain([COLUMNS], rows)):
        content.write(line.encode())
        count += 1
    return count


class _Listeners(dict[int, int]):
    """The numbers of accounts within one file, in the order in which they appear."""

    def __missing__(self, user_id: int) -> int:
        self[user_id] = len(self) + 1
        return self[user_id]


def _row(mark: tuple[Any, ...], listeners: _Listeners) -> tuple[Any, ...]:
    """Return the cells of a mark in the order of COLUMNS."""
    *about, comment, approved, user_id, username, is_open, given_at, changed_at = mark
    person = (listeners[user_id], username if is_open else "")
    return (*about, comment if is_open else "", "yes" if approved else "no", *person, given_at, changed_at)


def _cell(value: Any, guarded: Callable[[str], str]) -> Any:
    """Return a cell: a text that is no formula, a number, or a time in ISO 8601 with the venue's offset."""
    if isinstance(value, str):
        return guarded(value)
    if isinstance(value, datetime):
        return value.astimezone(venue_zone()).isoformat(timespec="seconds")
    return value


def _guarded(text: str) -> str:
    guarded = cell_guard(text)
    return f"'{guarded}" if guarded.startswith(_SPACES) else guarded


# The conditions are of this module; the id is a parameter.
_WITHIN = {ExportKind.SESSION: "appearance.session_id = %s", ExportKind.STAGE: "appearance.stage_id = %s"}
_MARKS = """
DECLARE ratings_export NO SCROLL CURSOR FOR
SELECT stage.name, session.title, session.starts_at, appearance.order_number, performer.name, performer.country,
    mark.kind, coalesce(piece.name, ''), mark.score, mark.quick_rating, mark.comment,
    mark.approved, author.id, author.username, author.is_active, mark.created_at, mark.updated_at
FROM session_participants AS appearance
JOIN sessions AS session ON session.id = appearance.session_id
JOIN stages AS stage ON stage.id = appearance.stage_id
JOIN participants AS performer ON performer.id = appearance.participant_id
JOIN (
    SELECT session_participant_id, user_id, 'piece' AS kind, piece_id, score, '' AS quick_rating, '' AS comment,
        approved, created_at, updated_at
    FROM piece_ratings
    UNION ALL
    SELECT session_participant_id, user_id, 'performance', NULL, score, quick_rating,
        CASE WHEN is_comment_hidden THEN '' ELSE comment END, approved, created_at, updated_at
    FROM performance_ratings
) AS mark ON mark.session_participant_id = appearance.id
JOIN users AS author ON author.id = mark.user_id
LEFT JOIN pieces AS piece ON piece.id = mark.piece_id
WHERE {within}
ORDER BY session.starts_at, session.id, appearance.order_number, author.id, mark.kind DESC, piece.name, piece.id
"""
_FETCH = f"FETCH {EXPORT_BATCH} FROM ratings_export"


def _marks(kind: ExportKind, subject_id: int) -> Iterator[tuple[Any, ...]]:
    """Yield the marks by session, performance and listener, pieces first.

    The cursor is one of the database within the transaction, which a connection pooler allows as well.
    """
    with connection.cursor() as cursor:
        cursor.execute(_MARKS.format(within=_WITHIN[kind]), [subject_id])
        while True:
            cursor.execute(_FETCH)
            rows = cursor.fetchall()
            if not rows:
                break
            yield from rows
        cursor.execute("CLOSE ratings_export")
