"""What a stage's performances were given, by whom: what its ranking is made of."""

from collections import defaultdict
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import datetime

from django.db import connection

from apps.ratings.models import PieceRating

# The marks of pieces that stand in the program now; each piece once, however often it stands there.
_OF_STAGE = """
WITH program AS (
    SELECT entry.session_participant_id AS appearance_id, entry.piece_id,
        count(*) OVER (PARTITION BY entry.session_participant_id) AS pieces
    FROM session_participant_pieces AS entry
    JOIN session_participants AS appearance ON appearance.id = entry.session_participant_id
    JOIN sessions AS session ON session.id = appearance.session_id
    WHERE session.stage_id = %s
    GROUP BY entry.session_participant_id, entry.piece_id
)
SELECT mark.user_id, mark.session_participant_id, program.pieces,
    count(*) FILTER (WHERE mark.approved), coalesce(sum(mark.score) FILTER (WHERE mark.approved), 0),
    count(*) FILTER (WHERE NOT mark.approved), max(mark.updated_at)
FROM program
JOIN piece_ratings AS mark
    ON mark.session_participant_id = program.appearance_id AND mark.piece_id = program.piece_id
WHERE mark.is_author_active
GROUP BY mark.user_id, mark.session_participant_id, program.pieces
"""


@dataclass(frozen=True, slots=True)
class StageMark:
    """What one person gave to the pieces of one performance: how many of `pieces`, and the approved ones' points."""

    user_id: int
    appearance_id: int
    pieces: int  # of the program
    approved: int
    points: int
    waiting: int
    given_at: datetime  # the newest of them


def stage_marks(*, stage_id: int) -> tuple[StageMark, ...]:
    """Return what a stage's performances were given by open accounts, approved or not. One query, over all of it."""
    with connection.cursor() as cursor:
        cursor.execute(_OF_STAGE, [stage_id])
        return tuple(StageMark(*row) for row in cursor.fetchall())


def pieces_marked(*, appearance_id: int) -> Mapping[str, AbstractSet[int]]:
    """Return the pieces of a performance with approved marks of open accounts, by username. One query."""
    marked: dict[str, set[int]] = defaultdict(set)
    found = PieceRating.objects.filter(session_participant=appearance_id, approved=True, is_author_active=True)
    for username, piece_id in found.order_by("user__username").values_list("user__username", "piece_id"):
        marked[username].add(piece_id)
    return marked
