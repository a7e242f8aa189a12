"""The columns of a participant file, found by the names in its header."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from apps.imports.limits import FILE_PIECES
from apps.imports.tables import headers
from apps.imports.tables.headers import column_chooser, column_finder
from apps.imports.tables.texts import Record

PEOPLE_COLUMNS = ("FirstName", "LastName", "Country")
PIECE_COLUMNS = tuple(f"Piece{number}" for number in range(1, FILE_PIECES + 1))
COLUMNS = (*PEOPLE_COLUMNS, *PIECE_COLUMNS)  # required
START_NUMBER, BIRTH_YEAR, BIOGRAPHY, PROGRAM = "StartNumber", "BirthYear", "Biography", "Program"
NAME_LOCAL = "NameLocal"  # the name in another script
PIANO = "Piano"  # maker and model
AVATAR = "AvatarUrl"  # the address of a picture
EXTRA_COLUMNS = (START_NUMBER, BIRTH_YEAR, BIOGRAPHY, PROGRAM, NAME_LOCAL, PIANO, AVATAR)  # used when present
KNOWN = frozenset((*COLUMNS, *EXTRA_COLUMNS))
_FIRST_NAME, _LAST_NAME, _COUNTRY = PEOPLE_COLUMNS
NAME = "Name"  # the last name beside a first name, as in "Name, Vorname, Land"; alone the whole name
column_of = column_finder(  # English, Polish, German
    {
        _FIRST_NAME: "forename givenname imie imiona vorname vornamen",
        _LAST_NAME: "surname familyname nazwisko nachname familienname zuname",
        _COUNTRY: "kraj panstwo land staat nation",
        **{column: f"utwor{n} stuck{n} werk{n}" for n, column in enumerate(PIECE_COLUMNS, start=1)},
        START_NUMBER: "startno startnr numerstartowy nrstartowy startnummer",
        BIRTH_YEAR: "yearofbirth rokurodzenia geburtsjahr jahrgang",
        BIOGRAPHY: "bio biogram biografia biografie zyciorys lebenslauf",
        PROGRAM: "programme programm repertoire repertuar",
        NAME_LOCAL: "localname originalname nazwaoryginalna originalname",
        PIANO: "instrument fortepian klavier flugel",
        AVATAR: "avatar picture photo zdjecie bild foto",
        NAME: "fullname participant performer pianist uczestnik pianista teilnehmer",
    }
)


class ColumnsMissing(headers.ColumnsMissing):
    """A file lacks required columns; `lacks_pieces` is true if only those of pieces are missing."""

    def __init__(self, missing: Sequence[str], header: Record = (0, ())) -> None:
        super().__init__(missing, header)
        self.lacks_pieces = not set(missing).intersection(PEOPLE_COLUMNS)


@dataclass(frozen=True, slots=True)
class Header:
    """A header: its line, the position of each column that is used, its width, and the names that no column has.

    A header of start number and whole name alone is that of numbers drawn by lot, for people who are there.
    """

    line: int
    places: dict[str, int]
    width: int
    unused: tuple[str, ...]
    fields: tuple[str, ...] = ()
    names: tuple[str, ...] = ()  # of each field the column, empty for none


_NONE: Mapping[str, str] = MappingProxyType({})


def header_read(record: Record, *, is_people_only: bool = False, chosen: Mapping[str, str] = _NONE) -> Header:
    """Return the columns in a header, with those `chosen` by hand. Raises ColumnsMissing for required ones.

    With `is_people_only` the columns of single pieces are neither required nor used.

    Of two columns with one name the first is used.
    """
    line, fields = record
    names = [*map(column_chooser(column_of, chosen), fields)]
    if NAME in names and _FIRST_NAME in names and _LAST_NAME not in names:
        names[names.index(NAME)] = _LAST_NAME
    is_numbers = {NAME, START_NUMBER} <= set(names) and not {*names}.intersection(COLUMNS)
    required: tuple[str, ...] = () if is_numbers else PEOPLE_COLUMNS if is_people_only else COLUMNS
    missing = [name for name in required if name not in names]
    if missing:
        raise ColumnsMissing(missing, record)
    used = KNOWN.difference(PIECE_COLUMNS) if is_people_only else KNOWN
    used = frozenset((NAME, START_NUMBER)) if is_numbers else used
    places = {name: names.index(name) for name in names if name in used}
    unused = (
        field.strip() for place, field in enumerate(fields) if field.strip() and places.get(names[place]) != place
    )
    used_names = (name if places.get(name) == at else "" for at, name in enumerate(names))
    return Header(line, places, len(names), tuple(unused), tuple(fields), tuple(used_names))
