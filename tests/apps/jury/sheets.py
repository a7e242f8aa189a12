"""Jury sheets for tests: jurors and their marks of participants, saved or published."""

from collections.abc import Iterable, Mapping
from decimal import Decimal

from apps.accounts.actors import OPERATOR
from apps.jury.contents import RECUSED, Cell, Official
from apps.jury.services import sheet_publish, sheet_save

JURORS = ("Ada Bell", "Bruno Cerny", "Carla Diaz")


def marks_of(*rows: Iterable[int | str]) -> dict[tuple[int, str], Cell]:
    """Return the marks of these participants: each row is an id and a cell for each of JURORS, "S" for recused."""
    return {
        (int(pk), juror): RECUSED if cell == "S" else Decimal(cell)
        for pk, *row in rows
        for juror, cell in zip(JURORS, row, strict=True)
    }


def published(
    stage_id: int, marks: Mapping[tuple[int, str], Cell], place: int = 1, **named: Mapping[int, Official]
) -> int:
    """Publish these marks of a stage and return the sheet's id."""
    saved = sheet_save(actor=OPERATOR, stage_id=stage_id, place=place, marks=marks, **named)
    sheet_publish(actor=OPERATOR, sheet_id=saved.sheet_id)
    return saved.sheet_id
