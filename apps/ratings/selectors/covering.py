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


# whether anything is covered, and the performances of which the member sees everything (`Covering.covers_whole`)
_SEEN = """
SELECT coalesce((SELECT ears_first FROM covering_choices WHERE user_id = %(user)s), true), ARRAY(
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
)
"""


def performances_seen(*, user_id: int) -> frozenset[int] | None:
    """Return the performances whose figures are not covered for an account. None is all. One query."""
    with connection.cursor() as cursor:
        cursor.execute(_SEEN, {"user": user_id})
        ears_first, seen = cursor.fetchone()
    return frozenset(seen) if ears_first else None
