"""What lists of ratings return, and where they continue."""

from dataclasses import dataclass
from datetime import UTC, datetime

from apps.competition.selectors import PieceTitle
from apps.ratings.enums import RatingKind

_PARTS = 3  # of a cursor's text


@dataclass(frozen=True, slots=True)
class Cursor:
    """The place of one rating in a list that is ordered by time: the list continues after it."""

    at: datetime
    kind: RatingKind
    id: int

    def __str__(self) -> str:
        return f"{self.at.isoformat()}~{self.kind}~{self.id}"

    @classmethod
    def read(cls, text: str) -> "Cursor | None":
        """Return the cursor that `text` is, or None when it is none."""
        try:
            at, kind, number = text.split("~", _PARTS - 1)
            moment, pk = datetime.fromisoformat(at), int(number)
            # in UTC, for Python reads offsets that PostgreSQL does not, and moments that are no date there
            found = cls(moment.astimezone(UTC), RatingKind(kind), pk)
        except (ValueError, OverflowError):
            return None
        return found if moment.tzinfo is not None and 0 <= pk < 2**63 else None


@dataclass(frozen=True, slots=True)
class RatingShown:
    """A rating with who gave it, to whom and for what; `piece` is None, and the words are there, for a performance."""

    kind: RatingKind
    id: int
    score: int
    approved: bool
    created_at: datetime
    updated_at: datetime
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
    piece: PieceTitle | None = None
    comment: str = ""
    quick_rating: str = ""
