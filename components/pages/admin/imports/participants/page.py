"""The page Import."""

from dataclasses import dataclass

from apps.accounts.actors import Viewer
from apps.core.texts import texts
from apps.imports.selectors import (
    ImportRow,
    ImportShown,
    SavedImport,
    import_get,
    import_pending,
    import_rows,
    imports_saved,
)
from components.hooks.connection import use_token
from components.markup import VdomDict, component, html
from components.page import Page, Params, Query, number_of
from components.pages.admin.imports.participants.earlier import earlier_imports
from components.pages.admin.imports.participants.file import encoding_form, file_form
from components.pages.admin.imports.participants.query import REFUSED, rows_at
from components.pages.admin.imports.participants.rows import file_rows
from components.pages.admin.imports.tabs import PARTICIPANTS, import_tabs
from components.ui.blocks import link
from components.ui.empty_states import empty
from components.ui.frames.admin_frame import answer_line, backstage
from components.ui.frames.page_grid import section


@dataclass(frozen=True, slots=True)
class ParticipantFile:
    """The file in the address, or the one that this person has not saved yet, with some rows; what was saved before."""

    file: ImportShown | None
    rows: tuple[ImportRow, ...]
    after: int  # the position after which the rows begin
    saved: tuple[SavedImport, ...]
    before: int | None = None  # the file before one that was refused just now, which waits unsaved


def load(viewer: Viewer, params: Params, query: Query, language: str) -> Page:  # noqa: ARG001 - every page's signature
    """Return the page for the file in the address; without one, for the newest that is neither saved nor forgotten."""
    t = texts(language)
    pending = import_pending(user_id=viewer.id or 0)
    is_refused = query.get("file") == REFUSED
    import_id = number_of(query, "file", 0) or (None if is_refused else pending)
    file = import_get(import_id=import_id) if import_id else None
    after = number_of(query, "after", 0)
    rows = import_rows(import_id=file.id, after=after) if file else ()
    return Page(
        description=t("Participants and their pieces from a file."),
        component=participant_import_page,
        data=ParticipantFile(file, rows, after if rows else 0, imports_saved(), pending if is_refused else None),
        topics=("imports",),
    )


@component
def participant_import_page(page: Page) -> VdomDict:
    """The file, what its rows become, and the imports before."""
    t, token, language, data = texts(page.language), use_token(), page.language, page.data
    file = data.file
    limits = html.p(t(".csv or .txt, to 5 MB; columns divided by |"))
    forms = (file_form(file, token, t), encoding_form(file, t) if file else None)
    waiting = link(rows_at(data.before), t("Go on with the file before")) if data.before else None
    nothing = html.div(empty(t("Each row will say here what it will do.")), waiting)
    becomes = file_rows(file, data.rows, data.after, language) if file else nothing
    return backstage(
        t("Import"),
        import_tabs(PARTICIPANTS, t),
        below=(
            section(t("The file"), html.div({"class": "body importing"}, *forms), aside=limits),
            section(
                t("What it becomes"),
                html.div({"class": "body", "data-answers": ""}, answer_line(), becomes),
                name="rows",
            ),
            section(t("Earlier imports"), earlier_imports(data.saved, language)),
        ),
        page=page,
    )
