"""The page "Import Programs": the programs of one or many participants from pasted text."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from apps.competition.enums import UndoKind
from apps.competition.limits import APPEARANCES_LISTED
from apps.competition.selectors.admin.programs import (
    ParticipantProgram,
    ProgramCounts,
    ProgramRow,
    program_admin,
    program_counts,
    session_programs,
)
from apps.competition.selectors.admin.sessions import SessionOption, UndoRow, session_next, undos_recent
from apps.core.limits import SEARCH_LENGTH
from apps.core.texts import Texts, texts
from apps.imports.limits import ALL_SESSIONS
from apps.imports.selectors.programs import (
    ProgramsPreview,
    program_assigned_to,
    program_leaving,
    program_read_for,
    program_text_get,
    programs_preview,
)
from components.pages.admin.choices import Choice, session_choice, session_fields
from components.pages.admin.entity_screen import create_at
from components.pages.admin.imports.participant_file import large_error
from components.pages.admin.imports.program_blocks import program_file, program_form
from components.pages.admin.imports.tabs import PROGRAMS, import_tabs
from components.pages.admin.programs.offers import UNDO
from components.pages.admin.undo_list import undo_list
from components.runtime import (
    Markup,
    Page,
    PageRequest,
    Query,
    VdomDict,
    component,
    html,
    number_of,
    use_token,
)
from components.ui import forms
from components.ui.blocks import badge, button_link
from components.ui.empty_states import empty
from components.ui.frames import backstage
from components.ui.people import person_name

PATH = "/admin/program-import"
WITH = "with"


@dataclass(frozen=True, slots=True)
class Where:
    """State in the address: session, search, program filter, and the chosen appearance. 0 means none.

    `is_all` chooses the participants of all sessions.
    """

    session: int = 0
    is_all: bool = False
    query: str = ""
    has_program: bool = False
    appearance: int = 0

    @property
    def address(self) -> str:
        """Return the page's address for this state."""
        values = {
            "session": self.session_value,
            "q": self.query,
            "programs": WITH if self.has_program else "",
            "appearance": self.appearance,
        }
        query = urlencode({name: value for name, value in values.items() if value})
        return PATH + (f"?{query}" if query else "")

    @property
    def session_value(self) -> int | str:
        """Return the value of the field that chooses the session."""
        return ALL_SESSIONS if self.is_all else self.session

    @property
    def session_id(self) -> int | None:
        """Return the session's id for selectors; None means all sessions."""
        return None if self.is_all else self.session

    def at(self, **changed: Any) -> str:
        """Return the address of this state with changed fields."""
        return replace(self, **changed).address


def where_of(query: Query) -> Where:
    """Return the state in the address; invalid fields are empty."""
    return Where(
        session=number_of(query, "session", 0),
        is_all=query.get("session", "") == ALL_SESSIONS,
        query=query.get("q", "").strip()[:SEARCH_LENGTH],
        has_program=query.get("programs", "") == WITH,
        appearance=number_of(query, "appearance", 0),
    )


@dataclass(frozen=True, slots=True)
class ProgramImport:
    """The page data: participants as options, the chosen program, and the preview of the text.

    `leaving` are rated pieces of the program that the text does not name, with the number of ratings. `assigned` is the
    program that a part of the text was assigned to, else `read_for` the one that was chosen when it was read. `undos`
    are assignments that can be undone.
    """

    where: Where
    sessions: Choice[SessionOption]
    counts: ProgramCounts
    people: tuple[ParticipantProgram, ...]
    program: ProgramRow | None
    preview: ProgramsPreview
    leaving: tuple[tuple[str, int], ...]
    assigned: ProgramRow | None
    read_for: ProgramRow | None
    undos: tuple[UndoRow, ...]
    error: Markup = None  # about a file that was too large to be sent


def _notes(data: ProgramImport, t: Texts) -> list[Markup]:
    """Return what the administrator is asked before the chosen performer's program is replaced."""
    return [_leaving(data.leaving, t), _assigned(data, t)] if data.preview.blocks else []


def _leaving(leaving: Sequence[tuple[str, int]], t: Texts) -> Markup:
    if not leaving:
        return None
    pieces = "; ".join(
        t.plural("{name}, %(n)d rating", "{name}, %(n)d ratings", n).format(name=name) for name, n in leaving
    )
    words = t("With ratings, and not in this text: {pieces}. You are asked before they leave the program.")
    return html.p({"class": "message read__warn"}, words.format(pieces=pieces))


def _assigned(data: ProgramImport, t: Texts) -> Markup:
    """Return the warning that the text is another participant's; None without one."""
    owner, program = data.assigned or data.read_for, data.program
    if owner is None or program is None or owner.appearance_id == program.appearance_id:
        return None
    words = t("This text was read for {name}. You are asked before it becomes the program of another performer.")
    if data.assigned:
        words = t("A part of this text is the program of {name}. You are asked before it becomes another one, too.")
    return html.p({"class": "message read__warn"}, words.format(name=owner.name))


