"""What lists of ratings return."""

from dataclasses import dataclass
from datetime import datetime

from apps.competition.selectors import PieceTitle
from apps.ratings.enums import RatingKind


@dataclass(frozen=True, slots=True)
class RatingShown:
    """A rating with its author and its subject; `piece` is None, and `comment` set, for a whole performance."""

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
    comment: str = ""  # empty for everybody where it is hidden
    quick_rating: str = ""
    is_comment_hidden: bool = False  # for its author and administrators; False for everybody else
