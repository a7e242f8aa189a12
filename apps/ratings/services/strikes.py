"""Statements that write members' own sheets (`RatingDraft`) within the transactions of other services."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import connection

from apps.core.text_rules import text_clean
from apps.ratings.limits import STRUCK_WITHIN
from apps.ratings.models import PerformanceRating, PieceRating


@dataclass(frozen=True, slots=True)
class Strikes:
    """What a browser sends of one performance: the latest value of each changed field.

    Each value comes with its age in seconds. The mark 0 removes a mark. None means that the field has not changed.
    """

    pieces: Mapping[int, tuple[int, float]] = field(default_factory=dict)  # by piece id
    score: tuple[int, float] | None = None
    comment: tuple[str, float] | None = None
    quick_rating: tuple[str, float] | None = None

    @classmethod
    def of_submitted(
        cls, pieces: Mapping[int, int], score: int, comment: str, quick_rating: str, age: float
    ) -> "Strikes":
        """Return a rating that was submitted `age` seconds ago as strikes of that moment.

        Strikes before the press cannot come back after it, and strikes after the press stay.
        """
        return cls({pk: (mark, age) for pk, mark in pieces.items()}, (score, age), (comment, age), (quick_rating, age))


# `EXCLUDED` is the new row. A field without a new strike has a null time there: no comparison with it is true, and
# `greatest` ignores it.
_WHOLE = """
INSERT INTO rating_drafts AS sheet
    (user_id, session_participant_id, score, score_at, comment, comment_at, quick_rating, quick_at)
VALUES (%(user)s, %(appearance)s,
    %(score)s, now() - make_interval(secs => %(score_age)s),
    %(comment)s, now() - make_interval(secs => %(comment_age)s),
    %(quick)s, now() - make_interval(secs => %(quick_age)s))
ON CONFLICT (user_id, session_participant_id) DO UPDATE SET
    score = CASE WHEN EXCLUDED.score_at >= coalesce(sheet.score_at, '-infinity')
        THEN EXCLUDED.score ELSE sheet.score END,
    is_rejected = sheet.is_rejected AND NOT coalesce(EXCLUDED.score_at >= coalesce(sheet.score_at, '-infinity'), false),
    score_at = greatest(sheet.score_at, EXCLUDED.score_at),
    comment = CASE WHEN EXCLUDED.comment_at >= coalesce(sheet.comment_at, '-infinity')
        THEN EXCLUDED.comment ELSE sheet.comment END,
    comment_at = greatest(sheet.comment_at, EXCLUDED.comment_at),
    quick_rating = CASE WHEN EXCLUDED.quick_at >= coalesce(sheet.quick_at, '-infinity')
        THEN EXCLUDED.quick_rating ELSE sheet.quick_rating END,
    quick_at = greatest(sheet.quick_at, EXCLUDED.quick_at)
RETURNING id, score_at, comment_at, quick_at
"""
# Whether the server covers the figures of a performance for a member. No row of this statement is visible here yet, so
# this is what held before it; a piece whose row exists keeps its `blind`.
_COVERED = """(
    coalesce((SELECT ears_first FROM covering_choices WHERE user_id = %(user)s), true)
    AND NOT EXISTS (
        SELECT FROM rating_drafts
        WHERE user_id = %(user)s AND session_participant_id = %(appearance)s
            AND (shown_at IS NOT NULL OR was_submitted)
    ) AND NOT EXISTS (
        SELECT FROM rating_submissions WHERE user_id = %(user)s AND session_participant_id = %(appearance)s
    ) AND NOT EXISTS (
        SELECT FROM uncovered_stages AS shown JOIN sessions ON sessions.stage_id = shown.stage_id
        JOIN session_participants AS appearance ON appearance.session_id = sessions.id
        WHERE shown.user_id = %(user)s AND appearance.id = %(appearance)s
    )
)"""
_STRIKES = f"""
WITH sheet AS ({_WHOLE}), written AS (
    INSERT INTO draft_marks AS mark (draft_id, piece_id, score, struck_at, blind)
    SELECT sheet.id, struck.piece_id, struck.score, now() - make_interval(secs => struck.age),
        %(blind)s AND {_COVERED}
    FROM sheet,
        unnest(%(pieces)s::bigint[], %(scores)s::smallint[], %(ages)s::float8[]) AS struck (piece_id, score, age)
    ON CONFLICT (draft_id, piece_id) DO UPDATE
    SET score = EXCLUDED.score, struck_at = EXCLUDED.struck_at, is_rejected = false
    WHERE EXCLUDED.struck_at >= mark.struck_at
    RETURNING piece_id
)
SELECT ARRAY(SELECT piece_id FROM written),
    score_at > now() - make_interval(secs => %(score_age)s),
    comment_at > now() - make_interval(secs => %(comment_age)s),
    quick_at > now() - make_interval(secs => %(quick_age)s)
