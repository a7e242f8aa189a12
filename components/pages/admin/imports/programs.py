"""The page "Import Programs": a participant's program from pasted text."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode
from zlib import crc32

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
from apps.imports.enums import LineStatus, ProgramStep
from apps.imports.limits import ALL_SESSIONS, PROGRAM_LENGTH, PROGRAM_LINES
from apps.imports.selectors.programs import (
    BatchPreview,
    ProgramPreview,
    batch_preview,
    program_assigned_to,
    program_batch_get,
    program_leaving,
    program_preview,
    program_read_for,
)
from components.pages.admin.choices import Choice, session_choice, session_fields
from components.pages.admin.entity_screen import create_at
from components.pages.admin.imports.program_blocks import batch_file, batch_form
from components.pages.admin.imports.program_rows import line_row, piece_names
from components.pages.admin.imports.tabs import PROGRAMS, import_tabs
from components.pages.admin.programs.offers import UNDO
from components.pages.admin.undo_list import undo_list
from components.runtime import (
    Markup,
    Page,
    PageRequest,
    Query,
    VdomDict,
    command_button,
    command_form,
    component,
    html,
    number_of,
    use_token,
)
from components.ui import forms
from components.ui.blocks import badge, link
from components.ui.empty_states import empty
from components.ui.frames import answer_line, backstage, section
from components.ui.people import person_name

PATH = "/admin/program-import"
WITH = "with"
MANY = "many"  # the field of the programs of many performers


@dataclass(frozen=True, slots=True)
class Where:
    """State in the address: session, search, program filter, and the chosen appearance. 0 means none.

    `is_all` chooses the participants of all sessions, `is_many` the programs of many performers in one text.
    """

    session: int = 0
    is_all: bool = False
    is_many: bool = False
    query: str = ""
    has_program: bool = False
    appearance: int = 0

    @property
    def address(self) -> str:
        """Return the page's address for this state."""
        values = {
            MANY: "1" if self.is_many else "",
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
    is_many = MANY in query
    return Where(
        session=number_of(query, "session", 0),
        is_all=query.get("session", ALL_SESSIONS if is_many else "") == ALL_SESSIONS,
        is_many=is_many,
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
    preview: ProgramPreview
    leaving: tuple[tuple[str, int], ...]
    assigned: ProgramRow | None
    read_for: ProgramRow | None
    undos: tuple[UndoRow, ...]


@component
def program_form(page: Page) -> VdomDict:
    """Render the text, its lines and the buttons; the server stores the text, the browser keeps the draft."""
    t, token, language, data = texts(page.language), use_token(), page.language, page.data
    where, program, preview = data.where, data.program, data.preview
    argument = program.appearance_id if program else ""
    form = command_form("program_import", argument, draft="program-import", long=token)
    asking = {"data-ask": t("Assign the program all the same?"), "data-ask-yes": t("Assign Program")}
    return html.form(
        form | asking | {"noValidate": True, "data-answers": ""},
        _kept("go", where.at(appearance=0), t("Afterwards")),
        _kept("version", program.version, t("Version")) if program else None,
        section(t("The text"), _text(preview, t), aside=html.p(_limits(t))),
        section(t("What it becomes"), _becomes(data, language), aside=html.p(t("Nothing is guessed."))),
    )


def _kept(name: str, value: str, label: str) -> VdomDict:
    """Return a hidden text field. An input of type "hidden" would not be reset with the form."""
    own = {"type": "text", "id": name, "name": name, "defaultValue": value, "readOnly": True}
    return html.div({"hidden": True, "key": f"{name}-{value}"}, html.label({"htmlFor": name}, label), html.input(own))


def _limits(t: Texts) -> str:
    words = t("One piece per line, in any language. At most {n} lines.")
    return words.format(n=PROGRAM_LINES)


def _text(preview: ProgramPreview, t: Texts) -> VdomDict:
    field = {
        "id": "text",
        "name": "text",
        "class": "read__paste",
        "rows": 9,
        "spellCheck": False,
        "maxLength": PROGRAM_LENGTH,
        "defaultValue": preview.text,
    }
    reads = {"class": "button button--plain", "type": "submit", "name": "do", "value": ProgramStep.READ.value}
    clears = command_button("program_text_clear", confirm=t("Clear the text?"), yes=t("Clear"))
    clear = html.button({"class": "button button--plain"} | clears, t("Clear")) if preview.text else None
    return html.div(
        {"class": "body stack"},
        html.div(
            {"class": "field", "key": f"text-{crc32(preview.text.encode())}"},
            html.label({"class": "visually-hidden", "htmlFor": "text"}, t("Program text")),
            html.textarea(field),
        ),
        html.div({"class": "row"}, html.button(reads | {"data-busy": t("Processing...")}, t("Read the text")), clear),
    )


def _becomes(data: ProgramImport, language: str) -> VdomDict:
    t, preview = texts(language), data.preview
    if not preview.lines:
        return html.div({"class": "body"}, empty(t("Each line will say here what it became.")), answer_line())
    rows = (line_row(line, language) for line in preview.lines)
    return html.div(
        {"class": "body"},
        _sum(preview, t),
        html.ol({"class": "read"}, *rows),
        piece_names(preview.pieces),
        _leaving(data.leaving, t),
        _assigned(data, t),
        answer_line(),
        _assign(data.program, t),
    )


def _sum(preview: ProgramPreview, t: Texts) -> VdomDict:
    matched = preview.pieces_found
    counts = (
        ("", matched, t.plural("piece matched", "pieces matched", matched)),
        ("is-due", preview.count(LineStatus.AMBIGUOUS, LineStatus.CONTRADICTORY), t("to decide")),
        ("", preview.count(LineStatus.UNKNOWN), t("not found")),
        ("muted", preview.count(LineStatus.NOISE), t("left out")),
    )
    parts: list[Markup] = []
    for look, count, words in counts:
        if count or not look:
            parts += [html.span({"class": look, "key": words}, html.b(str(count)), f" {words}"), " "]
    return html.p({"class": "read__sum", "role": "status"}, *parts)


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


def _assign(program: ProgramRow | None, t: Texts) -> VdomDict:
    assigns = {"class": "button", "type": "submit", "name": "do", "value": ProgramStep.ASSIGN.value}
    button = html.button(assigns | {"disabled": program is None, "data-busy": t("Processing...")}, t("Assign Program"))
    target = t("In the order of the lines, to {name}, in place of the program there.").format(
        name=program.name if program else ""
    )
    words = target if program else t("Choose a participant first.")
    return html.div({"class": "row read__go"}, button, html.p({"class": "small muted"}, words))


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
            _list(where, data.people, t),
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


def _list(where: Where, people: tuple[ParticipantProgram, ...], t: Texts) -> VdomDict:
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
    if where.is_many:
        return _load_many(request, where, sessions)
    counts = program_counts(session_id=where.session_id)
    people = session_programs(
        session_id=where.session_id, query=where.query, has_program=where.has_program, chosen=where.appearance
    )
    program = program_admin(appearance_id=where.appearance) if where.appearance else None
    names = (program.name, program.country) if program else ()
    preview = program_preview(user_id=request.viewer.id or 0, names=names)
    leaving = program_leaving(program=program, preview=preview) if program and preview.lines else ()
    followed = (f"participant.{program.participant_id}",) if program else ()
    user_id = request.viewer.id or 0
    assigned = program_assigned_to(user_id=user_id)
    return Page(
        description=t("A participant's program from pasted text."),
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
            None if assigned else program_read_for(user_id=user_id),
            undos_recent(kind=UndoKind.ASSIGNMENT),
        ),
        topics=("sessions", "pieces", "programs", f"account.{request.viewer.id}.program_text", *followed),
    )


def _load_many(request: PageRequest, where: Where, sessions: Choice[SessionOption]) -> Page:
    """Return the page for the programs of many performers in one text."""
    text = program_batch_get(user_id=request.viewer.id or 0)
    preview = batch_preview(text=text, session_id=where.session_id) if text else BatchPreview("")
    return Page(
        description=request.t("The programs of many participants from pasted text."),
        component=program_batch_page,
        data=ProgramBatchImport(
            where,
            sessions,
            program_counts(session_id=where.session_id),
            preview,
            undos_recent(kind=UndoKind.ASSIGNMENT),
        ),
        topics=("sessions", "pieces", "programs", f"account.{request.viewer.id}.program_text"),
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
    t, data, language = texts(page.language), page.data, page.language
    none_yet = data.sessions.is_empty
    chosen = _no_sessions(language) if none_yet else whose(data, language)
    return backstage(
        t("Import Programs"),
        import_tabs(PROGRAMS, t),
        below=(
            html.section(
                {"class": "sheet sheet--next"},
                html.div({"class": "hang"}, html.h2(t("Whose program")), _modes(data.where, t)),
                html.div(
                    {"class": "body"},
                    chosen,
                    undo_list(data.undos, t(UNDO), t),
                ),
            ),
            program_form(page),
        ),
        page=page,
    )


@dataclass(frozen=True, slots=True)
class ProgramBatchImport:
    """The page data for many performers: the session, how many have a program, and the preview of the text."""

    where: Where
    sessions: Choice[SessionOption]
    counts: ProgramCounts
    preview: BatchPreview
    undos: tuple[UndoRow, ...]


@component
def program_batch_page(page: Page) -> VdomDict:
    """Render the choice of a session, the text with many programs, and its blocks."""
    t, token, data, language = texts(page.language), use_token(), page.data, page.language
    chosen = _no_sessions(language) if data.sessions.is_empty else _whose_many(data, language)
    return backstage(
        t("Import Programs"),
        import_tabs(PROGRAMS, t),
        below=(
            html.section(
                {"class": "sheet sheet--next"},
                html.div({"class": "hang"}, html.h2(t("Whose programs")), _modes(data.where, t)),
                html.div({"class": "body"}, chosen, undo_list(data.undos, t(UNDO), t)),
            ),
            batch_file(token, t),
            batch_form(
                data.preview,
                scope=data.where.session_value,
                go=data.where.address,
                token=token,
                language=language,
            ),
        ),
        page=page,
    )


def _whose_many(data: ProgramBatchImport, language: str) -> VdomDict:
    """Return the form that chooses the session whose performers the headings name."""
    t = texts(language)
    form = {"class": "importing", "method": "get", "action": PATH, "role": "search", "data-navigate": ""}
    every = ((ALL_SESSIONS, t("All sessions")),)
    return html.form(
        form,
        html.input({"type": "hidden", "name": MANY, "value": "1"}),
        html.div(
            {"class": "stack"},
            *session_fields(data.sessions, data.where.session_value, language, first=every),
            html.p({"class": "small muted", "role": "status"}, _counted(data.counts, t)),
        ),
        html.button({"class": "button button--plain scriptless", "type": "submit"}, t("Choose")),
    )


def _modes(where: Where, t: Texts) -> VdomDict:
    """Return the link to the other way of importing: one participant's program, or those of many."""
    if where.is_many:
        return html.p(link(where.at(is_many=False), t("One participant’s program")))
    many = where.at(is_many=True, query="", has_program=False, appearance=0)
    return html.p(link(many, t("Programs of many participants at once")))


def _no_sessions(language: str) -> Markup:
    t = texts(language)
    return empty(t("No participants found."), (create_at("/admin/sessions"), t("Plan a first session")))
