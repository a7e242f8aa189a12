"""The state of the page "Programs" in its address."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from apps.competition.enums import Category
from apps.core.limits import SEARCH_LENGTH
from components.runtime import Query, number_of

PATH = "/admin/programs"
ORDER = "order"  # in place of a slot: the order panel is open


@dataclass(frozen=True, slots=True)
class Where:
    """State in the address: session, search, page, the open panel, and the entry with the link dialog. 0 means none.

    `part` is the part of the entry that the dialog is about.
    """

    session: int = 0
    query: str = ""
    number: int = 1
    appearance: int = 0
    slot: str = ""  # a category, or ORDER
    find: str = ""  # the search text in the open panel
    link: int = 0
    part: int = 0

    @property
    def fields(self) -> Mapping[str, str]:
        """Return the address fields, without the search of pieces and the link dialog."""
        values = {
            "session": self.session,
            "q": self.query,
            "page": self.number if self.number > 1 else "",
            "appearance": self.appearance,
            "slot": self.slot,
        }
        return {name: str(value) for name, value in values.items() if value}

    @property
    def address(self) -> str:
        """Return the page's address for this state."""
        more = {
            name: str(value) for name, value in (("find", self.find), ("link", self.link), ("part", self.part)) if value
        }
        return f"{PATH}?{urlencode({**self.fields, **more})}"

    def at(self, **changed: Any) -> str:
        """Return the address of this state with changed fields."""
        return replace(self, **changed).address

    def opened(self, appearance: int = 0, slot: str = "") -> str:
        """Return the address with this panel of this appearance open; without arguments, with none open."""
        return self.at(appearance=appearance, slot=slot, find="", link=0, part=0)

    def shows(self, appearance: int, slot: str) -> bool:
        """Return whether this panel is open."""
        return (self.appearance, self.slot) == (appearance, slot)


def where_of(query: Query) -> Where:
    """Return the state in the address; invalid fields are empty."""
    slot = query.get("slot", "")
    known = slot in Category.values or slot == ORDER
    return Where(
        session=number_of(query, "session", 0),
        query=_text(query, "q"),
        number=number_of(query),
        appearance=number_of(query, "appearance", 0) if known else 0,
        slot=slot if known else "",
        find=_text(query, "find"),
        link=number_of(query, "link", 0),
        part=number_of(query, "part", 0),
    )


def _text(query: Query, name: str) -> str:
    return query.get(name, "").strip()[:SEARCH_LENGTH]
