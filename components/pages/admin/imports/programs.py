"""The page "Import Programs": a participant's program from pasted text."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode
from zlib import crc32

from apps.competition.enums import Category, UndoKind
from apps.competition.limits import APPEARANCES_LISTED, PIECE_LENGTH
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
from apps.imports.limits import PROGRAM_LENGTH, PROGRAM_LINES
from apps.imports.program_lines.catalogue import CataloguePiece
from apps.imports.program_lines.lines import ProgramLine, SlottedPiece
from apps.imports.program_lines.matching import Why
from apps.imports.selectors import ProgramPreview, program_assigned_to, program_leaving, program_preview
from components.pages.admin.choices import Choice, session_choice, session_fields
from components.pages.admin.entity_screen import create_at
from components.pages.admin.imports.tabs import PROGRAMS, import_tabs
from components.pages.admin.program_offers import titled
from components.pages.admin.undo_list import undo_list
from components.runtime import (
    Markup,
    Page,
    PageRequest,
    Query,
    VdomDict,
    cached_markup,
    command_button,
    command_form,
    component,
    html,
    number_of,
    use_token,
)
from components.ui import forms
from components.ui.blocks import badge, link, visually_hidden
from components.ui.empty_states import empty
from components.ui.frames import answer_line, backstage, section
from components.ui.pieces import video_second, work, work_text

PATH = "/admin/program-import"
WITH = "with"
ALL = "all"  # in place of a session's id


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
        return ALL if self.is_all else self.session

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
        is_all=query.get("session", "") == ALL,
        query=query.get("q", "").strip()[:SEARCH_LENGTH],
        has_program=query.get("programs", "") == WITH,
        appearance=number_of(query, "appearance", 0),
    )


PIECES = "catalogue-pieces"  # the id of the datalist of piece names
_LOOKS = {
    LineStatus.MATCHED: "is-matched",
    LineStatus.EXPANDED: "is-expanded",
    LineStatus.AMBIGUOUS: "is-ask",
    LineStatus.CONTRADICTORY: "is-ask",
    LineStatus.UNKNOWN: "is-unknown",
    LineStatus.NOISE: "is-noise",
}


@cached_markup
def line_row(line: ProgramLine, language: str) -> VdomDict:
    """Return a line beside the pieces that it becomes."""
    t = texts(language)
    return html.li(
        {"key": f"line-{line.mark}", "class": f"read__line {_LOOKS[line.status]}"},
        html.span({"class": "nr"}, str(line.number)),
        html.p({"class": "read__text"}, line.text),
        html.div({"class": "read__into"}, html.p({"class": "read__kind"}, kind_words(line, t)), *_into(line, language)),
    )


def kind_words(line: ProgramLine, t: Texts) -> str:
    """Return the status of a line as text."""
    match line.status:
        case LineStatus.MATCHED:
            return t("Matched")
        case LineStatus.EXPANDED:
            return t.plural("%(n)d piece", "%(n)d pieces", len(line.pieces))
        case LineStatus.AMBIGUOUS:
            question = t.plural("%(n)d fits. Is it this one?", "%(n)d fit. Which one?", len(line.choices))
            return " ".join(filter(None, (_doubt(line, t), question)))
        case LineStatus.CONTRADICTORY:
            return t("Contradictory: {why}").format(why=_contradiction(line, t))
        case LineStatus.UNKNOWN:
            return _unknown(line, t)
        case _:
            return t("Left out: it stands on line {n}").format(n=line.same_as) if line.same_as else t("Left out")


def _doubt(line: ProgramLine, t: Texts) -> str:
    match line.why:
        case Why.OTHER_COMPOSER:
            return t("Perhaps another composer’s.")
        case Why.LEFT_OVER:
            return t("Not all of this line is understood.")
        case _:
            return ""


def _contradiction(line: ProgramLine, t: Texts) -> str:
    piece = line.choices[0].piece
    about = line.about
    if line.why == Why.OTHER_KEY and about and about.opus == piece.opus:
        return t("{piece} is in {key}").format(piece=_number(piece), key=piece.key)
    return t("its parts name different pieces")


def _unknown(line: ProgramLine, t: Texts) -> str:
    about = line.about
    if line.why == Why.OTHER_COMPOSER:
        return t("Another composer’s")
    if line.why == Why.BAD_LINK:
        return t("The video or the moment in its link cannot be read")
    if line.why == Why.NO_SUCH_NUMBER and about:
        number = about.number if about.number is not None else about.series
        return t("Not in the catalogue: op. {opus} has no no. {number}").format(opus=about.opus, number=number)
    if line.why == Why.NO_SUCH_OPUS and about:
        return t("Not in the catalogue: op. {opus}").format(opus=about.opus)
    return t("Not in the catalogue")


def _number(piece: CataloguePiece) -> str:
    opus = f"op. {piece.opus}" if piece.opus[:1].isdigit() else piece.opus
    return f"{opus} no. {piece.number}" if piece.number else opus


def _into(line: ProgramLine, language: str) -> list[Markup]:
    t = texts(language)
    match line.status:
        case LineStatus.MATCHED:
            (only,) = line.pieces
            at = html.span({"class": "read__at"}, t("from {time}").format(time=video_second(line.second or 0)))
            title = (_title(only, language), " ", at if line.second is not None else None)
            return [html.p({"class": "read__piece"}, *title), _slot(line, only, language), _other(line, t)]
        case LineStatus.EXPANDED:
            marker = html.input({"type": "hidden", "name": f"several-{line.mark}", "value": "1"})
            several = html.div({"class": "read__two"}, *(_taken(line, each, language) for each in line.pieces))
            return [marker, several]
        case LineStatus.AMBIGUOUS | LineStatus.CONTRADICTORY:
            return [_picks(line, language), _other(line, t)]
        case LineStatus.UNKNOWN:
            return [html.p({"class": "small muted"}, t("It stays in the text. "), _add_link(t)), _other(line, t)]
        case _:
            return []


def _add_link(t: Texts) -> VdomDict:
    return link("/admin/pieces", t("Add a piece"))


def _title(each: SlottedPiece, language: str) -> VdomDict:
    return work(titled(each.piece), language=language)


def _taken(line: ProgramLine, each: SlottedPiece, language: str) -> VdomDict:
    own = f"take-{line.mark}-{each.piece.id}"
    box = {"id": own, "type": "checkbox", "name": f"take-{line.mark}", "value": str(each.piece.id)}
    title = _title(each, language)
    name = html.label({"class": "check", "htmlFor": own}, html.input(box | {"defaultChecked": True}), title)
    piece = html.p({"class": "read__piece"}, name)
    return html.div({"key": f"piece-{each.piece.id}"}, piece, _slot(line, each, language))


def _slot(line: ProgramLine, each: SlottedPiece, language: str) -> VdomDict:
    t = texts(language)
    name = f"slot-{line.mark}-{each.piece.id}"
    words = t("Slot of {piece}").format(piece=work_text(titled(each.piece), language=language))
    options = (html.option({"key": slot.value, "value": slot.value}, t(str(slot.label))) for slot in Category)
    return html.label(
        {"class": "read__slot", "htmlFor": name},
        visually_hidden(words),
        html.select({"class": "input", "id": name, "name": name, "defaultValue": each.slot}, *options),
    )


def _picks(line: ProgramLine, language: str) -> VdomDict:
    t = texts(language)
    choices = [_pick(line, str(each.piece.id), _title(each, language)) for each in line.choices]
    none = _pick(line, "0", html.span({"class": "muted"}, t("None of these")))
    legend = html.legend({"class": "visually-hidden"}, t("Line {n}").format(n=line.number))
    return html.fieldset({"class": "read__picks"}, legend, *choices, none)


def _pick(line: ProgramLine, value: str, words: Markup) -> VdomDict:
    name = f"pick-{line.mark}"
    own = {"id": f"{name}-{value}", "type": "radio", "name": name, "value": value}
    return html.label({"class": "read__pick", "key": f"pick-{value}", "htmlFor": own["id"]}, html.input(own), words)


def _other(line: ProgramLine, t: Texts) -> VdomDict:
    """Return the folded field that names another piece."""
    name = f"name-{line.mark}"
    words = t("Another piece") if line.pieces or line.choices else t("Choose a piece")
    field = {"class": "input", "id": name, "name": name, "type": "text", "list": PIECES, "maxLength": PIECE_LENGTH}
    label = t("Piece of line {n}").format(n=line.number)
    return html.details(
        {"class": "read__other"},
        html.summary({"class": "link"}, words, visually_hidden(t(", line {n}").format(n=line.number))),
        html.label({"class": "visually-hidden", "htmlFor": name}, label),
        html.input(field | {"autoComplete": "off"}),
    )


def piece_names(pieces: Iterable[CataloguePiece]) -> VdomDict:
    """Return the datalist of piece names for the fields for another piece."""
    return html.datalist({"id": PIECES}, *(html.option({"key": str(each.id), "value": each.name}) for each in pieces))


@dataclass(frozen=True, slots=True)
class ProgramImport:
    """The page data: participants as options, the chosen program, and the preview of the text.

    `leaving` are rated pieces of the program that the text does not name, with the number of ratings. `assigned` is the
    program that a part of the text was assigned to, `undos` are assignments that can be undone.
    """

    where: Where
    sessions: Choice[SessionOption]
    counts: ProgramCounts
    people: tuple[ParticipantProgram, ...]
    program: ProgramRow | None
    preview: ProgramPreview
    leaving: tuple[tuple[str, int], ...]
    assigned: ProgramRow | None
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
        _assigned(data.assigned, data.program, t),
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


def _assigned(assigned: ProgramRow | None, program: ProgramRow | None, t: Texts) -> Markup:
    """Return the warning that a part of the text is already another participant's program; None without one."""
    if assigned is None or program is None or assigned.appearance_id == program.appearance_id:
        return None
    words = t("A part of this text is the program of {name}. You are asked before it becomes another one, too.")
    return html.p({"class": "message read__warn"}, words.format(name=assigned.name))


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
            *session_fields(data.sessions, where.session_value, language, first=((ALL, t("All sessions")),)),
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
            html.span(each.name, html.span({"class": "small muted"}, f", {each.session}") if where.is_all else None),
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
    names = (program.name, program.country) if program else ()
    preview = program_preview(user_id=request.viewer.id or 0, names=names)
    leaving = program_leaving(program=program, preview=preview) if program and preview.lines else ()
    followed = (f"participant.{program.participant_id}",) if program else ()
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
            program_assigned_to(user_id=request.viewer.id or 0),
            undos_recent(kind=UndoKind.ASSIGNMENT),
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
    t, data, language = texts(page.language), page.data, page.language
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
