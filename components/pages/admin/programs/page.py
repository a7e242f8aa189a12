"""The page Programs: a session's participants in their order, each with a program."""

from dataclasses import dataclass, replace
from typing import Any

from apps.accounts.actors import Viewer
from apps.competition.enums import Category
from apps.competition.selectors import (
    EntryRow,
    PieceChoice,
    ProgramRow,
    SessionOption,
    pieces_to_choose,
    programs_admin,
)
from apps.core.database.paging import NumberedPage
from apps.core.limits import SEARCH_LENGTH
from apps.core.texts import Texts, texts
from components.markup import Markup, VdomDict, component, html, key
from components.page import Page, Params, Query
from components.pages.admin.choices import Choice, session_choice, session_fields
from components.pages.admin.modes import create_at, edit_at
from components.pages.admin.programs.link import link_dialog
from components.pages.admin.programs.query import PATH, Where, where_of
from components.pages.admin.programs.row import program_row
from components.pages.public.not_found import not_found_page
from components.ui.blocks import button_link, paging
from components.ui.controls import forms
from components.ui.empty_states import empty, skeleton
from components.ui.frames import admin_frame as blocks

SESSIONS = "/admin/sessions"


@dataclass(frozen=True, slots=True)
class Sheet:
    """The programs for the address, and the pieces for the open slot."""

    where: Where
    sessions: Choice[SessionOption]
    found: NumberedPage[ProgramRow]
    choice: PieceChoice | None

    @property
    def linked(self) -> tuple[ProgramRow, EntryRow] | None:
        """Return the program and entry whose link is edited, or None."""
        entries = ((row, entry) for row in self.found.rows for entry in row.entries)
        return next(((row, entry) for row, entry in entries if entry.id == self.where.link), None)


def load(viewer: Viewer, params: Params, query: Query, language: str) -> Page:  # noqa: ARG001 - every page's signature
    """Return the programs of the session in the address, of the live or the nearest one without it."""
    t, where = texts(language), where_of(query)
    sessions = session_choice(query, where.session)
    where = replace(where, session=where.session or next((each.id for each in sessions.options), 0))
    if where.session and where.session not in {each.id for each in sessions.options}:
        return not_found_page(t("Session not found."), (PATH, t("Back to the programs")), "sessions")
    found = programs_admin(session_id=where.session, query=where.query, number=where.number)
    where = replace(where, number=found.number)
    return Page(
        description=t("What each participant plays in a session."),
        component=programs_page,
        data=Sheet(where, sessions, found, _choice(where)),
        topics=("sessions",),  # each row follows its own program
    )


def _choice(where: Where) -> PieceChoice | None:
    known = where.appearance and where.slot in Category.values
    return pieces_to_choose(category=where.slot, query=where.find) if known else None


@component
def programs_page(page: Page) -> VdomDict:
    """The session, the search, the programs, and the dialog of a link."""
    t, sheet = texts(page.language), page.data
    return blocks.backstage(
        t("Programs"),
        blocks.tools(
            _search(sheet, page.language), button_link("/admin/program-import", t("Import Programs"), "plain")
        ),
        skeleton(),
        blocks.answered_list(*_listing(sheet, page.language)),
        link_dialog(*sheet.linked, where=sheet.where, language=page.language) if sheet.linked else None,
        page=page,
    )


def _search(sheet: Sheet, language: str) -> VdomDict:
    t = texts(language)
    name: dict[str, Any] = {"type": "search", "maxLength": SEARCH_LENGTH, "autoComplete": "off"}
    return blocks.search(
        PATH,
        *session_fields(sheet.sessions, sheet.where.session, language),
        forms.field(t("Name"), "q", value=sheet.where.query, **name),
        language=language,
    )


def _listing(sheet: Sheet, language: str) -> list[Markup]:
    t, found, where = texts(language), sheet.found, sheet.where
    if not found.rows:
        return [_no_participants(sheet, t)]
    rows = [key(f"program-{row.appearance_id}", program_row(row, where, sheet.choice, language)) for row in found.rows]
    query = {"session": str(where.session), "q": where.query}
    return [
        html.ol({"class": "programs"}, *rows),
        paging(found.number, found.pages, path=PATH, query=query, language=language),
    ]


def _no_participants(sheet: Sheet, t: Texts) -> VdomDict:
    words = t("No participants found.")
    if sheet.sessions.is_empty:
        return empty(words, (create_at(SESSIONS), t("Plan a first session")))
    if not sheet.where.session:
        return empty(t("No sessions found."))
    if sheet.where.query:
        return empty(words)
    return empty(words, (edit_at(SESSIONS, sheet.where.session), t("Edit the session")))