FROM sheet
"""  # noqa: S608 - no inserted text but the statement above
WHOLE_FIELDS = ("score", "comment", "quick_rating")


def strikes_write(
    user_id: int, appearance_id: int, strikes: Strikes, *, made_here: bool = True
) -> tuple[int | str, ...]:
    """Write these strikes on a member's sheet, each unless a later one is there. One statement, in a transaction.

    `made_here` is False for marks that were made signed out: whether they were made blind is unknown. Returns which
    strikes were older than those on the sheet: ids of pieces, and names of WHOLE_FIELDS.
    """
    score, comment, quick = strikes.score, strikes.comment, strikes.quick_rating
    values: dict[str, Any] = {
        "user": user_id,
        "appearance": appearance_id,
        "score": score[0] or None if score else None,
        "score_age": _age(score),
        "comment": text_clean(comment[0]) if comment else "",
        "comment_age": _age(comment),
        "quick": quick[0] if quick else "",
        "quick_age": _age(quick),
        "pieces": list(strikes.pieces),
        "scores": [mark or None for mark, _ in strikes.pieces.values()],
        "blind": True if made_here else None,
        "ages": [_age(each) for each in strikes.pieces.values()],
    }
    with connection.cursor() as cursor:
        cursor.execute(_STRIKES, values)
        written, *is_older = cursor.fetchone()
    pieces = (pk for pk in strikes.pieces if pk not in written)
    return *pieces, *(name for name, older in zip(WHOLE_FIELDS, is_older, strict=True) if older)


def _age(strike: tuple[object, float] | None) -> float | None:
    """Return the age of a strike in seconds, never negative and at most STRUCK_WITHIN; None without a strike."""
    return None if strike is None else min(max(strike[1], 0.0), STRUCK_WITHIN)


# Marks that leave a rating stay on the sheet, as removed by a moderator (`rejected`) or as kept ones. What was struck
# since the rating was submitted stays as it is.
_PIECES_KEPT = """
WITH gone AS (
    SELECT * FROM unnest(%(users)s::bigint[], %(appearances)s::bigint[], %(pieces)s::bigint[], %(scores)s::smallint[],
        %(moments)s::timestamptz[]) AS gone (user_id, appearance_id, piece_id, score, struck_at)
), sheet AS (
    INSERT INTO rating_drafts AS sheet (user_id, session_participant_id, was_submitted, rejected_at)
    SELECT DISTINCT user_id, appearance_id, %(rejected)s, CASE WHEN %(rejected)s THEN now() END
    FROM gone ORDER BY user_id, appearance_id
    ON CONFLICT (user_id, session_participant_id)
    DO UPDATE SET was_submitted = sheet.was_submitted OR EXCLUDED.was_submitted,
        rejected_at = coalesce(EXCLUDED.rejected_at, sheet.rejected_at)
    RETURNING id, user_id, session_participant_id
)
INSERT INTO draft_marks AS mark (draft_id, piece_id, score, struck_at, is_rejected)
SELECT sheet.id, gone.piece_id, gone.score, gone.struck_at, %(rejected)s
FROM gone JOIN sheet ON sheet.user_id = gone.user_id AND sheet.session_participant_id = gone.appearance_id
ORDER BY sheet.id, gone.piece_id
ON CONFLICT (draft_id, piece_id) DO UPDATE SET is_rejected = EXCLUDED.is_rejected, score = EXCLUDED.score
WHERE CASE WHEN EXCLUDED.is_rejected THEN mark.score = EXCLUDED.score ELSE mark.score IS NULL END
"""
_WHOLES_KEPT = """
INSERT INTO rating_drafts AS sheet (user_id, session_participant_id, score, score_at, comment, comment_at,
    quick_rating, quick_at, is_rejected, was_submitted, rejected_at)
SELECT user_id, appearance_id, score, struck_at, comment, struck_at, quick, struck_at, %(rejected)s, %(rejected)s,
    CASE WHEN %(rejected)s THEN now() END
FROM unnest(%(users)s::bigint[], %(appearances)s::bigint[], %(scores)s::smallint[], %(moments)s::timestamptz[],
    %(comments)s::text[], %(quicks)s::text[]) AS gone (user_id, appearance_id, score, struck_at, comment, quick)
