"""Texts about a jury's file, shared by the page and the terminal."""

from apps.core.texts import Texts
from apps.imports.enums import JuryFileKind
from apps.imports.jury_files.sheets import LineFault, SheetRead


def fault_words(fault: LineFault, t: Texts) -> str:
    """Return the sentence of a fault."""
    return t(str(fault.fault.label)) % fault.params


def counts_words(sheet: SheetRead, t: Texts) -> str:
    """Return performers, jurors, and the lines by what becomes of them, which add up."""
    performers = len({each.participant.id if each.participant else each.mark for each in sheet.people})
    parts = [t.plural("%(n)d performer", "%(n)d performers", performers)]
    if sheet.kind is JuryFileKind.MARKS:
        parts.append(t.plural("%(n)d juror", "%(n)d jurors", len(sheet.jurors)))
    lines = (
        t.plural("Of %(n)d cell:", "Of %(n)d cells:", sheet.lines)
        if sheet.is_matrix
        else t.plural("Of %(n)d line:", "Of %(n)d lines:", sheet.lines)
    )
    groups = (
        (sheet.marks, t("marks: {n}") if sheet.kind is JuryFileKind.MARKS else t("official scores: {n}")),
        (sheet.recused, t("recused: {n}")),
        (sheet.left, t("left: {n}")),
    )
    return f"{', '.join(parts)}. {lines} {', '.join(words.format(n=n) for n, words in groups)}."


def commas_words(sheet: SheetRead, t: Texts) -> str:
    """Return how many marks have a decimal comma, as a sentence."""
    return t.plural("%(n)d mark has a decimal comma.", "%(n)d marks have a decimal comma.", sheet.commas)
