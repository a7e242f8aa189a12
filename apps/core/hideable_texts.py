"""What an app says of its texts that can be reported and hidden, in the same words for all of them."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class TextState:
    """Whose a text is, None for a former member, and whether everybody may read it; locked while it is known."""

    author_id: int | None
    is_public: bool


@dataclass(frozen=True, slots=True)
class HideableText:
    """A text as administrators and its author may always read it."""

    id: int
    author_id: int | None
    author: str  # the username, empty for a former member
    text: str
    created_at: datetime
    is_hidden: bool
    path: str  # the address of the page on which it stands
