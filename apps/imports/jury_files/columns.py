"""The columns of a jury's file, found by the names in its header; they tell marks from official figures."""

from collections.abc import Mapping
from dataclasses import dataclass

from apps.imports.enums import JuryFileKind
from apps.imports.tables.headers import ColumnsMissing, column_finder
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


@dataclass(frozen=True, slots=True)
class JuryHeader:
    """A header: the kind of the file, the position of each used column, and the names of the others."""

    kind: JuryFileKind
    places: Mapping[str, int]
    unused: tuple[str, ...]


def jury_header(record: Record) -> JuryHeader:
    """Return the columns in a header; of two with one name the first is used. Raises ColumnsMissing for missing ones.

    A header with `official_stage_score` and without `juror` is that of official figures.
    """
    _, fields = record
    names = [column_of(field) for field in fields]
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
