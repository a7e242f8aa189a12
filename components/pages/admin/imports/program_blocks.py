"""Pasted programs: the text, its blocks or its lines, and the fields that decide them."""

from collections.abc import Iterable, Sequence
from typing import Any
from zlib import crc32

from apps.competition.selectors.admin.programs import Performer
from apps.core.texts import Texts, texts
from apps.imports.enums import BlockDoubt, LineStatus, ProgramStep
from apps.imports.limits import ALL_SESSIONS, LABEL_LENGTH, PROGRAM_BLOCKS, PROGRAM_LENGTH, PROGRAM_LINES, PROGRAM_NAMED
from apps.imports.program_lines.blocks import ProgramBlock, performer_label
from apps.imports.program_lines.results import ProgramLine
from apps.imports.selectors.programs import ProgramsPreview
from components.pages.admin.imports.participant_file import file_limit
from components.pages.admin.imports.program_rows import (
    begins_at,
    is_set,
    kind_words,
    line_other,
    line_picks,
    line_row,
    look_of,
    piece_names,
    piece_title,
)
from components.runtime import Markup, VdomDict, cached_markup, command_button, command_form, html
from components.ui.blocks import badge
from components.ui.empty_states import empty
from components.ui.forms import field
from components.ui.frames import answer_line, section
from components.ui.people import person_name

FILE = "/participant-file?kind=programs"
PERFORMERS = "performers"  # the id of the datalist of performers
_DECIDED = (LineStatus.AMBIGUOUS, LineStatus.CONTRADICTORY, LineStatus.UNKNOWN)
_FOUND = (LineStatus.MATCHED, LineStatus.EXPANDED)
SAMPLE = "12 Zofia Nowak\nEtude in C major, Op. 10 No. 1\n\n13.\nScherzo in B minor, Op. 20"


def program_file(error: Markup, token: str, t: Texts) -> VdomDict:
    """Return the form that uploads a text file by an HTTP request, because files are not sent over the socket.

    `error` is the sentence about a file that was too large to be sent.
    """
    own = {"id": "program-file", "name": "file", "type": "file", "accept": ".txt", "required": True}
    form = html.form(
        {"class": "drop", "method": "post", "action": FILE, "encType": "multipart/form-data", "data-once": ""},
        html.input({"type": "hidden", "name": "csrfmiddlewaretoken", "value": token}),
        html.label({"class": "label", "htmlFor": "program-file"}, t("File")),
        html.input(own),
        file_limit("program-file", t),
        error,
        html.button({"class": "button button--plain button--small", "type": "submit"}, t("Read the file")),
    )
    aside = html.p(t(".txt; it replaces the text below"))
    return section(t("A file"), html.div({"class": "body", "data-answers": ""}, answer_line(), form), aside=aside)


def program_form(
    preview: ProgramsPreview,
    *,
    notes: Sequence[Markup],
    scope: int | str,
    all_sessions: str,
    go: str,
    token: str,
    language: str,
) -> VdomDict:
    """Return the form with the text, its lines and the buttons; the server stores the text, the browser the draft.

    `notes` are warnings about the chosen performer's program. `scope` is the session's id or "all", `all_sessions` the
    page for all of them, `go` the page afterwards.
    """
    t = texts(language)
    argument = preview.chosen.appearance_id if preview.chosen else ""
    form = command_form("program_import", argument, draft="program-import", long=token)
    is_single = preview.is_single
    asks = t("Assign the program all the same?") if is_single else t("Assign the programs all the same?")
    asking = {"data-ask": asks, "data-ask-yes": t("Assign Program") if is_single else t("Assign Programs")}
    limits = t("One piece per line, in any language. A heading with a name begins another program. At most {n} lines.")
    return html.form(
        form | asking | {"noValidate": True, "data-answers": ""},
        _kept("go", go, t("Afterwards")),
        _kept("scope", str(scope), t("Performers of")),
        _kept("version", preview.version, t("Version")) if preview.blocks else None,
        *_replaced(preview, t),
        section(t("The text"), _text(preview, t), aside=html.p(limits.format(n=PROGRAM_LINES))),
        section(
            t("What it becomes"),
            _becomes(preview, notes, "" if scope == ALL_SESSIONS else all_sessions, language),
            aside=html.p(t("Nothing is guessed.")),
        ),
    )


