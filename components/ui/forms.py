"""Fields with their labels, hints and errors; texts are uncontrolled, so that typing is never overwritten."""

from collections.abc import Sequence
from typing import Any

from components.markup import Markup, VdomDict, html


def field(label: str, name: str, *, value: str = "", hint: str = "", error: str = "", **attributes: Any) -> VdomDict:
    """Return a one-line field; `error` marks it as wrong and is read with it."""
    notes = [f"{name}-{kind}" for kind, words in (("hint", hint), ("error", error)) if words]
    own: dict[str, Any] = {"id": name, "name": name, "type": "text", "defaultValue": value} | attributes
    if notes:
        own["aria-describedby"] = " ".join(notes)
    if error:
        own["aria-invalid"] = "true"
    return html.div(
        {"class": "field"},
        html.label({"htmlFor": name}, label),
        html.input(own),
        _note("hint", name, hint),
        _note("error", name, error),
    )


def _note(kind: str, name: str, words: str) -> Markup:
    return html.p({"class": f"field__{kind}", "id": f"{name}-{kind}"}, words) if words else None


def select(label: str, name: str, choices: Sequence[tuple[str, str]], value: str = "") -> VdomDict:
    """Return a drop-down of (value, words)."""
    return html.div(
        {"class": "field"},
        html.label({"htmlFor": name}, label),
        html.select(
            {"id": name, "name": name, "defaultValue": value},
            *(html.option({"value": choice, "key": f"choice-{choice}"}, words) for choice, words in choices),
        ),
    )


def check(label: str, name: str, **attributes: Any) -> VdomDict:
    """Return a box to tick with its label."""
    return html.label({"class": "check"}, html.input({"type": "checkbox", "name": name} | attributes), label)
