"""Which of the audience's figures a member sees: "own ears first"."""

from dataclasses import dataclass

from django.db import connection

from apps.ratings.selectors.own import OwnRatings

_COVERING = """
SELECT coalesce((SELECT ears_first FROM covering_choices WHERE user_id = %(user)s), true),
    ARRAY(SELECT stage_id FROM uncovered_stages WHERE user_id = %(user)s)
"""


@dataclass(frozen=True, slots=True)
class Covering:
    """Whether a member hears with own ears first, and the stages of which the member asked for everything."""

    ears_first: bool
    shown_stages: frozenset[int]

    def open_pieces(self, own: OwnRatings, stage_id: int) -> frozenset[int] | None:
        """Return the pieces whose figures are not covered: those that the member has marked. None is all."""
        return _seen(own) if self._covers(own, stage_id) else None

    def covers_whole(self, own: OwnRatings, program: frozenset[int], stage_id: int) -> bool:
        """Return whether the figures of the whole performance, and all that follows from them, are covered.

        Until the member has marked every piece, submitted a rating (it may be gone), or asked for them.
        """
        was_submitted = own.is_submitted or own.sheet.was_submitted
        has_seen_all = was_submitted or (bool(program) and program <= _seen(own))
        return self._covers(own, stage_id) and not has_seen_all

    def _covers(self, own: OwnRatings, stage_id: int) -> bool:
        return self.ears_first and stage_id not in self.shown_stages and not own.sheet.is_shown


NO_COVERING = Covering(ears_first=False, shown_stages=frozenset())


def _seen(own: OwnRatings) -> frozenset[int]:
    """Return the pieces that the member has marked once; their marks may be gone."""
    return frozenset(own.sheet.pieces) | own.pieces.keys()


def covering_get(*, user_id: int) -> Covering:
    """Return an account's covering. One query."""
    with connection.cursor() as cursor:
        cursor.execute(_COVERING, {"user": user_id})
        ears_first, stages = cursor.fetchone()
    return Covering(ears_first, frozenset(stages))


# the performances of which the member sees everything (`Covering.covers_whole`), if anything is covered at all
_SEEN = """
SELECT session_participant_id FROM rating_submissions WHERE user_id = %(user)s
UNION
SELECT sheet.session_participant_id FROM rating_drafts AS sheet
WHERE sheet.user_id = %(user)s AND (
    sheet.shown_at IS NOT NULL OR sheet.was_submitted OR (
        EXISTS (SELECT FROM session_participant_pieces WHERE session_participant_id = sheet.session_participant_id)
        AND NOT EXISTS (
            SELECT FROM session_participant_pieces AS entry
            WHERE entry.session_participant_id = sheet.session_participant_id AND NOT EXISTS (
                SELECT FROM draft_marks WHERE draft_id = sheet.id AND piece_id = entry.piece_id
            )
        )
    )
)
UNION
SELECT appearance.id FROM uncovered_stages AS uncovered
JOIN sessions ON sessions.stage_id = uncovered.stage_id
JOIN session_participants AS appearance ON appearance.session_id = sessions.id
WHERE uncovered.user_id = %(user)s
"""
_SEEN_OF_ACCOUNT = f"""
SELECT coalesce((SELECT ears_first FROM covering_choices WHERE user_id = %(user)s), true), ARRAY({_SEEN})
"""  # noqa: S608 - no inserted text but the query above
# a stage's ranks are covered with any performance of it that has begun (`with_times`) and is not seen
_RANKS = f"""
SELECT own.id FROM session_participants AS own JOIN sessions AS own_session ON own_session.id = own.session_id
WHERE own.participant_id = %(participant)s AND EXISTS (
    SELECT FROM session_participants AS other JOIN sessions AS session ON session.id = other.session_id
    WHERE session.stage_id = own_session.stage_id
    AND (other.is_performing OR NOT session.is_live AND session.starts_at <= now() OR EXISTS (
        SELECT FROM performing_times WHERE session_participant_id = other.id
    ))
    AND other.id NOT IN ({_SEEN})
)
"""  # noqa: S608 - no inserted text but the query above


def performances_seen(*, user_id: int) -> frozenset[int] | None:
    """Return the performances whose figures are not covered for an account. None is all. One query."""
    with connection.cursor() as cursor:
        cursor.execute(_SEEN_OF_ACCOUNT, {"user": user_id})
        ears_first, seen = cursor.fetchone()
    return frozenset(seen) if ears_first else None


# performances of which the member has marked anything, or asked for the texts
_HEARD = """
SELECT ARRAY(
    SELECT place.id FROM session_participants AS place JOIN sessions AS session ON session.id = place.session_id
    WHERE place.id IN (
        SELECT session_participant_id FROM rating_submissions WHERE user_id = %(user)s
        UNION
        SELECT session_participant_id FROM rating_drafts AS sheet WHERE sheet.user_id = %(user)s AND (
            sheet.texts_shown_at IS NOT NULL OR sheet.was_submitted OR sheet.score_at IS NOT NULL
            OR EXISTS (SELECT FROM draft_marks WHERE draft_id = sheet.id)
        )
    )
    AND (%(session)s::bigint IS NULL OR place.session_id = %(session)s)
    AND (%(stage)s::bigint IS NULL OR session.stage_id = %(stage)s)
    AND (%(participant)s::bigint IS NULL OR place.participant_id = %(participant)s)
    ORDER BY place.id
)
"""


def performances_heard(
    *, user_id: int, session_id: int | None = None, stage_id: int | None = None, participant_id: int | None = None
) -> tuple[int, ...]:
    """Return the performances that an account has marked, or whose texts it asked for, in ascending order. One query.

    With an id only those of this session, stage or participant.
    """
    which = {"user": user_id, "session": session_id, "stage": stage_id, "participant": participant_id}
    with connection.cursor() as cursor:
        cursor.execute(_HEARD, which)
        return tuple(cursor.fetchone()[0])


def ranks_covered(*, user_id: int, participant_id: int) -> frozenset[int]:
    """Return the participant's appearances in stages of which the account does not see every begun performance.

    For accounts with own ears first: a rank tells about the covered performances. One query.
    """
    with connection.cursor() as cursor:
        cursor.execute(_RANKS, {"user": user_id, "participant": participant_id})
        return frozenset(pk for (pk,) in cursor.fetchall())
