"""Modes of administrators' pages (list, create, edit), each with an address of its own."""

from dataclasses import dataclass
from enum import Enum

from components.page import Query, number_of


class Kind(Enum):
    """What a page shows."""

    LIST = "list"
    CREATE = "create"
    EDIT = "edit"


@dataclass(frozen=True, slots=True)
class Mode:
    """What an address asks for; `id` is the row that is edited, else 0."""

    kind: Kind = Kind.LIST
    id: int = 0


def mode_of(query: Query) -> Mode:
    """Return the mode that the address (`mode`, `id`) asks for; the list when they are unreadable."""
    match query.get("mode", ""), number_of(query, "id", 0):
        case "create", _:
            return Mode(Kind.CREATE)
        case "edit", row if row:
            return Mode(Kind.EDIT, row)
        case _:
            return Mode()


def create_at(path: str) -> str:
    """Return the address of the form for a new one."""
    return f"{path}?mode={Kind.CREATE.value}"


def edit_at(path: str, row: int) -> str:
    """Return the address of a row's form."""
    return f"{path}?mode={Kind.EDIT.value}&id={row}"