def _replaced(preview: ProgramsPreview, t: Texts) -> list[VdomDict]:
    """Return the hidden fields that replace the chosen performer's program, as it was shown."""
    own = filter(preview.is_of_chosen, preview.blocks)
    version = preview.chosen.version if preview.chosen else ""
    return [_kept("replace", f"{block.mark}:{version}", t("Version")) for block in own]


def _kept(name: str, value: str, label: str) -> VdomDict:
    """Return a hidden text field. An input of type "hidden" would not be reset with the form."""
    own = {"type": "text", "id": name, "name": name, "defaultValue": value, "readOnly": True}
    return html.div({"hidden": True, "key": f"{name}-{value}"}, html.label({"htmlFor": name}, label), html.input(own))


def _text(preview: ProgramsPreview, t: Texts) -> VdomDict:
    area = {
        "id": "text",
        "name": "text",
        "class": "read__paste",
        "rows": 12,
        "spellCheck": False,
        "maxLength": PROGRAM_LENGTH,
        "placeholder": SAMPLE,
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
            html.textarea(area),
        ),
        html.div({"class": "row"}, html.button(reads | {"data-busy": t("Processing...")}, t("Read the text")), clear),
    )


def _becomes(preview: ProgramsPreview, notes: Sequence[Markup], all_sessions: str, language: str) -> VdomDict:
    t = texts(language)
    if not preview.blocks:
        return html.div({"class": "body"}, empty(t("Each line will say here what it became.")), answer_line())
    decided = [line.mark for line in preview.lines if line.status in _DECIDED]
    named = frozenset(decided[:PROGRAM_NAMED])
    labels = (html.option({"key": label, "value": label}) for label in map(performer_label, preview.performers))
    return html.div(
        {"class": "body"},
        _sum_of_lines(preview, t) if preview.is_single else _sum(preview, t),
        _elsewhere(preview, all_sessions, t),
        _more(len(decided), t),
        _lines(preview, named, language) if preview.is_single else _blocks(preview, named, language),
        piece_names(preview.catalogue.pieces),
        html.datalist({"id": PERFORMERS}, *labels),
        *notes,
        answer_line(),
        _assign_one(preview.chosen, t) if preview.is_single else _assign(preview, t),
    )


def _lines(preview: ProgramsPreview, named: frozenset[str], language: str) -> VdomDict:
    """Return the lines of one program; those of a long one have fields only if they need a decision."""
    takes_sets = preview.chosen is not None and preview.chosen.takes_sets
    if len(preview.lines) > PROGRAM_NAMED:
        rows = (_line(line, line.mark in named, takes_sets, language) for line in preview.lines)
    else:
        rows = (line_row(line, takes_sets, language) for line in preview.lines)
    return html.ol({"class": "read"}, *rows)


def _blocks(preview: ProgramsPreview, named: frozenset[str], language: str) -> VdomDict:
    blocks = (
        _block(block, block_named(block, named), preview.is_of_chosen(block), language) for block in preview.blocks
    )
    return html.ol({"class": "batch"}, *blocks)


def _elsewhere(preview: ProgramsPreview, all_sessions: str, t: Texts) -> Markup:
    """Return the offer to look for performers in all sessions; None if all are found, or were looked for there."""
    if not all_sessions or not preview.not_found:
        return None
    words = t.plural(
        "%(n)d heading names no performer of this session.",
        "%(n)d headings name no performer of this session.",
        preview.not_found,
    )
    offer = html.a({"class": "link", "href": all_sessions, "data-stay": ""}, t("All sessions"))
    return html.p({"class": "message read__warn"}, words, " ", offer)


def _sum_of_lines(preview: ProgramsPreview, t: Texts) -> VdomDict:
    matched = preview.pieces_found
    return _counts(
        ("", matched, t.plural("piece matched", "pieces matched", matched)),
        ("is-due", preview.count(LineStatus.AMBIGUOUS, LineStatus.CONTRADICTORY), t("to decide")),
        ("", preview.count(LineStatus.UNKNOWN), t("not found")),
        ("muted", preview.left_out, t("left out")),
    )


