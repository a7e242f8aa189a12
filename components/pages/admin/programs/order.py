"""The order in which a program is played: each piece moves up and down."""

from apps.competition.selectors import EntryRow, ProgramRow
from apps.core.texts import Texts, texts
from components.markup import VdomDict, html
from components.pages.admin.programs.query import Where
from components.ui.blocks import go_on_here, link
from components.ui.controls.commands import command_button


def order_panel(row: ProgramRow, where: Where, language: str) -> VdomDict:
    """Return the pieces of a program in their order, with buttons that move them."""
    t, last = texts(language), len(row.entries) - 1
    entries = [_entry(entry, at == 0, at == last, t) for at, entry in enumerate(row.entries)]
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


def _entry(entry: EntryRow, is_first: bool, is_last: bool, t: Texts) -> VdomDict:  # noqa: FBT001 - private
    return html.li(
        {"key": f"move-{entry.id}"},
        html.span({"class": "nr"}, str(entry.order_number)),
        html.span({"class": "slot__piece"}, entry.piece),
        html.div(
            {"class": "slot__acts"},
            _move(entry, "up", "↑", t("Move up: {piece}"), is_first),
            _move(entry, "down", "↓", t("Move down: {piece}"), is_last),
        ),
    )


def _move(entry: EntryRow, way: str, arrow: str, words: str, is_idle: bool) -> VdomDict:  # noqa: FBT001 - private
    """Return a button; at the end of the order it stays, disabled, so that the focus is not lost."""
    doing = {"aria-disabled": "true"} if is_idle else command_button("program_entry_move", f"{entry.id}:{way}")
    own = {"type": "button", "class": "icon-button", "aria-label": words.format(piece=entry.piece)}
    return html.button(own | doing, arrow)
