"""The extra cells of a row: start number, birth year, biography, program, name in another script, and piano."""

from dataclasses import astuple, dataclass

from django.utils import timezone

from apps.competition.limits import (
    BIOGRAPHY_LENGTH,
    BIRTH_YEAR_MINIMUM,
    FULL_NAME_LENGTH,
    NAME_LENGTH,
    START_NUMBER_MOST,
)
from apps.competition.piano_names import piano_read
from apps.imports.enums import RowProblem
from apps.imports.limits import PROGRAM_PIECES
from apps.imports.participant_files.people import KnownPeople
from apps.imports.participant_files.table import FileRow

_SHOWN = 60  # characters of a wrong cell


@dataclass(frozen=True, slots=True)
class Extras:
    """The values of a row's extra cells, and the first problem among them with its detail."""

    start_number: int | None = None
    birth_year: int | None = None
    biography: str = ""
    name_local: str = ""
    piano: str = ""  # maker and model
    problem: RowProblem = RowProblem.NONE
    detail: str = ""


NO_EXTRAS = Extras()


def extras_read(row: FileRow, names: tuple[str, str, str], known: KnownPeople) -> Extras:
    """Return the values of the extra cells of a row whose names and country are `names`."""
    number = whole_number(row.start_number, 1, START_NUMBER_MOST)
    year = whole_number(row.birth_year, BIRTH_YEAR_MINIMUM, timezone.now().year)
    problem, detail = _problem(row, number, year)
    if not problem and number is not None:
        problem, detail = _number_problem(row.line, number, names, known)
    return Extras(
        start_number=number,
        birth_year=year,
        biography=row.biography[:BIOGRAPHY_LENGTH],
        name_local=row.name_local[:FULL_NAME_LENGTH],
        piano=str(piano_read(row.piano))[:FULL_NAME_LENGTH] if row.piano else "",
        problem=problem,
        detail=detail,
    )


def whole_number(text: str, least: int, most: int) -> int | None:
    """Return a number written in ASCII digits, or None for any other text and outside these bounds."""
    digits = text.lstrip("0")
    if not (text.isascii() and text.isdigit() and len(digits) <= len(str(most))):
        return None
    value = int(digits or "0")
    return value if least <= value <= most else None


def _problem(row: FileRow, number: int | None, year: int | None) -> tuple[RowProblem, str]:
    if row.start_number and number is None:
        return RowProblem.NUMBER, f"“{row.start_number[:_SHOWN]}”"
    if row.birth_year and year is None:
        return RowProblem.YEAR, f"“{row.birth_year[:_SHOWN]}”"
    if len(row.biography) > BIOGRAPHY_LENGTH:
        return RowProblem.BIOGRAPHY, ""
    if len(row.name_local) > FULL_NAME_LENGTH:
        return RowProblem.NAME_LONG, ""
    if len(row.program) > PROGRAM_PIECES:
        return RowProblem.PROGRAM, ""
    is_long = bool(row.piano) and max(map(len, astuple(piano_read(row.piano)))) > NAME_LENGTH
    return (RowProblem.PIANO_LONG if is_long else RowProblem.NONE), ""


def _number_problem(line: int, number: int, names: tuple[str, str, str], known: KnownPeople) -> tuple[RowProblem, str]:
    if owner := known.number_owner(number, *names):
        return RowProblem.NUMBER_TAKEN, f"{number}, {owner}"
    if earlier := known.number_line(number, line, *names):
        return RowProblem.NUMBER_TWICE, f"{number}, {earlier}"
    return RowProblem.NONE, ""