def whose(data: ProgramImport, language: str) -> VdomDict:
    """Return the form that chooses the session and filters participants, beside their list."""
    t, where = texts(language), data.where
    name: dict[str, Any] = {
        "type": "search",
        "maxLength": SEARCH_LENGTH,
        "autoComplete": "off",
        "placeholder": t("Name"),
    }
    form = {"class": "importing", "method": "get", "action": PATH, "role": "search", "data-navigate": ""}
    return html.form(
        form,
        html.div(
            {"class": "stack"},
            *session_fields(data.sessions, where.session_value, language, first=((ALL_SESSIONS, t("All sessions")),)),
            html.p({"class": "small muted", "role": "status"}, _counted(data.counts, t)),
            html.div({"class": "choice", "role": "group", "aria-label": t("Show")}, *_filters(where, t)),
        ),
        html.div(
            {"class": "stack"},
            forms.field(t("Participant"), "q", value=where.query, **name),
            _list(where, data.people, data.counts, t),
        ),
        html.button({"class": "button button--plain scriptless", "type": "submit"}, t("Search")),
    )


def _counted(counts: ProgramCounts, t: Texts) -> str:
    words = t.plural("{n} of %(n)d has a program", "{n} of %(n)d have a program", counts.all)
    return words.format(n=counts.with_program)


def _filters(where: Where, t: Texts) -> list[Markup]:
    return [_filter("", t("Without Program"), where), _filter(WITH, t("With Program"), where)]


def _filter(value: str, words: str, where: Where) -> VdomDict:
    own = {"id": f"programs-{value}", "type": "radio", "name": "programs", "value": value}
    button = html.input(own | {"defaultChecked": where.has_program == bool(value)})
    return html.label({"key": own["id"], "htmlFor": own["id"]}, button, words)


def _list(where: Where, people: tuple[ParticipantProgram, ...], counts: ProgramCounts, t: Texts) -> VdomDict:
    if not people and counts.all == counts.with_program > 0 and not (where.query or where.has_program):
        all_have = t.plural("The only performer has a program.", "All %(n)d have a program.", counts.all)
        to_them = button_link(where.at(has_program=True), t("With Program"), "plain")
        return html.div({"class": "stack"}, html.p(all_have), html.p(to_them))
    if not people:
        return html.p({"class": "muted"}, t("No participants found."))
    rows = (_person(each, where, t) for each in people)
    more = html.p({"class": "small muted"}, t("There are more: search by name."))
    return html.div(
        html.ul({"class": "whos", "aria-label": t("Participants")}, *rows),
        more if len(people) >= APPEARANCES_LISTED else None,
    )


def _person(each: ParticipantProgram, where: Where, t: Texts) -> VdomDict:
    current = {"aria-current": "true"} if each.appearance_id == where.appearance else {}
    to = {"class": "who", "href": where.at(appearance=each.appearance_id), "data-stay": ""}
    return html.li(
        {"key": f"who-{each.appearance_id}"},
        html.a(
            to | current,
            html.span({"class": "nr"}, str(each.order_number)),
            html.span(
                person_name(each.name),
                html.span({"class": "small muted"}, f", {each.session}") if where.is_all else None,
            ),
            badge(t("Has Program"), "quiet") if each.has_program else None,
        ),
    )


def load(request: PageRequest) -> Page:
    """Return the page for the session in the address; without one, for the live session, the next or the last one."""
    t, where = request.t, where_of(request.query)
    where, sessions = _session_chosen(request.query, where)
    counts = program_counts(session_id=where.session_id)
    people = session_programs(
        session_id=where.session_id, query=where.query, has_program=where.has_program, chosen=where.appearance
    )
    program = program_admin(appearance_id=where.appearance) if where.appearance else None
    user_id = request.viewer.id or 0
    preview = programs_preview(
        text=program_text_get(user_id=user_id), session_id=where.session_id, appearance_id=where.appearance or None
    )
    own = [line for block in preview.blocks if preview.is_of_chosen(block) for line in block.lines]
    leaving = program_leaving(program=program, lines=own) if program and own else ()
    followed = (f"participant.{program.participant_id}",) if program else ()
    assigned = program_assigned_to(user_id=user_id) if own else None
    return Page(
        description=t("Programs of participants from pasted text."),
        component=program_import_page,
        data=ProgramImport(
            where,
            sessions,
            counts,
            people,
            program,
            preview,
            leaving,
            assigned,
            program_read_for(user_id=user_id) if own and not assigned else None,
            undos_recent(kind=UndoKind.ASSIGNMENT),
            large_error(request.query, t),
        ),
        topics=("sessions", "pieces", "programs", f"account.{request.viewer.id}.program_text", *followed),
    )


def _session_chosen(query: Query, where: Where) -> tuple[Where, Choice[SessionOption]]:
    """Return the state with a session that exists, and the sessions to choose from."""
    if where.is_all:
        return where, session_choice(query)
    chosen = where.session or session_next() or 0
    sessions = session_choice(query, chosen)
    if where.session and chosen not in {each.id for each in sessions.options}:
        return _session_chosen(query, replace(where, session=0))
    return replace(where, session=chosen), sessions


@component
def program_import_page(page: Page) -> VdomDict:
    """Render the choice of a participant, the text, and its preview."""
    t, token, data, language = texts(page.language), use_token(), page.data, page.language
    none_yet = data.sessions.is_empty
    chosen = _no_sessions(language) if none_yet else whose(data, language)
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
                    undo_list(data.undos, t(UNDO), t),
                ),
            ),
            program_file(data.error, token, t),
            program_form(
                data.preview,
                notes=_notes(data, t),
                scope=data.where.session_value,
                all_sessions=data.where.at(is_all=True, session=0),
                go=data.where.at(appearance=0),
                token=token,
                language=language,
            ),
        ),
        page=page,
    )


def _no_sessions(language: str) -> Markup:
    t = texts(language)
    return empty(t("No participants found."), (create_at("/admin/sessions"), t("Plan a first session")))