def _counts(*counts: tuple[str, int, str]) -> VdomDict:
    """Return counts with their words; the first one also if it is 0."""
    parts: list[Markup] = []
    for look, count, words in counts:
        if count or words == counts[0][2]:
            parts += [html.span({"class": look, "key": words}, html.b(str(count)), f" {words}"), " "]
    return html.p({"class": "read__sum", "role": "status"}, *parts)


def block_named(block: ProgramBlock, named: frozenset[str]) -> frozenset[str]:
    """Return the lines of a block that have a field for another piece, by mark."""
    return frozenset(line.mark for line in block.lines if line.mark in named)


def _more(decided: int, t: Texts) -> Markup:
    """Return the words for lines beyond the fields of one form; None if there are none."""
    if decided <= PROGRAM_NAMED:
        return None
    words = t("{n} lines need a decision. Only the first {most} have fields: correct the others in the text.")
    return html.p({"class": "message read__warn"}, words.format(n=decided, most=PROGRAM_NAMED))


def _sum(preview: ProgramsPreview, t: Texts) -> VdomDict:
    """Return the counts: each program is counted once, with a certain performer or without."""
    programs = preview.programs
    by_hand = sum(each.performer is None for each in programs)
    has_program = sum(bool(each.performer and each.performer.pieces) for each in programs)
    unmatched = sum(line.status in _DECIDED for each in programs for line in each.lines)
    return _counts(
        ("", len(programs), t.plural("program", "programs", len(programs))),
        ("is-due", by_hand, t.plural("performer to choose", "performers to choose", by_hand)),
        ("", has_program, t("already with a program")),
        ("is-due", unmatched, t.plural("line to decide or not found", "lines to decide or not found", unmatched)),
    )


@cached_markup
def _block(block: ProgramBlock, named: frozenset[str], is_chosen: bool, language: str) -> VdomDict:  # noqa: FBT001
    """Return a block: its performer or the field that chooses one, and its lines.

    The program of the chosen performer (`is_chosen`) is replaced without a box.
    """
    t = texts(language)
    takes_sets = block.performer is not None and block.performer.takes_sets
    heading = f"block-{block.number}"
    rows = (_line(line, line.mark in named, takes_sets, language) for line in block.lines)
    return html.li(
        {"key": f"block-{block.mark}", "class": "batch__block", "aria-labelledby": heading},
        html.div(
            {"class": "batch__head"},
            html.h3({"id": heading}, *_whose(block, t)),
            html.span({"class": "small muted"}, _count(block, t)),
        ),
        _by_hand(block, t),
        None if is_chosen else _replace(block, t),
        html.ol({"class": "read"}, *rows),
    )


def _whose(block: ProgramBlock, t: Texts) -> list[Markup]:
    performer = block.performer
    if performer is None:
        return [html.span({"class": "nr"}, str(block.number)), " ", block.heading or t("Before the first heading")]
    number = performer.start_number if performer.start_number is not None else performer.order_number
    session = html.span({"class": "small muted"}, f", {performer.session}")
    mark = badge(t("Has Program"), "quiet") if performer.pieces else None
    return [html.span({"class": "nr"}, str(number)), " ", person_name(performer.name), session, " ", mark]


def _count(block: ProgramBlock, t: Texts) -> str:
    pieces = len({each.piece.id for line in block.lines for each in line.pieces})
    words = t.plural("%(n)d piece", "%(n)d pieces", pieces)
    unmatched = sum(line.status in _DECIDED for line in block.lines)
    if not unmatched:
        return words
    return f"{words}, {t.plural('%(n)d line to decide', '%(n)d lines to decide', unmatched)}"


