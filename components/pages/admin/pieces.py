"""The page Pieces: the catalogue by category, adding and deleting."""

from dataclasses import dataclass
from typing import Any

from apps.accounts.actors import Viewer
from apps.competition.limits import PIECE_LENGTH
from apps.competition.selectors import PieceGroup, PieceRow, pieces_by_category
from apps.core.limits import SEARCH_LENGTH
from apps.core.texts import Texts, texts
from components.markup import VdomDict, component, html
from components.page import Page, Params, Query
from components.ui.controls import forms
from components.ui.controls.commands import command_form
from components.ui.empty_states import empty, skeleton
from components.ui.frames.admin_frame import answered_list, backstage, delete_button, row, rows, search, tools

PATH = "/admin/pieces"


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The pieces that match the search, by category."""

    query: str
    groups: tuple[PieceGroup, ...]


def load(viewer: Viewer, params: Params, query: Query, language: str) -> Page:  # noqa: ARG001 - every page's signature
    """Return the catalogue, narrowed by the search in the address (`q`)."""
    t, text = texts(language), query.get("q", "").strip()[:SEARCH_LENGTH]
    return Page(
        description=t("The catalogue that programs are made of."),
        component=pieces_page,
        data=Catalogue(text, pieces_by_category(query=text)),
        topics=("pieces",),
    )


@component
def pieces_page(page: Page) -> VdomDict:
    """The form for a new piece, the search, the categories."""
    t, catalogue = texts(page.language), page.data
    find = forms.field(t("Search"), "q", value=catalogue.query, type="search", maxLength=SEARCH_LENGTH)
    return backstage(
        page.title,
        _form(catalogue.groups, t),
        tools(search(PATH, find, language=page.language)),
        skeleton(),
        answered_list(*_groups(catalogue, page.language)),
        page=page,
    )


def _form(groups: tuple[PieceGroup, ...], t: Texts) -> VdomDict:
    choices = [(group.category, t(group.label)) for group in groups]
    name: dict[str, Any] = {
        "maxLength": PIECE_LENGTH,
        "autoComplete": "off",
        "placeholder": t("Nocturne in D-flat major, Op. 27 No. 2"),
    }
    return html.form(
        command_form("piece_add", draft="piece:new") | {"class": "adding", "aria-label": t("Add a piece")},
        forms.select(t("Category"), "category", choices),
        forms.field(t("Name of the piece"), "name", **name),
        html.button({"class": "button", "type": "submit", "data-busy": t("Saving...")}, t("Add Piece")),
        html.p({"class": "said adding__said", "data-answer": "", "role": "status"}),
    )


def _groups(catalogue: Catalogue, language: str) -> list[VdomDict]:
    t = texts(language)
    if catalogue.query and not any(group.pieces for group in catalogue.groups):
        return [empty(t("No pieces found matching your criteria."))]
    return [_group(group, language) for group in catalogue.groups if group.pieces or not catalogue.query]


def _group(group: PieceGroup, language: str) -> VdomDict:
    t, heading = texts(language), f"category-{group.category}"
    count = t.plural("%(n)d piece", "%(n)d pieces", group.count)
    pieces = rows(*(_row(piece, language) for piece in group.pieces))
    return html.section(
        {"key": heading, "class": "shelf", "aria-labelledby": heading},
        html.div({"class": "shelf__label"}, html.h2({"id": heading}, t(group.label)), html.p(count)),
        pieces if group.pieces else html.p({"class": "shelf__bare"}, t("No pieces yet.")),
    )


def _row(piece: PieceRow, language: str) -> VdomDict:
    t = texts(language)
    programs = t.plural("in %(n)d program", "in %(n)d programs", piece.programs) if piece.programs else ""
    return row(
        f"piece-{piece.id}",
        html.p({"class": "shelf__piece"}, piece.name),
        html.p({"class": "entries__about"}, programs) if programs else None,
        acts=[
            delete_button(
                "piece_delete",
                piece.id,
                named=piece.name,
                ask=t("Delete the piece {name}?").format(name=piece.name),
                words=t("It leaves the catalogue for good."),
                language=language,
            )
        ],
        look="entries__row--tight",
    )
