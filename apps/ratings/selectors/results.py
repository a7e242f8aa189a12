"""What lists of ratings return: one rating for a person and a performance, with its marks."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal

from apps.competition.selectors import PieceTitle
from apps.ratings.enums import RatingKind

_TENTH = Decimal("0.1")


@dataclass(frozen=True, slots=True)
class PieceMark:
    """A mark from 1 to 25 for a piece."""

    id: int
    score: int
    approved: bool
    updated_at: datetime
    piece: PieceTitle

    @property
    def kind(self) -> RatingKind:
        """What it is about."""
        return RatingKind.PIECE


@dataclass(frozen=True, slots=True)
class WholeMark:
    """A mark from 1 to 5 for the whole performance, with a comment and perhaps a word for it."""

    id: int
    score: int
    approved: bool
    updated_at: datetime
    comment: str  # empty for everybody where it is hidden
    quick_rating: str
    is_comment_hidden: bool  # for its author and administrators; False for everybody else

    @property
    def kind(self) -> RatingKind:
        """What it is about."""
        return RatingKind.PERFORMANCE


Mark = PieceMark | WholeMark


@dataclass(frozen=True, slots=True)
class RatingShown:
    """One person's rating of one performance: the marks of its pieces in the program's order, and that of the whole.

    `id` and `at` say where it stands in its list: the row, and the moment by which the list is ordered.
    """

    id: int
    at: datetime
    author_id: int
    author: str  # the username
    author_avatar_url: str
    participant_id: int
    participant: str
    country: str
    participant_avatar_url: str
    session_participant_id: int
    session_id: int
    session: str  # its title
    program_length: int = 0  # pieces
    pieces: Sequence[PieceMark] = ()
    whole: WholeMark | None = None

    @property
    def marks(self) -> tuple[Mark, ...]:
        """The marks of the pieces, then that of the whole performance."""
        return (*self.pieces, *([self.whole] if self.whole else []))

    @property
    def mean(self) -> Decimal | None:
        """The mean of the pieces' marks to one decimal, half away from zero; None without any."""
        if not self.pieces:
            return None
        points = Decimal(sum(mark.score for mark in self.pieces))
        return (points / len(self.pieces)).quantize(_TENTH, ROUND_HALF_UP)

    def waiting(self, *kinds: RatingKind) -> tuple[Mark, ...]:
        """Return its marks of these kinds that wait for a moderator."""
        return tuple(mark for mark in self.marks if not mark.approved and mark.kind in kinds)
