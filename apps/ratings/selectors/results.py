"""What lists of ratings return, and where they continue."""

from dataclasses import dataclass
from datetime import datetime

from apps.competition.selectors import PieceTitle
from apps.core.paging import moment_and_id
from apps.ratings.enums import RatingKind


@dataclass(frozen=True, slots=True)
class Cursor:
    """The appearance of one rating in a list that is ordered by time: the list continues after it."""

    at: datetime
    kind: RatingKind
    id: int

    def __str__(self) -> str:
        return f"{self.at.isoformat()}~{self.kind}~{self.id}"

    @classmethod
    def read(cls, text: str) -> "Cursor | None":
        """Return the cursor that `text` is, or None when it is none."""
        at, _, rest = text.partition("~")
        kind, _, number = rest.partition("~")
        found = moment_and_id(at, number)
        return cls(found[0], RatingKind(kind), found[1]) if found and kind in set(RatingKind) else None


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
