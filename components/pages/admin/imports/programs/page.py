"""The page Import Programs."""

from dataclasses import replace

from apps.accounts.actors import Viewer
from apps.competition.enums import UndoKind
from apps.competition.selectors import program_admin
from apps.competition.selectors.admin import session_programs, undos_recent
from apps.core.texts import texts
from apps.imports.selectors import program_assigned_to, program_leaving, program_preview
from components.markup import Markup, VdomDict, component, html
from components.page import Page, Params, Query
from components.pages.admin.choices import session_choice
from components.pages.admin.imports.programs.query import where_of
from components.pages.admin.imports.programs.text import ProgramImport, program_form
from components.pages.admin.imports.programs.whose import whose
from components.pages.admin.imports.tabs import PROGRAMS, import_tabs
from components.pages.admin.modes import create_at
from components.pages.admin.undo_list import undo_list
from components.ui.empty_states import empty
from components.ui.frames.admin_frame import backstage


def load(viewer: Viewer, params: Params, query: Query, language: str) -> Page:  # noqa: ARG001 - every page's signature
    """Return the page for the session in the address, for the live or the nearest one without it."""
    t, where = texts(language), where_of(query)
    sessions = session_choice(query, where.session)
    known = where.session in {each.id for each in sessions.options}
    where = replace(where, session=where.session if known else next((each.id for each in sessions.options), 0))
    people = session_programs(session_id=where.session, query=where.query)
    program = program_admin(appearance_id=where.appearance) if where.appearance else None
    names = (program.name, program.country) if program else ()
    preview = program_preview(user_id=viewer.id or 0, names=names)
    leaving = program_leaving(program=program, preview=preview) if program and preview.lines else ()
    followed = (f"participant.{program.participant_id}",) if program else ()
    return Page(
        description=t("A participant's program from pasted text."),
        component=program_import_page,
        data=ProgramImport(
            where,
            sessions,
            people,
            program,
            preview,
            leaving,
            program_assigned_to(user_id=viewer.id or 0),
            undos_recent(kind=UndoKind.ASSIGNMENT),
        ),
        topics=("sessions", "pieces", "programs", f"account.{viewer.id}.program_text", *followed),
    )


@component
def program_import_page(page: Page) -> VdomDict:
    """Whose program, the text, and what it becomes."""
    t, data, language = texts(page.language), page.data, page.language
    none_yet = data.sessions.is_empty
    chosen = _no_sessions(language) if none_yet else whose(data.where, data.sessions, data.people, language)
    return backstage(
        t("Import Programs"),
        import_tabs(PROGRAMS, t),
        below=(
            html.section(
                {"class": "sheet sheet--next"},
                html.div({"class": "hang"}, html.h2(t("Whose program"))),
                html.div(
                    {"class": "body"},
                    chosen,
                    undo_list(data.undos, t("Assigned in {session}: the program of {names}."), t),
                ),
            ),
            program_form(page),
        ),
        page=page,
    )


def _no_sessions(language: str) -> Markup:
    t = texts(language)
    return empty(t("No participants found."), (create_at("/admin/sessions"), t("Plan a first session")))
