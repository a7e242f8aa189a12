"""The extra cells of a row: start number, birth year, biography, program, name in another script, piano, picture."""

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
from apps.core.limits import ADDRESS_LENGTH
from apps.core.text_rules import is_picture_address
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
    avatar_url: str = ""
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
        avatar_url=row.avatar_url[:ADDRESS_LENGTH],
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
    """Return the first problem of the cells with its detail."""
    has_number, has_year, has_piano = bool(row.start_number), bool(row.birth_year), bool(row.piano)
    checks = (
        (has_number and number is None, RowProblem.NUMBER, row.start_number),
        (has_year and year is None, RowProblem.YEAR, row.birth_year),
        (len(row.biography) > BIOGRAPHY_LENGTH, RowProblem.BIOGRAPHY, ""),
        (len(row.name_local) > FULL_NAME_LENGTH, RowProblem.NAME_LONG, ""),
        (len(row.program) > PROGRAM_PIECES, RowProblem.PROGRAM, ""),
        (has_piano and max(map(len, astuple(piano_read(row.piano)))) > NAME_LENGTH, RowProblem.PIANO_LONG, ""),
        (bool(row.avatar_url) and not is_picture_address(row.avatar_url), RowProblem.PICTURE, row.avatar_url),
    )
    found = ((problem, f"“{cell[:_SHOWN]}”" if cell else "") for is_wrong, problem, cell in checks if is_wrong)
    return next(found, (RowProblem.NONE, ""))


def _number_problem(line: int, number: int, names: tuple[str, str, str], known: KnownPeople) -> tuple[RowProblem, str]:
    is_there = (
        known.id_of(*names) is not None
    )  # then the plan decides, when all rows are read: numbers may be exchanged
    if not is_there and (owner := known.number_owner(number, *names)):
        return RowProblem.NUMBER_TAKEN, f"{number}, {owner}"
    if earlier := known.number_line(number, line, *names):
        return RowProblem.NUMBER_TWICE, f"{number}, {earlier}"
    return RowProblem.NONE, ""
