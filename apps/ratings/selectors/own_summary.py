"""One person's ratings in short: how far each performance is marked, and their marks beside the hall's."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from django.db import connection

from apps.competition.selectors import program_pieces
from apps.ratings.models import RatingSubmission

RECENT = 100  # performances
# The hall's mean of each piece that one has marked: every piece counts once on either side.
_BESIDE_HALL = """
SELECT count(*), count(hall.mean), round(avg(own.score) FILTER (WHERE hall.mean IS NOT NULL), 1),
    round(avg(hall.mean), 1)
FROM piece_ratings AS own
LEFT JOIN LATERAL (
    SELECT sum(counts.score * counts.count) / nullif(sum(counts.count), 0) AS mean
    FROM piece_mark_counts AS counts
    WHERE counts.session_participant_id = own.session_participant_id AND counts.piece_id = own.piece_id
) AS hall ON true
WHERE own.user_id = %s
"""


@dataclass(frozen=True, slots=True)
class MarkedPieces:
    """How many pieces of a performance one has marked, of how many."""

    marked: int
    of: int

    @property
    def all(self) -> bool:
        """Whether none is left to mark."""
        return self.marked >= self.of


@dataclass(frozen=True, slots=True)
class BesideHall:
    """The number of one's marks of pieces, and the means, to one decimal, over those that the hall has marked too.

    The means are None where there is no such piece; the hall's is the mean of the pieces' means.
    """

    count: int
    shared: int
    own_mean: Decimal | None
    hall_mean: Decimal | None


def own_marked(*, user_id: int) -> Mapping[int, MarkedPieces]:
    """Return how far one person's newest performances are marked, by appearance. Two queries."""
    newest = RatingSubmission.objects.filter(user_id=user_id).order_by("-given_at", "-id")
    columns = ("session_participant_id", "waiting_pieces", "approved_pieces")
    marked = {pk: waiting + approved for pk, waiting, approved in newest.values_list(*columns)[:RECENT]}
    programs = program_pieces(appearance_ids=marked)
    return {pk: MarkedPieces(count, len(set(programs.get(pk, ())))) for pk, count in marked.items()}


def own_beside_hall(*, user_id: int) -> BesideHall:
    """Return one person's marks of pieces beside the hall's. One query."""
    with connection.cursor() as cursor:
        cursor.execute(_BESIDE_HALL, [user_id])
        return BesideHall(*cursor.fetchone())
