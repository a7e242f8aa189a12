"""Forms that the browser posts: fields with a token and errors, and the answer above the next page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlencode

from apps.core.texts import Texts, texts
from components.runtime import Form, Markup, VdomDict, html, posted_form
from components.ui import forms
from components.ui.blocks import button, button_link
from components.ui.empty_states import message

SUMMARY = "form-errors"  # the id of the errors of the form as a whole


@dataclass(frozen=True, slots=True)
class Entry:
    """One field of a form; `more` are further attributes, such as a pattern."""

    name: str
    label: str
    type: str = "text"
    autocomplete: str = "off"
    hint: str = ""
    more: Mapping[str, Any] = field(default_factory=dict)


def plain_form(form: Form, *children: Markup, action: str = "", leaves: bool = True, **more: str) -> VdomDict:
    """Return the form around its children, posted to `action`, else to the form's address, else to the page's address.

    Only the server validates it, with the site's messages. A form that leads to another page (`leaves`) is busy until
    then (lights.js), with `data-busy` as its button's label. `more` are further attributes, such as `data-draft`, which
    keeps the typed values until the form is shown with `data-saved`.
    """
    attributes: dict[str, Any] = {"class": "ticket__fields", "method": "post", "noValidate": True, **more}
    if leaves:
        attributes["data-once"] = ""
    if to := action or form.action:
        attributes["action"] = to
    hidden = {"csrfmiddlewaretoken": form.token, **form.hidden}
    hidden_inputs = [
        html.input({"type": "hidden", "key": name, "name": name, "value": hidden[name]}) for name in hidden
    ]
    return html.form(attributes, *hidden_inputs, *children)


def entries(form: Form, wanted: Sequence[Entry | Markup], t: Texts) -> list[Markup]:
    """Return the fields with values and errors, and markup among them unchanged; the first wrong field has the focus.

    If only the form as a whole is wrong, it is the first password, which has to be typed again, or the first field.
    """
    focused = _problem(form, [each for each in wanted if isinstance(each, Entry)])
    return [_field(form, each, t, focus=each.name == focused) if isinstance(each, Entry) else each for each in wanted]


def _problem(form: Form, wanted: Sequence[Entry]) -> str:
    wrong = [entry.name for entry in wanted if form.errors.get(entry.name)]
    if wrong or not form.errors.get(""):
        return wrong[0] if wrong else ""
    passwords = [entry.name for entry in wanted if entry.type == "password"]
    return (passwords or [entry.name for entry in wanted] or [""])[0]


def _field(form: Form, entry: Entry, t: Texts, *, focus: bool) -> VdomDict:
    error = " ".join(t(each) for each in form.errors.get(entry.name, ()))
    attributes = {"type": entry.type, "autoComplete": entry.autocomplete, "required": True, **entry.more}
    if entry.type == "text":
        attributes |= {"autoCapitalize": "none", "spellCheck": False}
    if focus:
        attributes["autoFocus"] = True
    return forms.field(
        entry.label,
        entry.name,
        value="" if entry.type == "password" else form.values.get(entry.name, ""),
        hint=entry.hint,
        error=error,
        described_by=SUMMARY if focus and not error else "",
        **attributes,
    )


def answers(form: Form, t: Texts) -> list[VdomDict]:
    """Return the form's messages and the errors of the form as a whole."""
    messages = [message(t(each.text), good=each.is_good) for each in form.messages]
    wrong = [html.p(t(each)) for each in form.errors.get("", ())]
    summary = html.div({"class": "message message--bad", "role": "alert", "id": SUMMARY}, *wrong)
    return [*messages, summary] if wrong else messages


def submit(words: str, look: str = "", **attributes: Any) -> VdomDict:
    """Return the button that posts the form around it."""
    return button(words, look, type="submit", **attributes)


