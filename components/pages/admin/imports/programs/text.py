"""The form with the pasted text, what its lines become, and the button that assigns it."""

from collections.abc import Sequence
from dataclasses import dataclass
from zlib import crc32

from apps.competition.selectors import ProgramRow, SessionOption
from apps.competition.selectors.admin import ParticipantProgram, UndoRow
from apps.core.texts import Texts, texts
from apps.imports.enums import LineStatus, ProgramStep
from apps.imports.limits import PROGRAM_LENGTH, PROGRAM_LINES
from apps.imports.selectors import ProgramPreview
from components.hooks.connection import use_token
from components.markup import Markup, VdomDict, component, html
from components.page import Page
from components.pages.admin.choices import Choice
from components.pages.admin.imports.programs.lines import line_row, piece_names
from components.pages.admin.imports.programs.query import Where
from components.ui.controls.commands import command_button, command_form
from components.ui.empty_states import empty
from components.ui.frames.admin_frame import answer_line
from components.ui.frames.page_grid import section


@dataclass(frozen=True, slots=True)
class ProgramImport:
    """Who can be chosen, whose program it is, and the text with what its lines become.

    `leaving` are pieces of the program with ratings that the text does not name, with the number of these; `assigned`
    is the program that a part of the text became, `undos` are assignments that can be taken back.
    """

    where: Where
    sessions: Choice[SessionOption]
    people: tuple[ParticipantProgram, ...]
    program: ProgramRow | None
    preview: ProgramPreview
    leaving: tuple[tuple[str, int], ...]
    assigned: ProgramRow | None
    undos: tuple[UndoRow, ...]


@component
def program_form(page: Page) -> VdomDict:
    """The text, its lines and the buttons; the server keeps the text, the browser what is typed and decided."""
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
    """Return a field that nobody sees; not type="hidden": such inputs are not reset."""
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
    found = preview.pieces_found
    counts = (
        ("", found, t.plural("piece matched", "pieces matched", found)),
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
    """Return the warning that a part of the text is the program of another performer than the chosen one."""
    if assigned is None or program is None or assigned.appearance_id == program.appearance_id:
        return None
    words = t("A part of this text is the program of {name}. You are asked before it becomes another one, too.")
    return html.p({"class": "message read__warn"}, words.format(name=assigned.name))


def _assign(program: ProgramRow | None, t: Texts) -> VdomDict:
    assigns = {"class": "button", "type": "submit", "name": "do", "value": ProgramStep.ASSIGN.value}
    button = html.button(assigns | {"disabled": program is None, "data-busy": t("Processing...")}, t("Assign Program"))
    whose = t("In the order of the lines, to {name}, in place of the program there.").format(
        name=program.name if program else ""
    )
    words = whose if program else t("Choose a participant first.")
    return html.div({"class": "row read__go"}, button, html.p({"class": "small muted"}, words))
