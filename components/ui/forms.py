"""Form fields, and dialogs that ask before an action."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from apps.core.limits import TEXT_REMAINING
from apps.core.texts import Texts
from components.runtime import Markup, VdomDict, command_button, html

HEADINGS = {"h2": html.h2, "h4": html.h4}


def question(name: str, ask: Markup, words: str, *, cancel: str, confirm: VdomDict, level: str = "h2") -> VdomDict:
    """Return the content of a dialog; `confirm` is the button that confirms, `name` the heading's id."""
    return html.form(
        {"method": "dialog"},
        HEADINGS[level]({"id": name}, ask),
        html.p(words),
        html.div({"class": "row"}, html.button({"class": "button button--plain", "value": "no"}, cancel), confirm),
    )


def dialog(name: str, inside: VdomDict) -> VdomDict:
    """Return the dialog element around a question; `name` is the id of its heading."""
    return html.dialog({"class": "dialog", "id": f"{name}-dialog", "aria-labelledby": name}, inside)


def field(
    label: str,
    name: str,
    *,
    value: str = "",
    hint: str = "",
    error: str = "",
    described_by: str = "",
    **attributes: Any,
) -> VdomDict:
    """Return a one-line field; `error` marks it as wrong. `described_by` is the id of a further description.

    Its id is its name. If a page has two fields of one name, one of them needs another `id`.
    """
    own: dict[str, Any] = {"id": name, "name": name, "type": "text", "defaultValue": value} | attributes
    field_id = own["id"]
    notes = [f"{field_id}-{kind}" for kind, words in (("hint", hint), ("error", error)) if words]
    if described_by or notes:
        own["aria-describedby"] = " ".join([*([described_by] if described_by else []), *notes])
    if error:
        own["aria-invalid"] = "true"
    return html.div(
        {"class": "field"},
        html.label({"htmlFor": field_id}, label),
        html.input(own),
        _note("hint", field_id, hint),
        _note("error", field_id, error),
    )


def area(label: str, name: str, *, value: str = "", hint: str = "", **attributes: Any) -> VdomDict:
    """Return a multi-line field with its hint."""
    own: dict[str, Any] = {"id": name, "name": name, "defaultValue": value} | attributes
    if hint:
        own["aria-describedby"] = f"{own['id']}-hint"
    return html.div(
        {"class": "field"},
        html.label({"htmlFor": own["id"]}, label),
        html.textarea(own),
        _note("hint", own["id"], hint),
    )


def characters_left(t: Texts, start: int = TEXT_REMAINING) -> VdomDict:
    """Return the line with the number of characters left in the field around it, shown below `start` characters."""
    return html.p({"class": "field__left", "data-counter": t("{n} left"), "data-from": str(start)})


def _note(kind: str, name: str, words: str) -> Markup:
    return html.p({"class": f"field__{kind}", "id": f"{name}-{kind}"}, words) if words else None


def select(
    label: str,
    name: str,
    choices: Sequence[tuple[str, str]],
    value: str = "",
    *,
    stored: Callable[[str], Mapping[str, str]] = lambda _words: {},
    **attributes: Any,
) -> VdomDict:
    """Return a drop-down of (value, words). `stored` returns attributes of a choice with a value, such as a language.

    Its id is its name, unless `id` is another one. Without a `value` the first choice is the default, as in browsers.
    The client detects changes by comparing the selection with the default.
    """
    own: dict[str, Any] = {"id": name, "name": name, "defaultValue": value or next(iter(choices), ("", ""))[0]}
    own |= attributes
    return html.div(
        {"class": "field"},
        html.label({"htmlFor": own["id"]}, label),
        html.select(
            own,
            *(
                html.option(
                    {"value": choice, "key": f"choice-{choice}"} | (dict(stored(words)) if choice else {}), words
                )
                for choice, words in choices
            ),
        ),
    )


def check(label: Markup, name: str, *, hint: str = "", **attributes: Any) -> VdomDict:
    """Return a box to tick with its label, and its hint below."""
    own = {"id": name, "type": "checkbox", "name": name} | attributes
    if hint:
        own["aria-describedby"] = f"{own['id']}-hint"
    box = html.label({"class": "check", "htmlFor": own["id"]}, html.input(own), label)
    return html.div(box, _note("hint", own["id"], hint)) if hint else box


class LiveSession(Protocol):
    """The live session."""

    @property
    def id(self) -> int:
        """Its id."""

    @property
    def title(self) -> str:
        """Its title."""


def end_session(session: LiveSession, t: Texts) -> dict[str, str]:
    """Return the attributes of a button that ends this session, with the question that the server may ask."""
    asked = {"data-ask": t("End {title}?").format(title=session.title), "data-ask-yes": t("End Live Session")}
    return command_button("session_end", session.id, busy=t("Processing...")) | asked
