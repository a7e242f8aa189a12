"""Fields with labels, hints and errors; uncontrolled, so that typing is never overwritten."""

from collections.abc import Sequence
from typing import Any

from apps.core.limits import TEXT_REMAINING
from apps.core.texts import Texts
from components.markup import Markup, VdomDict, html


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
    """Return the line that says how many characters still fit into the field around it, from `start` of them on."""
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