def onward(path: str, form: Form) -> str:
    """Return the address of another screen with this form's `next`."""
    to = form.hidden.get("next", "")
    return f"{path}?{urlencode({'next': to})}" if to else path


COMMAND = "command"  # the kind of stored form answers that hold the answer to a command
LOOK = "sheet posted"  # the class of the answer above the page
SURE, CONFIRMED = "sure", "confirmed"  # fields that confirm the command's own question, and the service's


def posted_answer(data: Mapping[str, Any], back: str, language: str) -> VdomDict:
    """Return the answer to a posted command: its message, and below it the form of the next step.

    This form repeats the command with a confirmation if the answer is a question; else it undoes the command, if
    possible. `back` is the address of the page without the answer.
    """
    answer = data["answer"]
    sentence = message(answer["text"], good=answer["ok"]) if answer["text"] else None
    follows = _again(data, back, language) if answer.get("ask") else _undo(answer.get("undo"), language)
    return html.div({"key": "posted-answer", "class": LOOK}, html.div({"class": "stack"}, sentence, follows))


def without_answer(address: str) -> str:
    """Return the address of the page without an answer that it shows."""
    path, _, query = address.partition("?")
    if "answer=" not in query:
        return address
    others = urlencode([pair for pair in parse_qsl(query) if pair[0] != "answer"])
    return path + (f"?{others}" if others else "")


def question(data: Mapping[str, Any], asking: Mapping[str, Any]) -> str:
    """Return the question that a script would show for the control with the attributes `asking`.

    The control's `data-confirm` names the object. Its `data-ask` is appended to a question of the service.
    """
    if not data["answer"].get("first") or "data-confirm" not in asking:
        words = [data["answer"]["text"], asking.get("data-ask", "")]
    else:
        words = [asking["data-confirm"], asking.get("data-confirm-words", "")]
    return " ".join(filter(None, words))


def _undo(undo: Sequence[str | int] | None, language: str) -> Markup:
    if not undo:
        return None
    name, argument = undo
    back = button(texts(language)("Undo"), "plain", type="submit")
    return html.form(posted_form(str(name), argument), back)


def _again(data: Mapping[str, Any], back: str, language: str) -> VdomDict:
    t, name, values = texts(language), data["command"], data["values"]
    yes = {
        SURE if data["answer"].get("first") else CONFIRMED: "1"
    }  # confirms the command's own question, or the service's
    # a form with typed values is shown again with these values and its own cancel link
    cancel = button_link(back, t("Cancel"), "plain") if values.keys() <= {SURE, CONFIRMED} else None
    row = html.div({"class": "row"}, button(t("Yes"), type="submit"), cancel)
    return html.form(posted_form(name, data["argument"]), *_fields({**values, **yes}), row)


def _fields(values: Mapping[str, str | list[str]]) -> list[Markup]:
    pairs = [(name, each) for name, value in values.items() for each in ([value] if isinstance(value, str) else value)]
    return [
        html.input({"type": "hidden", "key": f"{name}-{number}", "name": name, "value": value})
        for number, (name, value) in enumerate(pairs)
    ]


PASSKEY_SCRIPTS = ("modules/passkeys.js",)  # the `scripts` of a page with this button


def passkey(form: Form, words: str, ceremony: str, *asked: Markup, action: str, look: str, t: Texts) -> VdomDict:
    """Return the form around these inputs, posted to `action` with the passkey.

    `ceremony` is "create" or "get"; the script gets the challenge from `action`, too.
    """
    failed = t("No passkey was used. You may try again, or take another way.")
    failure_attributes: dict[str, Any] = {
        "class": "message message--bad",
        "role": "alert",
        "hidden": True,
        "data-passkey-failed": "",
    }
    credential = html.input({"type": "hidden", "name": "credential", "defaultValue": ""})
    return html.div(
        {"hidden": True, "data-passkey": ceremony},
        plain_form(form, *asked, submit(words, look), html.p(failure_attributes, failed), credential, action=action),
    )
