"""Texts about a saved file, shared by the page, the command's answer and the terminal."""

from collections.abc import Sequence

from apps.core.texts import Texts
from apps.imports.selectors.participant_files import ImportCounts, ImportSummary


def summary_words(summary: ImportSummary, t: Texts) -> str:
    """Return the numbers of new and existing participants and pieces, as a sentence."""
    words = t(
        "Participants: {new_participants} new, {existing_participants} existing. "
        "Pieces: {new_pieces} new, {existing_pieces} existing."
    ).format(**{field: getattr(summary, field) for field in summary.__slots__})
    filled, pianos = summary.filled_participants, summary.pianos
    more = (
        t.plural("%(n)d existing participant was completed.", "%(n)d existing participants were completed.", filled),
        t.plural("%(n)d performance got its piano.", "%(n)d performances got their pianos.", pianos),
    )
    return " ".join((words, *(each for each, count in zip(more, (filled, pianos), strict=True) if count)))


def sheet_words(name: str, others: Sequence[str], hidden: int, t: Texts) -> str:
    """Return which sheet of a workbook is read, which others there are, and how many hidden rows it has."""
    words = [t("The sheet “{name}” is read.").format(name=name)]
    if others:
        words.append(t("Not read: {names}.").format(names=", ".join(f"“{each}”" for each in others)))
    if hidden:
        words.append(t.plural("%(n)d hidden row is read too.", "%(n)d hidden rows are read too.", hidden))
    return " ".join(words)


def rows_words(counts: ImportCounts, t: Texts) -> str:
    """Return the number of saved rows, and the numbers of unsaved rows by reason."""
    saved = t.plural("%(n)d row saved.", "%(n)d rows saved.", counts.saved)
    kinds = (
        (counts.unsaved, t("decided since")),
        (counts.undecided, t("to decide")),
        (counts.bad, t("bad")),
        (counts.short, t("short, skipped")),
    )
    left = ", ".join(f"{count} {words}" for count, words in kinds if count)
    if counts.saved_hidden:
        hidden = t.plural(
            "%(n)d of them is hidden in the workbook.", "%(n)d of them are hidden in the workbook.", counts.saved_hidden
        )
        saved = f"{saved} {hidden}"
    return f"{saved} {t('Not saved: {left}.').format(left=left)}" if left else saved
