"""The content of a stage's sheet: marks and official figures, their digest, and what another content changes."""

import hashlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from django.core.exceptions import ValidationError

from apps.core.text_rules import fold
from apps.jury.arithmetic import Marks
from apps.jury.limits import JURORS, SHEET_PARTICIPANTS
from apps.jury.rules import Rule

RECUSED = "S"  # as official sheets write it: the performer is the juror's own student
Cell = Decimal | str  # a mark, or RECUSED


@dataclass(frozen=True, slots=True)
class Official:
    """The official figures of one performer; None where the file has none."""

    score: Decimal | None = None
    cumulated: Decimal | None = None
    rank: int | None = None


@dataclass(frozen=True, slots=True)
class SheetContent:
    """Marks by participant's id and juror's name, and official figures by participant's id."""

    marks: Mapping[tuple[int, str], Cell] = field(default_factory=dict)
    officials: Mapping[int, Official] = field(default_factory=dict)

    @property
    def participants(self) -> frozenset[int]:
        """The ids of the participants with marks."""
        return frozenset(participant_id for participant_id, _ in self.marks)

    @property
    def by_participant(self) -> Marks:
        """The marks by participant's id and juror's number in the order of names, without those of recused jurors."""
        jurors = {juror: number for number, juror in enumerate(sorted({juror for _, juror in self.marks}))}
        marks: dict[int, dict[int, Decimal]] = {pk: {} for pk in self.participants}
        for (participant_id, juror), cell in self.marks.items():
            if isinstance(cell, Decimal):
                marks[participant_id][jurors[juror]] = cell
        return marks

    def of_performers(self) -> "SheetContent":
        """Return the content without official figures of participants who have no marks."""
        officials = {pk: each for pk, each in self.officials.items() if pk in self.participants}
        return SheetContent(self.marks, officials)

    @property
    def digest(self) -> str:
        """Return the SHA-256 of the content; the order of rows and the spelling of jurors do not change it."""
        lines = [f"{pk}|{fold(juror)}|{_text(cell)}" for (pk, juror), cell in self.marks.items()]
        lines += [
            f"{pk}|{_text(each.score)}|{_text(each.cumulated)}|{each.rank or ''}" for pk, each in self.officials.items()
        ]
        return hashlib.sha256("\n".join(sorted(lines)).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class MarkChange:
    """A mark that differs between two contents; None where one of them has none."""

    participant_id: int
    juror: str
    before: Cell | None
    after: Cell | None


def marks_changed(before: SheetContent, after: SheetContent) -> tuple[MarkChange, ...]:
    """Return each mark that differs, by participant and juror."""
    old, new = _folded(before), _folded(after)
    changes = (
        MarkChange(key[0], (new.get(key) or old[key])[0], _cell(old.get(key)), _cell(new.get(key)))
        for key in sorted({*old, *new})
    )
    return tuple(each for each in changes if each.before != each.after)


def _folded(content: SheetContent) -> dict[tuple[int, str], tuple[str, Cell]]:
    return {(pk, fold(juror)): (juror, cell) for (pk, juror), cell in content.marks.items()}


def _cell(found: tuple[str, Cell] | None) -> Cell | None:
    return found[1] if found else None


def _text(value: Cell | None) -> str:
    """Return a mark with two decimals, so that 21 and 21.0 are the same."""
    return f"{value:.2f}" if isinstance(value, Decimal) else value or ""


def content_check(content: SheetContent, rule: Rule, place: int) -> None:
    """Raise ValidationError for a content that `rule` does not allow in the stage with this place."""
    if not 1 <= place <= rule.stages:
        raise ValidationError("The edition has stages 1 to %(most)d.", params={"most": rule.stages})
    if not content.marks:
        raise ValidationError("There are no marks of this stage yet. Please import them first.")
    if len({fold(juror) for _, juror in content.marks}) > JURORS or len(content.participants) > SHEET_PARTICIPANTS:
        raise sheet_too_large()
    if len({(pk, fold(juror)) for pk, juror in content.marks}) != len(content.marks):
        raise ValidationError("A juror has two marks of one performer.")
    marks = [(pk, cell) for (pk, _), cell in content.marks.items() if cell != RECUSED]
    if not all(isinstance(mark, Decimal) and rule.allows(mark, place) for _, mark in marks):
        lowest, highest = rule.scale(place)
        raise ValidationError(
            "Marks are from %(lowest)s to %(highest)s.", params={"lowest": lowest, "highest": highest}
        )
    left_out = 2 * rule.stage(place).left_out
    fewest = min(Counter(pk for pk, _ in marks).values(), default=left_out + 1)
    if fewest <= left_out:  # the mean of no mark would divide by zero
        sentence = "A performer has only %(n)d of the jurors’ marks, and %(left)d are left out: no mark remains."
        raise ValidationError(sentence, params={"n": fewest, "left": left_out})


def sheet_too_large() -> ValidationError:
    """Return the error of a content with more jurors or performers than a sheet has."""
    words = "A sheet has at most %(jurors)d jurors and %(performers)d performers."
    return ValidationError(words, params={"jurors": JURORS, "performers": SHEET_PARTICIPANTS})
