"""The columns of a jury's file, found by the names in its header; they tell marks from official figures."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.core.exceptions import ValidationError

from apps.core.text_rules import fold
from apps.imports.enums import JuryFileKind

STAGE, START_NUMBER, PARTICIPANT = "stage", "start_number", "participant"
JUROR, SCORE, RECUSED_STUDENT = "juror", "score", "recused_student"
OFFICIAL, CUMULATIVE, RANK = "official_stage_score", "official_cumulative", "official_rank"
MARKS_COLUMNS = (STAGE, START_NUMBER, PARTICIPANT, JUROR, SCORE, RECUSED_STUDENT)
OFFICIAL_COLUMNS = (STAGE, START_NUMBER, PARTICIPANT, OFFICIAL, CUMULATIVE, RANK)
KNOWN = frozenset((*MARKS_COLUMNS, *OFFICIAL_COLUMNS))
_REQUIRED = {JuryFileKind.MARKS: (STAGE, JUROR, SCORE), JuryFileKind.OFFICIALS: (STAGE, OFFICIAL)}


@dataclass(frozen=True, slots=True)
class JuryHeader:
    """A header: the kind of the file, the position of each used column, and the names of the others."""

    kind: JuryFileKind
    places: Mapping[str, int]
    unused: tuple[str, ...]


def column_name(text: str) -> str:
    """Return a column's name as it is compared: "Start number" is "start_number"."""
    return "_".join(fold(text).replace("_", " ").split())


def jury_header(fields: Sequence[str]) -> JuryHeader:
    """Return the columns in a header; of two with one name the first is used. Raises ValidationError for missing ones.

    A header with `official_stage_score` and without `juror` is that of official figures.
    """
    names = [column_name(field) for field in fields]
    is_official = OFFICIAL in names and JUROR not in names
    kind = JuryFileKind.OFFICIALS if is_official else JuryFileKind.MARKS
    missing = [name for name in _REQUIRED[kind] if name not in names]
    if START_NUMBER not in names and PARTICIPANT not in names:
        missing.append(f"{START_NUMBER} / {PARTICIPANT}")
    if missing:
        raise ValidationError("Missing required columns: %(list)s", params={"list": ", ".join(missing)})
    used = OFFICIAL_COLUMNS if is_official else MARKS_COLUMNS
    places = {name: names.index(name) for name in used if name in names}
    unused = (field.strip() for place, field in enumerate(fields) if names[place] and place not in places.values())
    return JuryHeader(kind, places, tuple(unused))
