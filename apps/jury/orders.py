"""The orders of a jury's table, and the ranking of a single juror."""

from collections.abc import Sequence
from decimal import Decimal
from enum import StrEnum

from apps.jury.arithmetic import ranks
from apps.jury.enums import MarkKind
from apps.jury.selectors import JuryRow, JurySheetShown


class JuryOrder(StrEnum):
    """The order of a jury's table; the value is that in the address."""

    RANK = "rank"
    NUMBER = "number"
    NAME = "name"
    JUROR = "juror"  # the marks of the juror in the address


def rows_ordered(sheet: JurySheetShown, order: JuryOrder, juror_id: int = 0) -> Sequence[JuryRow]:
    """Return the rows in this order; rows without a start number, or without a mark of the juror, come last.

    An unknown juror's order is that of the ranks.
    """
    match order:
        case JuryOrder.RANK:
            return sheet.rows
        case JuryOrder.NUMBER:
            return sorted(sheet.rows, key=lambda row: (row.start_number is None, row.start_number or 0, row.rank or 0))
        case JuryOrder.NAME:
            return sorted(sheet.rows, key=lambda row: (row.name.casefold(), row.participant_id))
        case JuryOrder.JUROR:
            marked = [row for _, _, row in juror_ranking(sheet, juror_id)]
            ids = {row.participant_id for row in marked}
            return [*marked, *(row for row in sheet.rows if row.participant_id not in ids)]


def juror_ranking(sheet: JurySheetShown, juror_id: int) -> Sequence[tuple[int, Decimal, JuryRow]]:
    """Return a juror's ranking: rank, mark and row of each performer with a mark. Equal marks share a rank.

    The juror's own students are left out. Empty for a juror who is not of this sheet.
    """
    at = next((place for place, juror in enumerate(sheet.jurors) if juror.id == juror_id), None)
    if at is None:
        return ()
    marks = {row.participant_id: cell for row in sheet.rows if isinstance(cell := row.cells[at], Decimal)}
    places = ranks(marks, lowest_first=sheet.stage_rule.marks is MarkKind.PLACES)
    rows = sorted(
        (row for row in sheet.rows if row.participant_id in marks), key=lambda row: places[row.participant_id]
    )
    return [(places[row.participant_id], marks[row.participant_id], row) for row in rows]
