"""The page "Pieces": the catalogue by category with a form for new pieces, and the form of a piece."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from apps.competition.enums import Category
from apps.competition.limits import PIECE_ABOUT, PIECE_PARTS, PIECE_TEXTS
from apps.competition.selectors.admin.pieces import (
    PieceEdit,
    PieceGroup,
    PiecePage,
    PieceRow,
    piece_edit,
    pieces_by_category,
)
from apps.core.limits import SEARCH_LENGTH
from apps.core.texts import Texts, texts
from components.pages.admin.entity_screen import RowForm, edit_at, entity_page
from components.pages.public.not_found import not_found_page
from components.runtime import Markup, Page, PageRequest, VdomDict, command_form, component, html
from components.ui import forms
from components.ui.blocks import paging
from components.ui.empty_states import empty, skeleton
from components.ui.frames import answered_list, backstage, delete_button, edit_link, row, rows, search, tools
from components.ui.pieces import category, category_marks, work, work_text

PATH = "/admin/pieces"


def _form(piece: PieceEdit | None, t: Texts) -> RowForm[PieceEdit]:
    create = command_form("piece_add", draft="piece:new")
    command = command_form("piece_update", piece.id, draft=f"piece:{piece.id}") if piece else create
    return RowForm(
        piece,
        t,
        (PATH, t("Pieces")),
        title=t("Edit Piece"),
        description=t("The catalogue that programs are made of."),
        command=command | {"data-ask": t("Save these changes?"), "data-ask-yes": t("Save")},
        save=t("Update Piece") if piece else t("Add Piece"),
        fields=_fields,
        lengths=PIECE_TEXTS | PIECE_ABOUT | PIECE_PARTS,
    )


def _fields(form: RowForm[PieceEdit]) -> list[VdomDict]:
    t = form.t
    choices = [(each.value, str(each.label)) for each in Category]
    name: dict[str, Any] = {"placeholder": t("Nocturne in D-flat major, Op. 27 No. 2")}
    if form.row:
        name = {"hint": t("Title, key, opus and number. A name of another kind stays as it is typed.")}
    return [
        form.select(
            t("Category"),
            "category",
            choices if form.row else [("", t("Choose a category")), *choices],
            stored=category_marks,
        ),
        form.field(t("Name of the piece"), "name", autoComplete="off", **name),
        *(_about(form) if form.row else ()),
    ]


def _about(form: RowForm[PieceEdit]) -> list[VdomDict]:
    """Return the further fields of a stored piece: composer, length, parts, and what its page shows."""
    t, is_set = form.t, form.row is not None and form.row.is_set
    score = t("An https:// address where the score can be read, such as a library’s.")
    words = t("A few words for listeners, shown on the page of the piece. Markdown as in news.")
    composer, minutes, parts, members = _rarer(t)
    return [
        *([] if is_set else [form.field(**composer)]),
        form.field(**minutes),
        form.area(**(members if is_set else parts)),
        form.field(t("Score"), "score_url", type="url", hint=score, autoComplete="off"),
        form.area(t("Note"), "note", rows=5, hint=words),
    ]


def _rarer(t: Texts) -> tuple[dict[str, Any], ...]:
    """Return the attributes of the fields for composer, length, movements, and the pieces of a set."""
    minutes = {"inputMode": "decimal", "autoComplete": "off"}
    parts = t("One a line. The piece stays one item of a program, with one mark.")
    members = t("One a line, such as: Mazurka op. 30 no. 2. Its category and length follow from them.")
    composer = t("Only of works of other composers.")
    return (
        {"label": t("Composer"), "name": "composer", "hint": composer, "autoComplete": "off"},
        {"label": t("Usual length in minutes"), "name": "minutes", **minutes},
        {"label": t("Movements or sections"), "name": "parts", "hint": parts, "rows": 4},
        {"label": t("Pieces of a set"), "name": "members", "hint": members, "rows": 4},
    )


@dataclass(frozen=True, slots=True)
class Catalogue:
    """A page of the pieces that match the search, grouped by category."""

    query: str
    page: PiecePage


def load(request: PageRequest) -> Page:
    """Return a page (`page`) of the catalogue, filtered by the search (`q`), or the form of a piece."""
    t = request.t
    return entity_page(
        request,
        listing=lambda: _listing(request),
        read=lambda pk: piece_edit(piece_id=pk),
        form=lambda piece: _form(piece, t),
        missing=lambda _: not_found_page(t("Piece not found."), (PATH, t("Back to the pieces")), "pieces"),
        creates=False,  # the list has the form of a new piece
    )


def _listing(request: PageRequest) -> Page:
    text, about = request.search_text(), request.t("The catalogue that programs are made of.")
    catalogue = Catalogue(text, pieces_by_category(query=text, number=request.page_number()))
    return Page(about, piece_list, data=catalogue, topics=("pieces",))


@component
def piece_list(page: Page) -> VdomDict:
    """Render the form for a new piece, the search and the categories."""
    t, catalogue = texts(page.language), page.data
    find = forms.field(t("Search"), "q", value=catalogue.query, type="search", maxLength=SEARCH_LENGTH)
    listing, query = catalogue.page, {"q": catalogue.query}
    return backstage(
        page.title,
        _adding(_form(None, t)),
        tools(search(PATH, find, language=page.language)),
        skeleton(),
        answered_list(
            _jumps(catalogue, t),
            *_groups(catalogue, page.language),
            paging(listing.number, listing.pages, path=PATH, query=query, language=page.language),
        ),
        page=page,
    )


def _adding(form: RowForm[PieceEdit]) -> VdomDict:
    t = form.t
    return html.form(
        {**form.command, "class": "adding", "aria-label": t("Add a piece")},
        *form.fields(form),
        html.button({"class": "button", "type": "submit", "data-busy": t("Saving...")}, form.save),
        _more(form),
        html.p({"class": "said adding__said", "data-answer": "", "role": "status"}),
    )


def _more(form: RowForm[PieceEdit]) -> VdomDict:
    """Return the rarer fields of a new piece: composer, length, movements, and the pieces of a set."""
    composer, minutes, parts, members = _rarer(form.t)
    return html.details(
        html.summary({"class": "link"}, form.t("Composer, length, movements, or a set")),
        html.div(
            {"class": "stack"}, form.field(**composer), form.field(**minutes), form.area(**parts), form.area(**members)
        ),
    )


def _jumps(catalogue: Catalogue, t: Texts) -> Markup:
    """Return links to the categories, also on other pages; None if fewer than two have pieces."""
    shown = [group for group in catalogue.page.groups if group.count]
    if len(shown) < 2:  # noqa: PLR2004 - one needs no choice
        return None
    links = (
        html.li(
            {"key": group.category},
            html.a({"class": "link", "href": _address(catalogue, group)}, category(group.label)),
        )
        for group in shown
    )
    return html.nav({"key": "jumps", "class": "jumps", "aria-label": t("Categories")}, html.ul(*links))


def _groups(catalogue: Catalogue, language: str) -> list[VdomDict]:
    """Return the categories with pieces on this page and, without a search, the empty categories."""
    t, groups = texts(language), catalogue.page.groups
    if catalogue.query and not any(group.count for group in groups):
        return [empty(t("No pieces found matching your criteria."))]
    return [_group(each, language) for each in groups if each.pieces or not (each.count or catalogue.query)]


def _address(catalogue: Catalogue, group: PieceGroup) -> str:
    """Return the address of a category: a fragment on this page, or the page on which it begins."""
    if group.pieces:
        return f"#{_heading(group)}"
    return f"{PATH}?{urlencode({'q': catalogue.query, 'page': group.number})}#{_heading(group)}"


def _heading(group: PieceGroup) -> str:
    return f"category-{group.category}"


def _group(group: PieceGroup, language: str) -> VdomDict:
    t, heading = texts(language), _heading(group)
    count = t.plural("%(n)d piece", "%(n)d pieces", group.count)
    pieces = rows(*(_row(piece, language) for piece in group.pieces))
    return html.section(
        {"key": heading, "class": "shelf", "aria-labelledby": heading},
        html.div(
            {"class": "shelf__label"},
            html.h2({"id": heading} | category_marks(group.label), group.label),
            html.p(count),
        ),
        pieces if group.pieces else html.p({"class": "shelf__bare"}, t("No pieces yet.")),
    )


def _row(each: PieceRow, language: str) -> VdomDict:
    t, piece = texts(language), each.piece
    name = work_text(piece, language=language, as_stored=True)
    programs = t.plural("in %(n)d program", "in %(n)d programs", each.programs) if each.programs else ""
    return row(
        f"piece-{piece.id}",
        html.p({"class": "shelf__piece"}, work(piece, language=language, as_stored=True)),
        html.p({"class": "entries__about"}, programs) if programs else None,
        acts=[
            edit_link(edit_at(PATH, piece.id), name, language=language),
            delete_button(
                "piece_delete",
                piece.id,
                named=name,
                ask=t("Delete the piece {name}?").format(name=name),
                words=t("It leaves the catalogue for good."),
                language=language,
            ),
        ],
        look="entries__row--tight",
    )
