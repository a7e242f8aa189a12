"""What Enter presses in the forms of a page: it must be the button beside the field.

A browser presses the form's first button in the order of the document, also if it is hidden.
"""

import re
from collections.abc import Iterator
from typing import Any

from tests.reading import Node, name_of

TYPED = {"text", "search", "number", "email", "password", "url", "tel", "date", "time", "datetime-local"}
# In the lines of a pasted program Enter reads the text again: a program must not be assigned while lines are undecided.
READ_AGAIN = re.compile(r"(name|who)-\d+-\d+")
LOOK = {
    "class",
    "hidden",
    "id",
    "key",
    "title",
    "aria-label",
    "data-busy",
}  # attributes that do not say what a button does


def enter_faults(tree: Node) -> list[str]:
    """Return the fields in which Enter presses another button than the one beside them, each with both buttons."""
    forms: dict[str, list[Node]] = {}
    for control, form in _controls(tree):
        forms.setdefault(form, []).append(control)
    pressed = [each for form, controls in forms.items() if form for each in _presses(controls)]
    return [
        f"{field['attributes'].get('name')}: “{name_of(first)}”, not “{name_of(beside)}”"
        for field, first, beside in pressed
        if _does(first) != _does(beside) and not READ_AGAIN.fullmatch(str(field["attributes"].get("name")))
    ]


def _controls(node: Node, form: str = "") -> Iterator[tuple[Node, str]]:
    """Yield the enabled inputs and buttons with their form: its id, else a number; empty outside forms."""
    own = node.get("attributes", {})
    if node["tagName"] == "form":
        form = str(own.get("id", id(node)))
    if node["tagName"] in ("input", "button") and own.get("disabled", False) is False:
        yield node, own.get("form", form)
    for child in node.get("children", ()):
        if not isinstance(child, str):
            yield from _controls(child, form)


def _presses(controls: list[Node]) -> Iterator[tuple[Node, Node, Node]]:
    """Yield each field of a form with the button that Enter presses, and the one beside it.

    Beside a field is the next button after it, or without one the last before it.
    """
    buttons = [(at, each) for at, each in enumerate(controls) if _is_button(each)]
    for at, field in enumerate(controls):
        if buttons and field["tagName"] == "input" and field["attributes"].get("type", "text") in TYPED:
            after = [button for place, button in buttons if place > at]
            yield field, buttons[0][1], (after or [buttons[-1][1]])[0]


def _is_button(node: Node) -> bool:
    return node["tagName"] == "button" and node.get("attributes", {}).get("type", "submit") == "submit"


def _does(button: Node) -> dict[str, Any]:
    return {name: value for name, value in button.get("attributes", {}).items() if name not in LOOK}
