"""Texts about a saved file, shared by the page, the command's answer and the terminal."""

from apps.core.texts import Texts
from apps.imports.selectors import ImportCounts, ImportSummary


def summary_words(summary: ImportSummary, t: Texts) -> str:
    """Return the numbers of new and existing participants and pieces, as a sentence."""
    return t(
        "Participants: {new_participants} new, {existing_participants} existing. "
        "Pieces: {new_pieces} new, {existing_pieces} existing."
    ).format(**{field: getattr(summary, field) for field in summary.__slots__})


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
    return f"{saved} {t('Not saved: {left}.').format(left=left)}" if left else saved
