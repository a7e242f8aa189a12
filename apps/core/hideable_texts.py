"""Result types of apps with texts that can be reported and hidden."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class TextState:
    """A locked text: its author, None for a former member, and whether it is public."""

    author_id: int | None
    is_public: bool


@dataclass(frozen=True, slots=True)
class HideableText:
    """A text for administrators and its author, hidden or not."""

    id: int
    author_id: int | None
    author: str  # the username, empty for a former member
    text: str
    created_at: datetime
    is_hidden: bool
    is_public: bool  # also False for texts that are unapproved, below a hidden one, or of a closed account
    path: str  # the address of the page that shows it
    image_url: str = ""
    about: str = ""  # the performance that it is about, as "name, session"; empty for none
    appearance_id: int | None = None  # the same by id
