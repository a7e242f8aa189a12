"""What was imported before: by whom, when, what came of it, and the way back."""

from collections.abc import Sequence

from apps.core.database.clock import venue_zone
from apps.core.texts import Texts, texts
from apps.imports.enums import ImportState
from apps.imports.participant_files.summary import rows_words
from apps.imports.selectors import SavedImport
from components.markup import Markup, VdomDict, html
from components.pages.admin.imports.participants.query import rows_at
from components.ui.blocks import link
from components.ui.controls.commands import command_button
from components.ui.frames.admin_frame import answer_line
from components.ui.venue_time import day


def earlier_imports(saved: Sequence[SavedImport], language: str) -> VdomDict:
    """Return the imports that were saved last, the newest first."""
    t = texts(language)
    if not saved:
        return html.div({"class": "body"}, html.p({"class": "muted"}, t("Nothing was imported yet.")))
    lines = (html.li({"key": f"import-{each.id}"}, *_line(each, language)) for each in saved)
    return html.div({"class": "body", "data-answers": ""}, answer_line(), html.ul({"class": "lines"}, *lines))


def _line(saved: SavedImport, language: str) -> tuple[Markup, ...]:
    t = texts(language)
    by = t("by {name},").format(name=saved.username or t("the terminal"))
    people = t.plural("%(n)d new participant", "%(n)d new participants", saved.summary.new_participants)
    new = f"{people}, {t.plural('%(n)d new piece', '%(n)d new pieces', saved.summary.new_pieces)}"
    left = "" if saved.state == ImportState.UNDONE else f"; {rows_words(saved.counts, t)}"
    about = html.span(
        {"class": "work__key"}, by, " ", day(saved.saved_at, zone=venue_zone(), language=language), ": ", new, left
    )
    return (
        html.span({"class": "work"}, html.b(link(rows_at(saved.id), saved.file_name)), " ", about),
        html.span({"class": "dots"}),
        _way_back(saved, t),
    )


def _way_back(saved: SavedImport, t: Texts) -> VdomDict:
    if not saved.can_be_undone:
        words = t("taken back") if saved.state == ImportState.UNDONE else t("nothing new")
        return html.span({"class": "small muted"}, words)
    undo = command_button(
        "import_undo",
        saved.id,
        confirm=t("Take back all that {file} made?").format(file=saved.file_name),
        words=t("It stays as it is while anything hangs on what it made."),
        yes=t("Take back"),
    )
    label = {"aria-label": t("Take back: {file}").format(file=saved.file_name)}
    return html.button({"class": "link"} | undo | label, t("Take back"))