ORDER BY user_id, appearance_id
ON CONFLICT (user_id, session_participant_id) DO UPDATE SET
    score = CASE WHEN sheet.score_at IS NULL OR (sheet.score IS NULL AND NOT EXCLUDED.is_rejected)
        THEN EXCLUDED.score ELSE sheet.score END,
    score_at = coalesce(sheet.score_at, EXCLUDED.score_at),
    comment = CASE WHEN sheet.comment_at IS NULL THEN EXCLUDED.comment ELSE sheet.comment END,
    comment_at = coalesce(sheet.comment_at, EXCLUDED.comment_at),
    quick_rating = CASE WHEN sheet.quick_at IS NULL THEN EXCLUDED.quick_rating ELSE sheet.quick_rating END,
    quick_at = coalesce(sheet.quick_at, EXCLUDED.quick_at),
    is_rejected = CASE WHEN EXCLUDED.is_rejected
        THEN coalesce(sheet.score, EXCLUDED.score) = EXCLUDED.score ELSE sheet.is_rejected END,
    was_submitted = sheet.was_submitted OR EXCLUDED.was_submitted,
    rejected_at = coalesce(EXCLUDED.rejected_at, sheet.rejected_at)
"""
_NOT_REJECTED = """
UPDATE rating_drafts AS sheet SET rejected_at = NULL
FROM unnest(%(users)s::bigint[], %(appearances)s::bigint[]) AS back (user_id, appearance_id)
WHERE sheet.user_id = back.user_id AND sheet.session_participant_id = back.appearance_id
"""
# The figures of marked pieces stay uncovered, and those of the whole performance, so the next mark is not a blind one.
_CLEARED = """
WITH sheet AS (
    INSERT INTO rating_drafts (user_id, session_participant_id, was_submitted)
    VALUES (%(user)s, %(appearance)s, true)
    ON CONFLICT (user_id, session_participant_id) DO UPDATE SET was_submitted = true
    RETURNING id
)
INSERT INTO draft_marks (draft_id, piece_id, struck_at, blind)
SELECT sheet.id, piece_id, now(), false FROM sheet, unnest(%(pieces)s::bigint[]) AS piece_id
ON CONFLICT (draft_id, piece_id) DO UPDATE SET score = NULL, struck_at = now(), is_rejected = false, blind = false
"""
_WHOLE_CLEARED = """
UPDATE rating_drafts SET score = NULL, comment = '', quick_rating = '', is_rejected = false,
    score_at = now(), comment_at = now(), quick_at = now()
WHERE user_id = %(user)s AND session_participant_id = %(appearance)s
"""


def drafts_keep(marks: Sequence[PieceRating | PerformanceRating], *, are_rejected: bool) -> None:
    """Keep these marks, which leave their ratings, on their authors' sheets. One statement for each kind.

    `are_rejected` says that a moderator removes them; their authors then see the audience's figures as before. In the
    transaction that deletes them; it holds the locks of their ratings.
    """
    pieces = [mark for mark in marks if isinstance(mark, PieceRating)]
    wholes = [mark for mark in marks if isinstance(mark, PerformanceRating)]
    rejected = {"rejected": are_rejected}
    with connection.cursor() as cursor:
        if pieces:
            ids = {"pieces": [mark.piece_id for mark in pieces]}
            cursor.execute(_PIECES_KEPT, _columns(pieces) | ids | rejected)
        if wholes:
            words = {
                "comments": [mark.comment for mark in wholes],
                "quicks": [mark.quick_rating for mark in wholes],
            }
            cursor.execute(_WHOLES_KEPT, _columns(wholes) | words | rejected)


def rejections_forget(marks: Sequence[PieceRating | PerformanceRating]) -> None:
    """Forget that these marks, whose rejection is undone, were rejected. One statement, none without marks."""
    if marks:
        with connection.cursor() as cursor:
            cursor.execute(_NOT_REJECTED, _columns(marks))


def _columns(marks: Sequence[PieceRating | PerformanceRating]) -> dict[str, Any]:
    return {
        "users": [mark.user_id for mark in marks],
        "appearances": [mark.appearance_id for mark in marks],
        "scores": [mark.score for mark in marks],
        "moments": [mark.updated_at for mark in marks],
    }


def draft_clear(*, user_id: int, appearance_id: int, marks: Sequence[PieceRating | PerformanceRating]) -> None:
    """Remove these marks, which their author deletes, from the author's sheet. One statement for each kind.

    They stay as removed at this moment, so that no earlier strike of another device brings them back.
    """
    pieces = [mark.piece_id for mark in marks if isinstance(mark, PieceRating)]
    values: dict[str, Any] = {"user": user_id, "appearance": appearance_id, "pieces": pieces}
    with connection.cursor() as cursor:
        cursor.execute(_CLEARED, values)
        if len(pieces) < len(marks):
            cursor.execute(_WHOLE_CLEARED, values)
