"""The forms of a participant file: choosing one, and how it is written."""

from apps.core.texts import Texts
from apps.imports.enums import FileEncoding, ImportState
from apps.imports.selectors import ImportShown
from components.markup import Markup, VdomDict, html
from components.ui.controls import forms
from components.ui.controls.commands import command_form

ADDRESS = "/participant-file"
_KILOBYTE = 1024


def file_form(file: ImportShown | None, token: str, t: Texts) -> VdomDict:
    """Return the form that posts a file, by the browser itself: files do not go over the socket."""
    field = {"id": "file", "name": "file", "type": "file", "accept": ".csv,.txt", "required": True}
    about: Markup = None
    if file:
        size = html.span({"class": "muted small"}, t("{n} KB").format(n=max(1, round(file.size / _KILOBYTE))))
        about = html.p(html.span({"class": "drop__name"}, file.file_name), " ", size)
    return html.form(
        {"class": "drop", "method": "post", "action": ADDRESS, "encType": "multipart/form-data", "data-once": ""},
        html.input({"type": "hidden", "name": "csrfmiddlewaretoken", "value": token}),
        html.label({"class": "label", "htmlFor": "file"}, t("Another file") if file else t("File")),
        about,
        html.input(field),
        html.button({"class": "button button--plain button--small", "type": "submit"}, t("Read the file")),
    )


def encoding_form(file: ImportShown, t: Texts) -> Markup:
    """Return the form that reads the file in another encoding, while it is not saved."""
    if file.state != ImportState.PREVIEW:
        return None
    found = t("{encoding} (found)") if file.is_encoding_sure else t("{encoding} (a guess)")
    choices = [
        (each.value, found.format(encoding=each.label) if each.value == file.encoding_found else str(each.label))
        for each in FileEncoding
    ]
    hint = (
        t("If names read wrong below, choose another.")
        if file.is_encoding_sure
        else t("This is a guess: the file is not in UTF-8. Compare the names below, then confirm it or choose another.")
    )
    return html.form(
        command_form("import_encoding_set", file.id) | {"class": "stack", "key": f"encoding-{file.id}-{file.encoding}"},
        forms.select(t("Written in"), "encoding", choices, file.encoding),
        html.p({"class": "field__hint"}, hint),
        html.button({"class": "button button--plain button--small", "type": "submit"}, t("Read it so")),
        html.p({"class": "answer-line", "data-answer": "", "role": "status"}),
    )
