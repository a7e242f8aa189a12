"""The state of the page Import Programs, all of it in the address but the text."""

from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from apps.core.limits import SEARCH_LENGTH
from components.page import Query, number_of

PATH = "/admin/program-import"
WITH = "with"


@dataclass(frozen=True, slots=True)
class Where:
    """The session, who is shown of it (those without a program, or with one), and whose program it is; 0 is none."""

    session: int = 0
    query: str = ""
    has_program: bool = False
    appearance: int = 0

    @property
    def address(self) -> str:
        """Return the address."""
        given = {
            "session": self.session,
            "q": self.query,
            "programs": WITH if self.has_program else "",
            "appearance": self.appearance,
        }
        asked = urlencode({name: value for name, value in given.items() if value})
        return PATH + (f"?{asked}" if asked else "")

    def at(self, **changed: Any) -> str:
        """Return the address of the same with these changes."""
        return replace(self, **changed).address


def where_of(query: Query) -> Where:
    """Return the state in the address; unreadable fields are empty."""
    return Where(
        session=number_of(query, "session", 0),
        query=query.get("q", "").strip()[:SEARCH_LENGTH],
        has_program=query.get("programs", "") == WITH,
        appearance=number_of(query, "appearance", 0),
    )
