"""Modes of administration pages (list, create, edit), each with its own address."""

from dataclasses import dataclass
from enum import Enum

from components.runtime import Query, number_of


class Kind(Enum):
    """The kind of content that a page shows."""

    LIST = "list"
    CREATE = "create"
    EDIT = "edit"


@dataclass(frozen=True, slots=True)
class Mode:
    """The mode in an address; `id` is the edited row, else 0."""

    kind: Kind = Kind.LIST
    id: int = 0


def mode_of(query: Query) -> Mode:
    """Return the mode in the address (`mode`, `id`); the list if they are invalid."""
    match query.get("mode", ""), number_of(query, "id", 0):
        case "create", _:
            return Mode(Kind.CREATE)
        case "edit", row if row:
            return Mode(Kind.EDIT, row)
        case _:
            return Mode()


def create_at(path: str) -> str:
    """Return the address of the form for a new row."""
    return f"{path}?mode={Kind.CREATE.value}"


def edit_at(path: str, row: int) -> str:
    """Return the address of a row's form."""
    return f"{path}?mode={Kind.EDIT.value}&id={row}"
