"""Forms and buttons: fields, commands, and questions before a loss."""

from collections.abc import Sequence
from typing import Any, Protocol
from urllib.parse import urlencode

from apps.core.limits import TEXT_REMAINING
from apps.core.texts import Texts
from components.markup import Markup, VdomDict, html

POSTED = "/do/"  # begins the address of every command
BUTTONS = "do"  # the id of the page's form that buttons outside of forms belong to


def command_button(
    name: str, argument: str | int = "", *, busy: str = "", confirm: str = "", words: str = "", yes: str = ""
) -> dict[str, str]:
    """Return the attributes of a button of the command `name` with this argument.

    `busy` is its label while the command runs, `confirm` a question to confirm first, `words` the explanation of the
    question, `yes` the label of the dialog's button.
    """
    more = {"data-busy": busy, "data-confirm": confirm, "data-confirm-words": words, "data-confirm-yes": yes}
    return posted_button(name, argument) | _command(name, argument) | {key: text for key, text in more.items() if text}


def command_form(name: str, argument: str | int = "", *, draft: str = "", long: str = "") -> dict[str, str]:
    """Return the attributes of a form that sends its fields to the command `name`.

    The browser stores the typed values as the draft `draft` until the server answers. `long` is the page's token
    (`use_token`); with it, texts that are too long for a frame are posted before the command.
    """
    more = {"data-draft": draft, "data-long-text-token": long}
    return posted_form(name, argument) | _command(name, argument) | {key: text for key, text in more.items() if text}


def posted_button(name: str, argument: str | int = "") -> dict[str, str]:
    """Return the attributes of a button that the browser posts, unless a script handles its click."""
    return {"type": "submit", "form": BUTTONS, "formAction": _address(name, argument)}


def posted_form(name: str, argument: str | int = "") -> dict[str, str]:
    """Return the attributes of a form that the browser posts, once at a time."""
    return {"method": "post", "action": _address(name, argument), "data-once": ""}


def _address(name: str, argument: str | int) -> str:
    return POSTED + name + (f"?{urlencode({'argument': argument})}" if argument != "" else "")


def _command(name: str, argument: str | int) -> dict[str, str]:
    return {"data-command": name, "data-argument": str(argument)}


HEADINGS = {"h2": html.h2, "h4": html.h4}


def question(name: str, ask: Markup, words: str, *, cancel: str, confirm: VdomDict, level: str = "h2") -> VdomDict:
    """Return the inside of a dialog; `confirm` is the button that does it, `name` the heading's id."""
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

    Its id is its name: where a page has two of a name, one gets another `id`.
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
    """Return a field of many lines, with its hint."""
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


def select(label: str, name: str, choices: Sequence[tuple[str, str]], value: str = "") -> VdomDict:
    """Return a drop-down of (value, words).

    Without a `value` the first is chosen, as browsers show it: the client compares what is chosen with it.
    """
    value = value or next(iter(choices), ("", ""))[0]
    return html.div(
        {"class": "field"},
        html.label({"htmlFor": name}, label),
        html.select(
            {"id": name, "name": name, "defaultValue": value},
            *(html.option({"value": choice, "key": f"choice-{choice}"}, words) for choice, words in choices),
        ),
    )


def check(label: str, name: str, *, hint: str = "", **attributes: Any) -> VdomDict:
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
