"""The forms of a participant file: choosing one, its columns and samples, and reading it in another way."""

from collections.abc import Sequence

from apps.core.rounding import rounded
from apps.core.texts import Texts
from apps.imports.enums import OFFERED_ENCODINGS, Delimiter, FileEncoding, FileKind, ImportState
from apps.imports.limits import FILE_BYTES
from apps.imports.participant_files.columns import COLUMNS, EXTRA_COLUMNS, NAME, PEOPLE_COLUMNS
from apps.imports.participant_files.summary import sheet_words
from apps.imports.selectors.participant_files import ImportRow, ImportShown
from apps.imports.tables.encodings import other_spellings
from components.pages.admin.imports.column_choice import column_choice
from components.runtime import (
    Component,
    Markup,
    Query,
    VdomDict,
    command_button,
    command_form,
    component,
    html,
    web_module,
)
from components.ui import forms

ADDRESS = "/participant-file"
FILE_LIMIT = web_module("modules/backstage/file-limit.js", "FileLimit")
NO_FILE, LARGE = "none", "large"  # why an uploaded file was not kept
_KILOBYTE = 1024
_CHOSEN = (*COLUMNS, *EXTRA_COLUMNS, NAME)


def file_error(file: ImportShown | None, why: str, t: Texts) -> str:
    """Return why a file is not read, empty if it is; `why` is the reason of a file that was not kept."""
    if file is not None and file.refusal is not None:
        sentence: str = t(file.refusal["message"]) % file.refusal["params"]
        return sentence
    sentences = {NO_FILE: t("Please choose a file."), LARGE: large_words(t)}
    return sentences.get(why, "")


