"""The columns of a participant file, found by the names in its header."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.core.exceptions import ValidationError

from apps.imports.limits import FILE_PIECES

PEOPLE_COLUMNS = ("FirstName", "LastName", "Country")
PIECE_COLUMNS = tuple(f"Piece{number}" for number in range(1, FILE_PIECES + 1))
COLUMNS = (*PEOPLE_COLUMNS, *PIECE_COLUMNS)  # required
START_NUMBER, BIRTH_YEAR, BIOGRAPHY, PROGRAM = "StartNumber", "BirthYear", "Biography", "Program"
NAME_LOCAL = "NameLocal"  # the name in another script
EXTRA_COLUMNS = (START_NUMBER, BIRTH_YEAR, BIOGRAPHY, PROGRAM, NAME_LOCAL)  # used when present
KNOWN = frozenset((*COLUMNS, *EXTRA_COLUMNS))


class ColumnsMissing(ValidationError):
    """A file lacks required columns; `lacks_pieces` is true if only those of pieces are missing."""

    def __init__(self, missing: Sequence[str]) -> None:
        super().__init__("Missing required columns: %(list)s", params={"list": ", ".join(missing)})
        self.lacks_pieces = not set(missing).intersection(PEOPLE_COLUMNS)


@dataclass(frozen=True, slots=True)
class Header:
    """A header: the position of each column that is used, its width, and the names that no column has."""

    places: dict[str, int]
    width: int
    unused: tuple[str, ...]


def header_read(fields: Sequence[str], *, is_people_only: bool = False) -> Header:
    """Return the columns in a header. Raises ColumnsMissing for required ones.

    With `is_people_only` the columns of single pieces are neither required nor used.

    Of two columns with one name the first is used.
    """
    names = [name.strip() for name in fields]
    required = PEOPLE_COLUMNS if is_people_only else COLUMNS
    missing = [name for name in required if name not in names]
    if missing:
        raise ColumnsMissing(missing)
    used = KNOWN.difference(PIECE_COLUMNS) if is_people_only else KNOWN
    places = {name: names.index(name) for name in names if name in used}
    unused = (name for place, name in enumerate(names) if name and places.get(name) != place)
    return Header(places, len(names), tuple(unused))