def _by_hand(block: ProgramBlock, t: Texts) -> Markup:
    """Return the field that chooses the performer; None for a certain one, and for a title."""
    if block.performer or not block.is_program:
        return None
    likely = ", ".join(performer_label(each) for each in block.likely[:3])
    hint = f"{_doubt(block.doubt, t)} {t('Perhaps: {names}').format(names=likely) if likely else ''}".strip()
    label = t("Performer of the block at line {n}").format(n=block.number)
    own: dict[str, Any] = {"list": PERFORMERS, "maxLength": LABEL_LENGTH, "autoComplete": "off"}
    return field(label, f"who-{block.mark}", hint=hint, **own)


def _doubt(doubt: BlockDoubt, t: Texts) -> str:
    match doubt:
        case BlockDoubt.NO_HEADING:
            return t("No heading stands before these lines.")
        case BlockDoubt.SEVERAL:
            return t("Several performances fit.")
        case BlockDoubt.OTHER_NUMBER:
            return t("Name and start number are not the same performer’s.")
        case BlockDoubt.TWICE:
            return t("Another block has the same performer.")
        case _:
            return t("No performer of these sessions has this heading.")


def _replace(block: ProgramBlock, t: Texts) -> Markup:
    """Return the box that lets a block replace a chosen program; None where no program can be in its place."""
    if not block.is_program or (block.performer and not block.performer.pieces):
        return None
    version = block.performer.version if block.performer else ""
    own = {"id": f"replace-{block.mark}", "type": "checkbox", "name": "replace", "value": f"{block.mark}:{version}"}
    words = t("Replace the program there") if block.performer else t("Replace a program that is there")
    return html.label({"class": "check", "htmlFor": own["id"]}, html.input(own), words)


def _line(line: ProgramLine, has_fields: bool, takes_sets: bool, language: str) -> VdomDict:  # noqa: FBT001
    t, is_item = texts(language), is_set(line, takes_sets)
    return html.li(
        {"key": f"line-{line.mark}", "class": look_of(line)},
        html.span({"class": "nr"}, str(line.number)),
        html.p({"class": "read__text"}, line.text),
        html.div(
            {"class": "read__into"},
            html.p(
                {"class": "read__kind"}, kind_words(line, t), t(", one item") if is_item else None, *begins_at(line, t)
            ),
            *(_titles(line, language) if line.status in _FOUND else ()),
            *(_fields(line, language) if has_fields else ()),
        ),
    )


def _titles(line: ProgramLine, language: str) -> Iterable[VdomDict]:
    return (
        html.p({"key": f"piece-{each.piece.id}", "class": "read__piece"}, piece_title(each, language))
        for each in line.pieces
    )


def _fields(line: ProgramLine, language: str) -> Sequence[VdomDict]:
    picks = (line_picks(line, language),) if line.choices else ()
    return (*picks, line_other(line, texts(language)))


def _assign_one(performer: Performer | None, t: Texts) -> VdomDict:
    assigns = {"class": "button", "type": "submit", "name": "do", "value": ProgramStep.ASSIGN.value}
    button = html.button(
        assigns | {"disabled": performer is None, "data-busy": t("Processing...")}, t("Assign Program")
    )
    target = t("In the order of the lines, to {name}, in place of the program there.").format(
        name=performer.name if performer else ""
    )
    words = target if performer else t("Choose a participant first.")
    return html.div({"class": "row read__go"}, button, html.p({"class": "small muted"}, words))


def _assign(preview: ProgramsPreview, t: Texts) -> VdomDict:
    certain = sum(each.performer is not None for each in preview.programs)
    is_too_long = len(preview.programs) > PROGRAM_BLOCKS
    assigns = {"class": "button", "type": "submit", "name": "do", "value": ProgramStep.ASSIGN.value}
    button = html.button(assigns | {"disabled": is_too_long, "data-busy": t("Processing...")}, t("Assign Programs"))
    words = t.plural(
        "%(n)d performer is certain. A chosen program stays unless its box is ticked.",
        "%(n)d performers are certain. A chosen program stays unless its box is ticked.",
        certain,
    )
    too_long = t("At most {n} programs are assigned at once.").format(n=PROGRAM_BLOCKS)
    return html.div(
        {"class": "row read__go"}, button, html.p({"class": "small muted"}, too_long if is_too_long else words)
    )
