"""Forms that the browser posts, with a token and with errors at the fields."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from apps.core.texts import Texts
from components.form import Form
from components.markup import Markup, VdomDict, html
from components.ui.blocks import button
from components.ui.controls import forms
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
    """Return the form around its children, posted to `action`, else to the form's address, else to the page's own.

    The server validates it, in the site's words; browsers do not. A form whose answer is another page (`leaves`) is
    busy until then (lights.js), with `data-busy` as its button's label. `more` are
    further attributes, such as `data-draft`, which keeps what is typed until the form comes with `data-saved`.
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


def entries(form: Form, wanted: Sequence[Entry], t: Texts) -> list[VdomDict]:
    """Return the fields with values and errors; the first wrong one has the focus.

    If only the form as a whole is wrong, it is the first password, which has to be typed again, or the first field.
    """
    focused = _problem(form, wanted)
    return [_field(form, entry, t, focus=entry.name == focused) for entry in wanted]


def _problem(form: Form, wanted: Sequence[Entry]) -> str:
    wrong = [entry.name for entry in wanted if form.errors.get(entry.name)]
    if wrong or not form.errors.get(""):
        return wrong[0] if wrong else ""
    passwords = [entry.name for entry in wanted if entry.type == "password"]
    return (passwords or [entry.name for entry in wanted])[0]


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
