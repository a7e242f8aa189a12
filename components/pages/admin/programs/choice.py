"""The panel of pieces for a slot, searched by name; a click chooses one."""

from typing import Any

from apps.competition.enums import Category
from apps.competition.selectors import PieceChoice, PieceTitle, ProgramRow, SlotRow, pieces_to_choose
from apps.core.limits import SEARCH_LENGTH
from apps.core.texts import Texts, texts
from components.hooks.live_query import use_live_query
from components.markup import Markup, VdomDict, component, html
from components.pages.admin.programs.query import PATH, Where
from components.ui.blocks import go_on_here, link
from components.ui.controls.commands import command_button
from components.ui.controls.forms import field
from components.ui.piece_title import work


@component
def piece_choice(row: ProgramRow, slot: SlotRow, first: PieceChoice, where: Where, language: str) -> VdomDict:
    """The pieces, kept current with the catalogue; what was chosen is marked."""
    t, chosen = texts(language), frozenset(entry.piece.id for entry in slot.entries)
    choice = use_live_query(pieces_to_choose, "pieces", initial=first, category=slot.slot, query=where.find)
    heading = t("Choose for {name}: {group}").format(name=row.name, group=t(str(Category(slot.slot).label)))
    return html.li(
        {"class": "slot__panel"},
        html.div(
            {"class": "slot__panel-head"},
            html.h4({"id": "choice-heading"}, go_on_here(), heading),
            _search(where, t),
            link(where.opened(), t("Close")),
        ),
        _pieces(row, choice, chosen, language) if choice.pieces else _nothing(where, t),
        html.p({"class": "small muted"}, t("There are more: search by name.")) if choice.more else None,
    )


def _search(where: Where, t: Texts) -> VdomDict:
    hidden_fields = [
        html.input({"type": "hidden", "key": name, "name": name, "value": text}) for name, text in where.fields.items()
    ]
    name: dict[str, Any] = {
        "type": "search",
        "maxLength": SEARCH_LENGTH,
        "autoComplete": "off",
        "placeholder": t("c-sharp, 27"),
    }
    return html.form(
        {"class": "slot__search", "method": "get", "action": PATH, "data-navigate": ""},
        *hidden_fields,
        field(t("Search"), "find", value=where.find, **name),
        html.button({"class": "button button--plain scriptless", "type": "submit"}, t("Search")),
    )


def _pieces(row: ProgramRow, choice: PieceChoice, chosen: frozenset[int], language: str) -> VdomDict:
    rows = [
        html.li({"key": f"piece-{piece.id}"}, _piece(row.appearance_id, piece, piece.id in chosen, language))
        for piece in choice.pieces
    ]
    return html.ul({"class": "picks", "aria-labelledby": "choice-heading"}, *rows)


def _piece(appearance_id: int, piece: PieceTitle, is_chosen: bool, language: str) -> VdomDict:  # noqa: FBT001 - private
    t = texts(language)
    state = {"aria-pressed": "true" if is_chosen else "false"}
    state |= {"data-ask": t("Change what listeners rated?"), "data-ask-yes": t("Choose")}
    return html.button(
        {"class": "pick"} | command_button("program_select", f"{appearance_id}:{piece.id}") | state,
        work(piece, language=language),
    )


def _nothing(where: Where, t: Texts) -> Markup:
    if where.find:
        return html.p({"class": "muted"}, t("No pieces found matching your criteria."))
    return html.p({"class": "muted"}, t("No pieces yet."), " ", link("/admin/pieces", t("Add pieces")))
