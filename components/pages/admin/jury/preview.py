"""What a jury's file becomes: its counts, faults by line, fields that decide, and what it changes."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from apps.core.people import PersonDoubt
from apps.core.texts import Texts, texts
from apps.imports.enums import JuryFault, JuryFileKind
from apps.imports.jury_files.columns import MARKS_COLUMNS, OFFICIAL_COLUMNS
from apps.imports.jury_files.people import participant_labels
from apps.imports.jury_files.sheets import JurorRead, PersonRead, SheetRead
from apps.imports.jury_files.summary import commas_words, counts_words, fault_words
from apps.imports.limits import JURY_CHOSEN, JURY_SHOWN, LABEL_LENGTH
from apps.imports.participant_files.summary import sheet_words
from apps.imports.selectors.jury_files import JuryFileShown, JuryPreview
from apps.jury.contents import Cell, MarkChange, Official
from components.pages.admin.imports.column_choice import column_choice
from components.pages.admin.imports.participant_file import encoding_choice, file_limit, sheet_choice
from components.pages.admin.jury.figures import agreement, figures_table
from components.runtime import Markup, VdomDict, command_button, command_form, html
from components.ui.blocks import link
from components.ui.empty_states import empty, message
from components.ui.forms import field, select
from components.ui.frames import answer_line, version_field

FILE = "/participant-file?kind=jury"  # where the file is posted
PEOPLE = "participants"  # the id of the datalist
_LISTED = "message read__warn"


def file_form(
    stages: Sequence[tuple[int, str]], file: JuryFileShown | None, stage_id: int, token: str, t: Texts, *, error: Markup
) -> VdomDict:
    """Return the form that uploads a file by an HTTP request, because files are not sent over the socket.

    `error` is the sentence about a file that was too large to be sent.
    """
    own = {"id": "jury-file", "name": "file", "type": "file", "accept": ".csv,.txt,.xlsx", "required": True}
    options = [("", t("As its number and performers say")), *((str(pk), name) for pk, name in stages)]
    kept = html.p(html.span({"class": "drop__name"}, file.file_name or t("A file")), " ", file.stage) if file else None
    return html.form(
        {"class": "drop", "method": "post", "action": FILE, "encType": "multipart/form-data", "data-once": ""},
        html.input({"type": "hidden", "name": "csrfmiddlewaretoken", "value": token}),
        select(t("Stage"), "stage", options, str(stage_id or "")),
        html.div(
            {"class": "field"},
            html.label({"htmlFor": "jury-file"}, t("Another file") if file else t("File")),
            kept,
            html.input(own),
            file_limit("jury-file", t),
            error,
        ),
        html.button({"class": "button button--plain button--small", "type": "submit"}, t("Read the file")),
    )


def reading_form(file: JuryFileShown | None, t: Texts) -> Markup:
    """Return how a file is read, with the form that reads it in another way; None if there is no other one."""
    if file is not None and file.encoding:
        return html.form(
            command_form("jury_file_read_again") | {"class": "stack", "key": f"encoding-{file.encoding}"},
            *encoding_choice(file.encoding, file.encoding_found, file.text, t, is_sure=file.is_encoding_sure),
            html.button({"class": "button button--plain button--small", "type": "submit"}, t("Read it so")),
            answer_line(),
        )
    if file is None or not file.other_sheets:
        return None
    return html.form(
        command_form("jury_file_read_again") | {"class": "stack", "key": f"sheet-{file.sheet}"},
        *sheet_choice(file.sheet, file.other_sheets, t),
        html.p({"class": "field__hint"}, sheet_words(file.sheet, file.other_sheets, 0, t)),
        answer_line(),
    )


def columns(t: Texts) -> VdomDict:
    """Return the columns of both kinds of files."""
    kinds = ((t("Marks"), MARKS_COLUMNS), (t("Official scores"), OFFICIAL_COLUMNS))
    return html.div(
        {"class": "stack small"},
        *(html.p({"key": words}, html.b(f"{words}: "), ", ".join(names)) for words, names in kinds),
        html.p(t("S in the last column, or in place of the mark: the juror is recused, the performer is a student.")),
        html.p(t("Start number or name is enough; where both are given they have to agree.")),
        html.p(t("Or one row for each performer, one column for each juror, S for a recused one.")),
    )


def becomes(
    preview: JuryPreview | None, file: JuryFileShown | None, stages: Sequence[tuple[int, str]], language: str
) -> VdomDict:
    """Return the preview of a file; without one the words that it will be here. `stages` are those of the site."""
    t = texts(language)
    if preview is None or file is None:
        return html.div(empty(t("Each line will be counted here, and each fault named.")))
    if preview.sheet is None:
        wrong = message(_error_words(preview, t), good=False)
        return html.div({"class": "stack"}, wrong, _columns_choice(preview, t), _clear(t))
    sheet = preview.sheet
    return html.div(
        {"class": "stack", "key": f"file-{preview.version}"},
        _sum(sheet, t),
        html.p({"class": "small muted"}, counts_words(sheet, t)),
        _stage(preview, t),
        _unused(sheet, t),
        _columns_choice(preview, t),
        _jurors(sheet, t),
        _commas(sheet, t),
        _faults(sheet, t),
        _choices(preview, stages, language),
        _changes(preview, t) if preview.can_be_saved else None,
        _officials(preview, language) if preview.can_be_saved else None,
        _buttons(preview, file, language),
    )


def _error_words(preview: JuryPreview, t: Texts) -> str:
    errors = preview.error.error_list if preview.error else ()
    return " ".join(t(str(each.message)) % (each.params or {}) for each in errors)


def _sum(sheet: SheetRead, t: Texts) -> VdomDict:
    is_marks = sheet.kind is JuryFileKind.MARKS
    undecided, jurors = len(sheet.undecided), len(sheet.open_jurors)
    counts = (
        ("", sheet.marks, t("marks") if is_marks else t("official scores")),
        ("", sheet.recused, t("recused")),
        ("is-due" if sheet.left else "", sheet.left, t("left")),
        ("is-due", len(sheet.faults), t.plural("fault", "faults", len(sheet.faults))),
        ("is-due", undecided, t.plural("participant to choose", "participants to choose", undecided)),
        ("is-due", jurors, t.plural("juror to choose", "jurors to choose", jurors)),
    )
    parts: list[Markup] = []
    for look, count, words in counts:
        if count or not look:
            parts += [html.span({"class": look, "key": words}, html.b(str(count)), f" {words}"), " "]
    return html.p({"class": "read__sum", "role": "status"}, *parts)


def _stage(preview: JuryPreview, t: Texts) -> VdomDict:
    stored = preview.stored
    words = t("The file is of stage {n}; chosen is {stage}.") if preview.place else t("Chosen is {stage}.")
    words = words.format(n=preview.place, stage=preview.stage)
    moved = stored and stored.place != preview.place
    more = t("The stored sheet is of stage {n}.").format(n=stored.place) if stored and moved else ""
    return html.p({"class": "small"}, f"{words} {more}".strip())


def _unused(sheet: SheetRead, t: Texts) -> Markup:
    if not sheet.unused:
        return None
    words = t("Columns that are not used: {names}.").format(names=", ".join(sheet.unused))
    return html.p({"class": "field__hint"}, words)


def _columns_choice(preview: JuryPreview, t: Texts) -> Markup:
    """Return the form that says what the columns are that no name explains; None without any."""
    is_matrix = preview.sheet is not None and preview.sheet.is_matrix
    found = t("A juror’s marks, unless the name is no juror’s") if is_matrix else t("Not used, as no name fits")
    names = tuple(dict.fromkeys((*MARKS_COLUMNS, *OFFICIAL_COLUMNS)))
    choice = column_choice(command_form("jury_columns_choose"), preview.columns, names, t, found=found)
    if not is_matrix:
        return choice
    summary = html.summary({"class": "link"}, t("Jurors and other columns of the file"))
    return html.details({"key": "columns"}, summary, choice)


def _jurors(sheet: SheetRead, t: Texts) -> Markup:
    new = [each.name for each in sheet.jurors if each.is_new]
    if not new:
        return None
    words = t.plural("%(n)d new juror: {names}.", "%(n)d new jurors: {names}.", len(new))
    return html.p({"class": "small"}, words.format(names=", ".join(new)))


def _commas(sheet: SheetRead, t: Texts) -> Markup:
    """Return the offer to read decimal commas as points, or the way back from that; None for a file without any."""
    if not sheet.commas:
        return None
    is_fault = sheet.has_comma_faults
    words = t("Read commas as decimal points") if is_fault else t("Do not read commas as decimal points")
    look = {"class": "button button--small" if is_fault else "link", "type": "submit"}
    return html.form(
        command_form("jury_file_read_again") | {"class": "row", "key": f"commas-{is_fault}"},
        html.span(commas_words(sheet, t)),
        html.input({"type": "hidden", "name": "comma", "value": "point" if is_fault else "comma"}),
        html.button(look, words),
    )


def _faults(sheet: SheetRead, t: Texts) -> Markup:
    """Return the faults by line, the first JURY_SHOWN of them; None without any."""
    faults = [each for each in sheet.faults if not (sheet.commas and each.fault is JuryFault.COMMA)]
    if not faults:
        return None
    rows = (
        html.li({"key": f"fault-{at}"}, html.b(t("Line {n}:").format(n=each.line)), " ", fault_words(each, t))
        for at, each in enumerate(faults[:JURY_SHOWN])
    )
    return html.div(
        {"class": _LISTED, "key": "faults"},
        html.h3(t("To correct in the file")),
        html.p({"class": "small"}, t("Nothing is stored while there are any.")),
        html.ul(*rows, _more(len(faults), t)),
    )


def _more(count: int, t: Texts) -> Markup:
    left = count - JURY_SHOWN
    return html.li({"key": "more"}, t("and {n} more").format(n=left)) if left > 0 else None


def _choices(preview: JuryPreview, stages: Sequence[tuple[int, str]], language: str) -> Markup:
    """Return the form that chooses the stage, participants, and jurors of a near spelling by hand."""
    sheet, t = preview.sheet, texts(language)
    if sheet is None:
        return None
    options = [(str(pk), name) for pk, name in stages]
    stage = select(t("Stage of the site"), "stage", options, str(preview.stage_id), id="jury-stage")
    labels = participant_labels(preview.people)
    own = {each.id: label for label, each in labels.items()}
    fields = (_field(each, own, sheet.vanished, t) for each in sheet.fields[:JURY_CHOSEN])
    return html.form(
        command_form("jury_file_choose") | {"class": "stack", "noValidate": True, "data-answers": "", "key": "choices"},
        html.h3(t("To choose by hand")),
        stage,
        *fields,
        html.datalist({"id": PEOPLE}, *(html.option({"key": label, "value": label}) for label in labels)),
        html.p({"class": "answer-line", "data-answer": "", "role": "status"}),
        html.button({"class": "button button--plain", "type": "submit"}, t("Choose")),
    )


def _field(each: PersonRead | JurorRead, labels: Mapping[int, str], vanished: Sequence[str], t: Texts) -> VdomDict:
    if isinstance(each, JurorRead):
        label = t("Line {n}: new juror “{name}”").format(n=each.line, name=each.written)
        chosen = (each.name,) if each.is_chosen and not each.is_new else ()
        others = [name for name in dict.fromkeys((*chosen, each.near, *vanished)) if name]
        options = [
            *([("", t("choose"))] if vanished and not each.is_chosen else []),
            (each.own, t("A new juror")),
            *((name, t("The same as {name}").format(name=name)) for name in others),
        ]
        return select(label, each.mark, options, each.name if each.is_chosen else options[0][0])
    likely = ", ".join(labels[person.id] for person in each.likely)
    hint = f"{_doubt(each, t)} {t('Perhaps: {names}').format(names=likely) if likely else ''}".strip()
    own: dict[str, Any] = {"list": PEOPLE, "maxLength": LABEL_LENGTH, "autoComplete": "off"}
    value = labels[each.participant.id] if each.participant else ""
    label = t("Line {n}: {name}").format(n=each.line, name=each.words)
    return field(label, each.mark, value=value, hint=hint, **own)


def _doubt(person: PersonRead, t: Texts) -> str:
    match person.doubt:
        case PersonDoubt.NONE:
            return t("Chosen by hand.")
        case PersonDoubt.SEVERAL:
            return t("Several participants have this name.")
        case PersonDoubt.OTHER_NAME:
            return t("The start number is that of a participant with another name.")
        case _:
            return t("No participant has this name or number.")


def _changes(preview: JuryPreview, t: Texts) -> Markup:
    """Return what a corrected file of marks changes, the first JURY_SHOWN marks; None for other files."""
    if preview.is_unchanged:
        words = t("Nothing changed: the stored sheet has all of it already.")
        return html.p({"class": "message message--good", "role": "status", "key": "same"}, words)
    if preview.stored is None or not preview.changes:
        return None
    names = {each.id: each.name for each in preview.people}
    count = len(preview.changes)
    heading = t.plural("%(n)d mark changes", "%(n)d marks change", count)
    rows = (
        html.li({"key": f"change-{at}"}, _change(each, names.get(each.participant_id, ""), t))
        for at, each in enumerate(preview.changes[:JURY_SHOWN])
    )
    return html.div({"class": _LISTED, "key": "changes"}, html.h3(heading), html.ul(*rows, _more(count, t)))


def _change(change: MarkChange, name: str, t: Texts) -> str:
    before, after = (_cell(cell, t) for cell in (change.before, change.after))
    return t("{name}, {juror}: {before} → {after}").format(name=name, juror=change.juror, before=before, after=after)


def _cell(cell: Cell | None, t: Texts) -> str:
    return t("none") if cell is None else cell if isinstance(cell, str) else f"{cell.normalize():f}"


def _officials(preview: JuryPreview, language: str) -> Markup:
    """Return the agreement of a file of official figures with the stored marks; None for a file of marks."""
    sheet, stored = preview.sheet, preview.stored
    if sheet is None or stored is None or sheet.kind is JuryFileKind.MARKS:
        return None
    t = texts(language)
    figures = ((row, sheet.officials.get(row.participant_id, Official())) for row in stored.rows)
    rows = tuple(
        replace(row, official=each.score, official_cumulated=each.cumulated, official_rank=each.rank)
        for row, each in figures
    )
    changed = t.plural("%(n)d official figure changes", "%(n)d official figures change", preview.officials_changed)
    return html.div(
        {"class": "stack", "key": "agreement"},
        html.p({"class": "small"}, changed) if preview.officials_changed else None,
        agreement(replace(stored, rows=rows), t),
        figures_table(rows, language, caption=t("Official and recomputed scores")),
    )


def _buttons(preview: JuryPreview, file: JuryFileShown, language: str) -> VdomDict:
    t = texts(language)
    save = None
    if not file.is_encoding_sure:
        save = html.p(
            {"class": "small", "key": "guess"}, link("#encoding", t("Confirm first how the file is written."))
        )
    elif preview.can_be_saved and not preview.is_unchanged:
        asked = {"data-ask": t("Save the jury’s marks as a draft?"), "data-ask-yes": t("Save Draft")}
        save = html.form(
            command_form("jury_file_save") | asked | {"key": "save"},
            version_field(preview.version, language),
            html.button({"class": "button", "type": "submit", "data-busy": t("Saving...")}, t("Save Draft")),
        )
    words = t("A draft is public only when it is published.")
    return html.div(
        {"class": "row read__go"},
        save,
        _clear(t),
        html.p({"class": "small muted"}, words) if save and file.is_encoding_sure else None,
    )


def _clear(t: Texts) -> VdomDict:
    clears = command_button("jury_file_clear", confirm=t("Forget this file?"), yes=t("Clear"))
    return html.button({"class": "button button--plain", "key": "clear"} | clears, t("Clear"))
