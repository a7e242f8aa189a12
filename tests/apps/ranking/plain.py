"""A slow and plain second implementation of the ranking's method: the oracle of the real one.

It uses decimals of fifty digits, and a list with five copies of each mark that is trimmed by whole places. It shares
no code with `apps/ranking/method.py`.
"""

from collections.abc import Iterable, Mapping
from decimal import ROUND_HALF_UP, Decimal, getcontext

getcontext().prec = 50
Marks = Mapping[str, Mapping[str, Decimal]]  # by rater, by performer


def sheets_that_count(marks: Iterable[tuple[str, str, float]]) -> dict[str, dict[str, Decimal]]:
    """Step 1: raters with three performances and more."""
    sheets: dict[str, dict[str, Decimal]] = {}
    for rater, performer, mark in marks:
        sheets.setdefault(rater, {})[performer] = Decimal(mark)
    return {rater: sheet for rater, sheet in sheets.items() if len(sheet) > 2}


def middle(values: Iterable[Decimal]) -> Decimal:
    """The mean of the three middle fifths."""
    fifths = sorted(value for value in values for _ in range(5))
    count = len(fifths) // 5
    kept = fifths[count : len(fifths) - count]
    return sum(kept, Decimal(0)) / len(kept)


def spread(values: Iterable[Decimal]) -> Decimal:
    """The root mean square about the mean."""
    values = list(values)
    mean = sum(values, Decimal(0)) / len(values)
    return (sum(((value - mean) ** 2 for value in values), Decimal(0)) / len(values)).sqrt()


def given_to(sheets: Marks) -> dict[str, list[Decimal]]:
    """All marks of each performance."""
    marks: dict[str, list[Decimal]] = {}
    for sheet in sheets.values():
        for performer, mark in sheet.items():
            marks.setdefault(performer, []).append(mark)
    return marks


def on_audience_scale(sheets: Marks) -> Marks:
    """Step 2: correct the marks in twenty rounds."""
    corrected = sheets
    for _ in range(20):
        scores = {performer: middle(marks) for performer, marks in given_to(corrected).items()}
        corrected = {rater: _on_scale(sheet, scores) for rater, sheet in sheets.items()}
    return corrected


def _on_scale(sheet: Mapping[str, Decimal], scores: Mapping[str, Decimal]) -> dict[str, Decimal]:
    count = Decimal(len(sheet))
    offset = middle(mark - scores[performer] for performer, mark in sheet.items()) * count / (count + 3)
    mean = sum(sheet.values(), Decimal(0)) / count
    own = spread(sheet.values())
    factor = Decimal(1)
    if count >= 5 and own > Decimal("1e-40"):
        factor = spread(scores[performer] for performer in sheet) / own
        factor = 1 + (min(Decimal(2), max(Decimal("0.5"), factor)) - 1) * count / (count + 8)
    return {performer: mean + (mark - mean) * factor - offset for performer, mark in sheet.items()}


def exact_scores(sheets: Marks) -> dict[str, Decimal]:
    """Steps 3 and 4 of corrected marks, not rounded."""
    by_performer = given_to(sheets)
    everything = [mark for marks in by_performer.values() for mark in marks]
    average = sum(everything, Decimal(0)) / len(everything) if everything else Decimal(0)
    return {
        performer: min(Decimal(25), max(Decimal(1), (middle(marks) * len(marks) + average * 10) / (len(marks) + 10)))
        for performer, marks in by_performer.items()
    }


def shown(score: Decimal) -> Decimal:
    """Round half-up to two decimals; numbers within 1e-9 of a half count as a half."""
    return score.quantize(Decimal("1e-9"), ROUND_HALF_UP).quantize(Decimal("0.01"), ROUND_HALF_UP)
