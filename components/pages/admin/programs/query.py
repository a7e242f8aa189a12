"""Where somebody is on the page Programs: all of it stands in the address, so that reload and back work."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from apps.competition.enums import Category
from apps.core.limits import SEARCH_LENGTH
from components.page import Query
from components.pages.admin.modes import number_of

PATH = "/admin/programs"
ORDER = "order"  # what is open instead of one of the groups


@dataclass(frozen=True, slots=True)
class Where:
    """A session, the search and the page in it; what is open of whom; the piece whose link is edited. 0 is nothing."""

    session: int = 0
    query: str = ""
    number: int = 1
    appearance: int = 0
    slot: str = ""  # a category, or ORDER
    find: str = ""  # what the open group is searched for
    link: int = 0

    @property
    def fields(self) -> Mapping[str, str]:
        """Return the fields of the address of what is shown, without what is edited."""
        given = {
            "session": self.session,
            "q": self.query,
            "page": self.number if self.number > 1 else "",
            "place": self.appearance,
            "slot": self.slot,
        }
        return {name: str(value) for name, value in given.items() if value}

    @property
    def address(self) -> str:
        """Return the address that means this."""
        more = {name: str(value) for name, value in (("find", self.find), ("link", self.link)) if value}
        return f"{PATH}?{urlencode({**self.fields, **more})}"

    def at(self, **changed: Any) -> str:
        """Return the address of the same with these changes."""
        return replace(self, **changed).address

    def opened(self, appearance: int = 0, slot: str = "") -> str:
        """Return the address at which this is open of this appearance, or nothing is."""
        return self.at(appearance=appearance, slot=slot, find="", link=0)

    def shows(self, appearance: int, slot: str) -> bool:
        """Return whether this is open."""
        return (self.appearance, self.slot) == (appearance, slot)


def where_of(query: Query) -> Where:
    """Return what the address asks for; what cannot be read means nothing."""
    slot = query.get("slot", "")
    known = slot in Category.values or slot == ORDER
    return Where(
        session=number_of(query, "session", 0),
        query=_text(query, "q"),
        number=number_of(query),
        appearance=number_of(query, "place", 0) if known else 0,
        slot=slot if known else "",
        find=_text(query, "find"),
        link=number_of(query, "link", 0),
    )


def _text(query: Query, name: str) -> str:
    return query.get(name, "").strip()[:SEARCH_LENGTH]
