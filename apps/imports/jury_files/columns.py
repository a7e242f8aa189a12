"""The columns of a jury's file, found by the names in its header; they tell marks, also as a matrix, from figures."""

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from django.core.exceptions import ValidationError

from apps.core.text_rules import fold, has_letter
from apps.imports.enums import JuryFileKind
from apps.imports.tables.headers import ColumnsMissing, column_chooser, column_finder, field_key
from apps.imports.tables.texts import Record

STAGE, START_NUMBER, PARTICIPANT = "stage", "start_number", "participant"
JUROR, SCORE, RECUSED_STUDENT = "juror", "score", "recused_student"
OFFICIAL, CUMULATIVE, RANK = "official_stage_score", "official_cumulative", "official_rank"
MARKS_COLUMNS = (STAGE, START_NUMBER, PARTICIPANT, JUROR, SCORE, RECUSED_STUDENT)
OFFICIAL_COLUMNS = (STAGE, START_NUMBER, PARTICIPANT, OFFICIAL, CUMULATIVE, RANK)
column_of = column_finder(  # English, Polish, German
    {
        STAGE: "round etap runde",
        START_NUMBER: "startno startnr numerstartowy nrstartowy startnummer",
        PARTICIPANT: "performer pianist uczestnik pianista teilnehmer",
        JUROR: "jurymember jurymitglied",
        SCORE: "ocena punkty punktacja punkte bewertung wertung",
        RECUSED_STUDENT: "recused",
        **dict.fromkeys((OFFICIAL, CUMULATIVE, RANK), ""),
    }
)
_REQUIRED = {JuryFileKind.MARKS: (STAGE, JUROR, SCORE), JuryFileKind.OFFICIALS: (STAGE, OFFICIAL)}


_NO_JURORS = frozenset(  # folded names of columns beside the jurors' in a matrix
    "average averages bemerkung bemerkungen country gesamt kraj land mean median miejsce mittelwert nationality notes "
    "place points platz punkte rang rank razem remarks result rok score spread srednia suma sum summe total uwagi "
    "wynik year age lp".split()
)
_LEAST_JURORS = 2  # of a matrix
_NONE: Mapping[str, str] = MappingProxyType({})
_NAME_SHOWN = 60  # characters of a name in an error


@dataclass(frozen=True, slots=True)
class JuryHeader:
    """A header: the kind of the file, the position of each used column, and the names of the others.

    `jurors` are the columns of a matrix, one a juror, with their positions; empty for the long form.
    """

    kind: JuryFileKind
    places: Mapping[str, int]
    unused: tuple[str, ...]
    jurors: Mapping[str, int] = field(default_factory=dict)


def jury_header(record: Record, chosen: Mapping[str, str] = _NONE) -> JuryHeader:
    """Return the columns in a header, with those `chosen` by hand; of two with one name the first is used.

    Raises ColumnsMissing for missing ones.

    A header with `official_stage_score` and without `juror` is that of official figures. One without `juror` and
    `score` is that of a matrix, if it names a performer and at least two more columns: each is a juror's. Raises
    ValidationError for two columns of one juror.
    """
    _, fields = record
    names = [*map(column_chooser(column_of, chosen), fields)]
    if jurors := _matrix_jurors(names, fields, chosen):
        return _matrix_header(names, fields, jurors)
    is_official = OFFICIAL in names and JUROR not in names
    kind = JuryFileKind.OFFICIALS if is_official else JuryFileKind.MARKS
    missing = [name for name in _REQUIRED[kind] if name not in names]
    if START_NUMBER not in names and PARTICIPANT not in names:
        missing.append(f"{START_NUMBER} / {PARTICIPANT}")
    if missing:
        raise ColumnsMissing(missing, record)
    used = OFFICIAL_COLUMNS if is_official else MARKS_COLUMNS
    places = {name: names.index(name) for name in used if name in names}
    unused = (field.strip() for place, field in enumerate(fields) if field.strip() and place not in places.values())
    return JuryHeader(kind, places, tuple(unused))


def _matrix_jurors(names: Sequence[str], fields: Sequence[str], chosen: Mapping[str, str]) -> list[int]:
    """Return the positions of the jurors' columns in the header of a matrix; empty for another header."""
    if {JUROR, SCORE, OFFICIAL}.intersection(names) or not {START_NUMBER, PARTICIPANT}.intersection(names):
        return []
    found = [
        at
        for at, written in enumerate(fields)
        if not names[at]
        and has_letter(written)
        and fold(written).rstrip(".:") not in _NO_JURORS
        and field_key(written) not in chosen
    ]
    return found if len(found) >= _LEAST_JURORS else []


def _matrix_header(names: Sequence[str], fields: Sequence[str], jurors: Sequence[int]) -> JuryHeader:
    """Return the columns in the header of a matrix. Raises ValidationError for two columns of one juror."""
    written: dict[str, int] = {}
    for at in jurors:
        name = " ".join(fields[at].split())
        if name in written:
            raise ValidationError("Two columns are of the juror %(name)s.", params={"name": name[:_NAME_SHOWN]})
        written[name] = at
    places = {name: names.index(name) for name in (STAGE, START_NUMBER, PARTICIPANT) if name in names}
    used = {*places.values(), *jurors}
    unused = (each.strip() for at, each in enumerate(fields) if each.strip() and at not in used)
    return JuryHeader(JuryFileKind.MARKS, places, tuple(unused), written)


def matrix_records(records: Iterable[Record], header: JuryHeader) -> Iterator[Record]:
    """Yield the cells of a matrix as records in the order of MARKS_COLUMNS, each with the line of its row."""
    about = (header.places.get(name) for name in (STAGE, START_NUMBER, PARTICIPANT))
    places = [sys.maxsize if at is None else at for at in about]
    for line, fields in records:
        performer = [fields[at] if at < len(fields) else "" for at in places]
        for juror, at in header.jurors.items():
            yield line, [*performer, juror, fields[at] if at < len(fields) else "", ""]
