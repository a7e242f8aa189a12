"""Results of apps whose texts can be reported and hidden."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class TextState:
    """A locked text: its author, None for a former member, and whether everybody may read it."""

    author_id: int | None
    is_public: bool


@dataclass(frozen=True, slots=True)
class HideableText:
    """A text, hidden or not, for administrators and its author."""

    id: int
    author_id: int | None
    author: str  # the username, empty for a former member
    text: str
    created_at: datetime
    is_hidden: bool
    is_public: bool  # False also for what nobody approved, what stands below something hidden, marks of closed accounts
    path: str  # the address of the page on which it stands
    image_url: str = ""
