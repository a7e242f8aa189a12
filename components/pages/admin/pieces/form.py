"""The fields of a piece, which adding and editing share, and the form of one that is there."""

from typing import Any

from apps.competition.enums import Category
from apps.competition.limits import PIECE_LENGTH
from apps.competition.selectors import PieceEdit
from apps.core.texts import Texts, texts
from components.markup import VdomDict, component
from components.page import Page
from components.ui.controls import forms
from components.ui.controls.commands import command_form
from components.ui.frames.admin_frame import backstage, form_page

PATH = "/admin/pieces"


@component
def piece_form(page: Page) -> VdomDict:
    """The form of the piece that is edited."""
    t, piece = texts(page.language), page.data
    form = form_page(
        command_form("piece_update", piece.id, draft=f"piece:{piece.id}"),
        *piece_fields(t, piece),
        save=t("Update Piece"),
        cancel=PATH,
        version=piece.version,
        language=page.language,
    )
    return backstage(page.title, form, page=page, trail=[(PATH, t("Pieces"))])


def piece_fields(t: Texts, piece: PieceEdit | None = None) -> list[VdomDict]:
    """Return the fields of a piece, or of a new one."""
    choices = [(category.value, t(str(category.label))) for category in Category]
    name: dict[str, Any] = {"maxLength": PIECE_LENGTH, "autoComplete": "off"}
    if piece is None:
        name["placeholder"] = t("Nocturne in D-flat major, Op. 27 No. 2")
        to_choose = [("", t("Choose a category")), *choices]
        return [forms.select(t("Category"), "category", to_choose), forms.field(t("Name of the piece"), "name", **name)]
    hint = t("Title, key, opus and number. A name of another kind stays as it is typed.")
    return [
        forms.select(t("Category"), "category", choices, piece.category),
        forms.field(t("Name of the piece"), "name", value=piece.name, hint=hint, **name),
    ]
