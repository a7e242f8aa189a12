"""Sentences about programs that were taken."""

from collections import defaultdict
from collections.abc import Sequence

from apps.core.texts import Texts
from apps.imports.enums import LineStatus
from apps.imports.limits import LINES_NAMED
from apps.imports.program_lines.results import ProgramLine
from apps.imports.services.program_offers import ProgramsTaken
from apps.imports.services.programs import ProgramsAssigned


def taken_words(taken: ProgramsTaken, t: Texts) -> list[str]:
    """Return the lines of the summary: what was taken, the sum of all performers, and the pieces not found by name."""
    performers = t.plural("%(n)d performer", "%(n)d performers", len(taken.taken))
    pieces = t.plural("%(n)d piece", "%(n)d pieces", taken.pieces)
    lines = [t("Program updated successfully") + f": {performers}, {pieces}."] if taken.taken else []
    groups = (
        (len(taken.taken), t("taken: {n}")),
        (len(taken.had_program), t("already with a program: {n}")),
        (len(taken.nothing_offered), t("nothing to take: {n}")),
        (len(taken.nothing_found), t("no piece found: {n}")),
    )
    parts = ", ".join(words.format(n=n) for n, words in groups if n)
    of_all = t.plural("Of %(n)d performer:", "Of %(n)d performers:", taken.all)
    lines.append(f"{of_all} {parts}.")
    return lines + ([missing_words(taken.missing, t)] if taken.missing else [])


def missing_words(missing: tuple[tuple[str, str], ...], t: Texts) -> str:
    """Return the pieces that were not found, each with the names of its performers."""
    names: dict[str, list[str]] = defaultdict(list)
    for piece, name in missing:
        names[piece].append(name)
    listed = "; ".join(f"{piece} ({', '.join(people)})" for piece, people in names.items())
    return t("Not found: {pieces}.").format(pieces=listed)


def assigned_words(assigned: ProgramsAssigned, t: Texts, *, is_single: bool) -> list[str]:
    """Return the lines of the summary of an assignment, of one performer's program if `is_single`, and what is left."""
    if is_single and (assigned.assigned or assigned.without_pieces):
        return _single_words(assigned, t)
    programs = t.plural("%(n)d program", "%(n)d programs", len(assigned.assigned))
    pieces = t.plural("%(n)d piece", "%(n)d pieces", assigned.pieces)
    lines = [t("Assigned: {programs}, {pieces}.").format(programs=programs, pieces=pieces)]
    groups = (
        (len(assigned.assigned), t("assigned: {n}")),
        (len(assigned.had_program), t("already with a program: {n}")),
        (len(assigned.without_pieces), t("without a piece: {n}")),
        (len(assigned.without_performer), t("without a performer: {n}")),
    )
    parts = ", ".join(words.format(n=n) for n, words in groups if n)
    of_all = t.plural("Of %(n)d block:", "Of %(n)d blocks:", assigned.blocks)
    lines.append(f"{of_all} {parts}.")
    return lines + left_words(assigned.missing, t)


def _single_words(assigned: ProgramsAssigned, t: Texts) -> list[str]:
    """Return the specification's words about one performer's program."""
    if assigned.is_complete:
        return [t("Program assigned successfully!")]
    partly = t("Program partially assigned. {n} pieces matched, {m} pieces not found.")
    return [partly.format(n=assigned.pieces, m=len(assigned.missing)), *left_words(assigned.missing, t)]


def left_words(lines: Sequence[ProgramLine], t: Texts) -> list[str]:
    """Return which lines of a text gave no piece: the numbers of those to decide, and of those without any."""
    asked = [each.number for each in lines if each.status is not LineStatus.UNKNOWN]
    unknown = [each.number for each in lines if each.status is LineStatus.UNKNOWN]
    words = []
    if asked:
        words.append(t.plural("To decide: line {n}.", "To decide: lines {n}.", len(asked)).format(n=_listed(asked)))
    if unknown:
        words.append(t.plural("Not found: line {n}.", "Not found: lines {n}.", len(unknown)).format(n=_listed(unknown)))
    return words


def _listed(numbers: Sequence[int]) -> str:
    """Return the first numbers, with a sign that there are more."""
    return ", ".join(map(str, numbers[:LINES_NAMED])) + (", …" if len(numbers) > LINES_NAMED else "")
