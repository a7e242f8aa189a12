"""The answer of a command without scripts, shown above the page, with a form that confirms or undoes it."""

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import parse_qsl, urlencode

from apps.core.texts import texts
from components.markup import Markup, VdomDict, html
from components.ui.blocks import button, button_link
from components.ui.controls.commands import posted_form
from components.ui.empty_states import message

COMMAND = "command"  # what the form answers are called that hold these
LOOK = "sheet posted"  # the class of what is said above the page
SURE, CONFIRMED = "sure", "confirmed"  # the fields that say yes: to a command's own question, to what else would go


def posted_answer(data: Mapping[str, Any], back: str, language: str) -> VdomDict:
    """Return the sentence, and below it the form of what may follow.

    That sends the same once more when the answer is a question, or takes back what was done. `back` is the address of
    the page without the answer.
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
    """Return what the control with the attributes `asking` has a script ask, where the answer is a question.

    The control names the thing (`data-confirm`), and says after the service's own words what is asked (`data-ask`).
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
    yes = {SURE if data["answer"].get("first") else CONFIRMED: "1"}  # to the command's own question, or the service's
    # what was typed stands in its form again, whose own way out is below
    cancel = button_link(back, t("Cancel"), "plain") if values.keys() <= {SURE, CONFIRMED} else None
    row = html.div({"class": "row"}, button(t("Yes"), type="submit"), cancel)
    return html.form(posted_form(name, data["argument"]), *_fields({**values, **yes}), row)


def _fields(values: Mapping[str, str | list[str]]) -> list[Markup]:
    pairs = [(name, each) for name, value in values.items() for each in ([value] if isinstance(value, str) else value)]
    return [
        html.input({"type": "hidden", "key": f"{name}-{number}", "name": name, "value": value})
        for number, (name, value) in enumerate(pairs)
    ]
