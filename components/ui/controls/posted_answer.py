"""The answer of a command without scripts, shown above the page, with a form that confirms or undoes it."""

from collections.abc import Mapping, Sequence
from typing import Any

from apps.core.texts import texts
from components.markup import Markup, VdomDict, html
from components.ui.blocks import button
from components.ui.controls.commands import posted_form
from components.ui.empty_states import message

COMMAND = "command"  # the name of these form answers
SURE, CONFIRMED = "sure", "confirmed"  # the fields that confirm: the command itself, the deletion of dependents


def posted_answer(data: Mapping[str, Any], language: str) -> VdomDict:
    """Return the sentence, and a form: it repeats the command when the answer is a question, or undoes it."""
    answer = data["answer"]
    sentence = message(answer["text"], good=answer["ok"]) if answer["text"] else None
    follows = _again(data, language) if answer.get("ask") else _undo(answer.get("undo"), language)
    return html.div(
        {"key": "posted-answer", "class": "sheet sheet--next"}, html.div({"class": "stack"}, sentence, follows)
    )


def _undo(undo: Sequence[str | int] | None, language: str) -> Markup:
    if not undo:
        return None
    name, argument = undo
    back = button(texts(language)("Undo"), "plain", type="submit")
    return html.form(posted_form(str(name), argument), back)


def _again(data: Mapping[str, Any], language: str) -> VdomDict:
    name, values = data["command"], data["values"]
    yes = {CONFIRMED if SURE in values else SURE: "1"}
    yes_button = button(texts(language)("Yes"), type="submit")
    return html.form(posted_form(name, data["argument"]), *_fields({**values, **yes}), yes_button)


def _fields(values: Mapping[str, str | list[str]]) -> list[Markup]:
    pairs = [(name, each) for name, value in values.items() for each in ([value] if isinstance(value, str) else value)]
    return [
        html.input({"type": "hidden", "key": f"{name}-{number}", "name": name, "value": value})
        for number, (name, value) in enumerate(pairs)
    ]
