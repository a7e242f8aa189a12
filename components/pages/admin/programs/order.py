"""The order in which a program is played: each piece moves up and down."""

from apps.competition.selectors import EntryRow, ProgramRow
from apps.core.texts import texts
from components.markup import VdomDict, html
from components.pages.admin.programs.query import Where
from components.ui.blocks import go_on_here, link
from components.ui.controls.commands import command_button
from components.ui.piece_title import work, work_text


def order_panel(row: ProgramRow, where: Where, language: str) -> VdomDict:
    """Return the pieces of a program in their order, with buttons that move them."""
    t, last = texts(language), len(row.entries) - 1
    entries = [_entry(entry, at == 0, at == last, language) for at, entry in enumerate(row.entries)]
    heading = t("Order of playing: {name}").format(name=row.name)
    return html.div(
        {"class": "slot__panel"},
        html.div(
            {"class": "slot__panel-head"},
            html.h3({"id": "order-heading"}, go_on_here(), heading),
            link(where.opened(), t("Close")),
        ),
        html.ol({"class": "moves", "aria-labelledby": "order-heading"}, *entries),
    )


def _entry(entry: EntryRow, is_first: bool, is_last: bool, language: str) -> VdomDict:  # noqa: FBT001 - private
    t, piece = texts(language), work_text(entry.piece, language=language)
    return html.li(
        {"key": f"move-{entry.id}"},
        html.span({"class": "nr"}, str(entry.order_number)),
        html.span({"class": "slot__piece"}, work(entry.piece, language=language)),
        html.div(
            {"class": "slot__acts"},
            _move(entry, "up", "↑", t("Move up: {piece}").format(piece=piece), is_first),
            _move(entry, "down", "↓", t("Move down: {piece}").format(piece=piece), is_last),
        ),
    )


def _move(entry: EntryRow, way: str, arrow: str, words: str, is_idle: bool) -> VdomDict:  # noqa: FBT001 - private
    """Return a button; at the end of the order it stays, disabled, so that the focus is not lost."""
    doing = {"aria-disabled": "true"} if is_idle else command_button("program_entry_move", f"{entry.id}:{way}")
    own = {"type": "button", "class": "icon-button", "aria-label": words}
    return html.button(own | doing, arrow)
