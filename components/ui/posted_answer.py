"""What a command answered to somebody without scripts: said above the page, asked again where it wants to be sure."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

from apps.core.texts import texts
from components.markup import Markup, VdomDict, html
from components.ui.blocks import button
from components.ui.empty_states import message

COMMAND = "command"  # what the form answers are called that hold these
SURE, CONFIRMED = "sure", "confirmed"  # the fields that say yes: to a command's own question, to what else would go


def posted_answer(data: Mapping[str, Any], *, token: str, path: str, language: str) -> VdomDict:
    """Return the sentence, and below it the form that sends the same once more when the answer is a question."""
    answer = data["answer"]
    asked = _again(data, token, path, language) if answer.get("ask") else None
    said = message(answer["text"], good=answer["ok"])
    return html.div({"key": "posted-answer", "class": "sheet"}, html.div({"class": "stack"}, said, asked))


def _again(data: Mapping[str, Any], token: str, path: str, language: str) -> VdomDict:
    name, values = data["command"], data["values"]
    yes = {CONFIRMED if SURE in values else SURE: "1"}
    hidden = {"csrfmiddlewaretoken": token, "key": uuid4().hex, "from": path, **values, **yes}
    action = f"/do/{name}?{urlencode({'argument': data['argument']})}"
    return html.form(
        {"method": "post", "action": action}, *_fields(hidden), button(texts(language)("Yes"), type="submit")
    )


def _fields(values: Mapping[str, str | list[str]]) -> list[Markup]:
    pairs = [(name, each) for name, value in values.items() for each in ([value] if isinstance(value, str) else value)]
    return [
        html.input({"type": "hidden", "key": f"{name}-{number}", "name": name, "value": value})
        for number, (name, value) in enumerate(pairs)
    ]