def large_words(t: Texts) -> str:
    """Return what is said about a file above the limit."""
    most = {"most": FILE_BYTES // (_KILOBYTE * _KILOBYTE)}
    words: str = t("Error reading file\nA file has at most %(most)d MB.") % most
    return words


def large_error(query: Query, t: Texts) -> Markup:
    """Return the sentence of a page that was opened because its file was too large to be sent; None otherwise."""
    if query.get("file") != LARGE:
        return None
    return html.p({"class": "field__error drop__error", "role": "alert", "key": "large"}, large_words(t))


def file_limit(field: str, t: Texts) -> Component:
    """Return the script that refuses a file above the limit before it is sent, in the field with this id."""
    return _file_limit(field, t("A file has at most %(most)d MB.") % {"most": FILE_BYTES // (_KILOBYTE * _KILOBYTE)})


@component
def _file_limit(field: str, words: str) -> VdomDict:
    return FILE_LIMIT({"field": field, "most": FILE_BYTES, "words": words})


def file_form(file: ImportShown | None, error: str, token: str, t: Texts) -> VdomDict:
    """Return the form that uploads a file by an HTTP request, because files are not sent over the socket.

    The file that was chosen is kept by the server, also a refused one: its name stays beside the error.
    """
    field = {"id": "file", "name": "file", "type": "file", "accept": ".csv,.txt,.xlsx", "required": True}
    wrong = {"aria-invalid": "true", "aria-describedby": "file-error"} if error else {}
    about: Markup = None
    if file:
        size = html.span({"class": "muted small"}, t("{n} KB").format(n=max(1, int(rounded(file.size / _KILOBYTE, 0)))))
        about = html.p(html.span({"class": "drop__name"}, file.file_name), " ", size)
    note = html.p({"class": "field__error drop__error", "id": "file-error", "role": "alert"}, error) if error else None
    return html.form(
        {"class": "drop", "method": "post", "action": ADDRESS, "encType": "multipart/form-data", "data-once": ""},
        html.input({"type": "hidden", "name": "csrfmiddlewaretoken", "value": token}),
        html.label({"class": "label", "htmlFor": "file"}, t("Another file") if file else t("File")),
        about,
        html.input(field | wrong),
        file_limit("file", t),
        note,
        html.button({"class": "button button--plain button--small", "type": "submit"}, t("Read the file")),
    )


def columns(t: Texts) -> VdomDict:
    """Return the names of the columns, required and optional ones, and the links to sample files."""
    names = (
        (t("Required columns"), ", ".join(COLUMNS)),
        (t("Optional columns"), ", ".join(EXTRA_COLUMNS)),
    )
    samples = (("csv", t("Sample file (.csv)")), ("xlsx", t("Sample file (.xlsx)")))
    links = (
        html.a({"key": kind, "class": "link", "href": f"{ADDRESS}?sample={kind}", "download": ""}, words)
        for kind, words in samples
    )
    return html.div(
        {"class": "stack small", "id": "columns"},
        *(html.p({"key": label}, html.b(f"{label}: "), words) for label, words in names),
        html.p(
            t(
                "One of the first ten lines names the columns: in any order, in English, Polish or German. "
                "Columns are divided by | or ; or , or tabs."
            )
        ),
        html.p(t("Program holds any number of pieces, divided by ; or line breaks.")),
        html.p({"class": "row"}, *links),
    )


def reading_forms(file: ImportShown, rows: Sequence[ImportRow], t: Texts) -> Markup:
    """Return how a file is read, with the forms to change it; None if it is no longer a preview.

    A name of `rows` is shown as another encoding spells it.
    """
    if file.state not in (ImportState.PREVIEW, ImportState.REFUSED):
        return None
    is_refused = file.state == ImportState.REFUSED
    clears = (
        html.button({"class": "link"} | command_button("import_clear", file.id), t("Clear")) if is_refused else None
    )
    return html.div(
        {"class": "stack", "key": f"reading-{file.id}"},
        _people_only(file, t),
        _sheet(file, t) if file.kind == FileKind.WORKBOOK else _text_form(file, rows, t),
        column_choice(
            command_form("import_columns_choose", file.id),
            file.columns,
            _CHOSEN,
            t,
            found=t("Not used, as no name fits"),
        ),
        clears,
    )


def _people_only(file: ImportShown, t: Texts) -> Markup:
    """Return the offer to read a file that lacks columns of pieces only, or the way back from that."""
    offers = bool(file.refusal and file.refusal["lacks_pieces"])
    if not offers and not file.is_people_only:
        return None
    words = t("Read it as people only") if offers else t("Read it with its pieces")
    hint = (
        t("Then only {columns} are required; a column Program is used.").format(columns=", ".join(PEOPLE_COLUMNS))
        if offers
        else t("Read as people only: columns of single pieces are not used.")
    )
    people = html.input({"type": "hidden", "name": "people", "value": "on"}) if offers else None
    return html.form(
        command_form("import_read_again", file.id) | {"class": "stack", "key": f"people-{file.id}-{offers}"},
        people,
        html.p({"class": "field__hint"}, hint),
        html.button({"class": "button button--plain button--small", "type": "submit"}, words),
        _answer(),
    )


def _text_form(file: ImportShown, rows: Sequence[ImportRow], t: Texts) -> VdomDict:
    """Return the form that reads a text in another encoding or divided by another sign."""
    names = " ".join(f"{row.first_name} {row.last_name}" for row in rows)
    encoding, hint = encoding_choice(file.encoding, file.encoding_found, names, t, is_sure=file.is_encoding_sure)
    delimiters = [
        (
            each.value,
            t("{choice} (found)").format(choice=t(str(each.label)))
            if each.value == file.delimiter_found
            else t(str(each.label)),
        )
        for each in Delimiter
    ]
    look = {"class": "stack", "key": f"reading-{file.id}-{file.encoding}-{file.delimiter}"}
    people = html.input({"type": "hidden", "name": "people", "value": "on"}) if file.is_people_only else None
    return html.form(
        command_form("import_read_again", file.id) | look,
        people,
        encoding,
        forms.select(t("Columns divided by"), "delimiter", delimiters, file.delimiter),
        hint,
        html.button({"class": "button button--plain button--small", "type": "submit"}, t("Read it so")),
        _answer(),
    )


def encoding_choice(encoding: str, found: str, text: str, t: Texts, *, is_sure: bool) -> tuple[VdomDict, VdomDict]:
    """Return the choice among the encodings of a text, and the words beside it.

    The words about a guess show a word of `text` in each encoding that spells it in another way.
    """
    detected = t("{choice} (found)") if is_sure else t("{choice} (a guess)")
    encodings = [
        (each.value, detected.format(choice=each.label) if each.value == found else str(each.label))
        for each in FileEncoding
        if each in OFFERED_ENCODINGS or each == encoding
    ]
    if is_sure:
        hint = t("If names read wrong below, choose another.")
    else:
        spellings = (
            t("“{name}” in {encoding}").format(name=spelling, encoding=each.label)
            for each, spelling in other_spellings(text, FileEncoding(encoding)).items()
        )
        guess = t(
            "This is a guess: the file is not in UTF-8. Compare the names below, then confirm it or choose another."
        )
        hint = " ".join(filter(None, (guess, t(" or ").join(spellings))))
    return forms.select(t("Written in"), "encoding", encodings, encoding), html.p({"class": "field__hint"}, hint)


def _sheet(file: ImportShown, t: Texts) -> Markup:
    """Return which sheet of a workbook is read, with the form that reads another one."""
    if not file.sheets:
        return None
    words = html.p({"class": "field__hint"}, sheet_words(file.sheet, file.other_sheets, file.hidden_rows, t))
    if not file.other_sheets:
        return words
    people = html.input({"type": "hidden", "name": "people", "value": "on"}) if file.is_people_only else None
    return html.form(
        command_form("import_read_again", file.id) | {"class": "stack", "key": f"reading-{file.id}-{file.sheet}"},
        people,
        *sheet_choice(file.sheet, file.other_sheets, t),
        words,
        _answer(),
    )


def sheet_choice(name: str, others: Sequence[str], t: Texts) -> tuple[VdomDict, VdomDict]:
    """Return the choice among the sheets of a workbook, and the button that reads the chosen one."""
    sheets = [(each, each) for each in (name, *others)]
    return (
        forms.select(t("Sheet"), "sheet", sheets, name, translate="no"),
        html.button({"class": "button button--plain button--small", "type": "submit"}, t("Read this sheet")),
    )


def _answer() -> VdomDict:
    return html.p({"class": "answer-line", "data-answer": "", "role": "status"})
