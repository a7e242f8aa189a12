"""The page after a refused post or one that needs confirmation: the form as it was sent, the error beside its field.

A question to confirm names the object, in the words of the button that was pressed.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from components.runtime.rendering.slots import SLOT, Fill, fill
from components.ui.posted_forms import LOOK, question

ERROR = "posted-error"  # the id of the error sentence
CONTROLS = ("input", "select", "textarea")
UNTYPED = ("hidden", "submit", "password", "file")
TICKED = ("checkbox", "radio")
GROUPS = ("form", "fieldset", "li")  # and `.field`: the nearest one gets the sentence, after the control
Node = dict[str, Any]


def form_refill(model: Node, posted: Mapping[str, Any] | None, parts: Sequence[Any] = ()) -> Node:
    """Return the page's model with the refused values in its form; `parts` are the models of its shared parts.

    Controls that are slots are filled. In a part, which all viewers share, only slots are filled.
    """
    if posted is None or posted["answer"]["ok"]:
        return model
    refill = _Refill(posted)
    for part in parts:
        refill.page(part)
    made = refill.fill_slots(refill.page(model))
    if posted["answer"].get("ask"):
        made = _asked(made, posted["answer"]["text"], question(posted, refill.asking))
    return made


class _Refill:
    def __init__(self, posted: Mapping[str, Any]) -> None:
        answer = posted["answer"]
        self.command, self.argument = posted["command"], posted["argument"]
        self.field, self.text = answer.get("field", ""), answer["text"]
        typed = posted["values"] | ({"version": answer["version"]} if "version" in answer else {})
        self.values = {name: [value] if isinstance(value, str) else value for name, value in typed.items()}
        self.fills: dict[str, Fill] = {}
        self.wrong_slot = ""  # the slot of the invalid field in a part
        self.asking: Node = {}  # the attributes of the form or button that was sent

    def page(self, node: Any) -> Any:
        """Return a node of the page, with its form as it was sent."""
        if isinstance(node, str):
            return node
        attributes = node.get("attributes") or {}
        if attributes.get("data-command") == self.command:
            argument = attributes.get("data-argument", "")
            if argument == self.argument:
                self.asking = attributes
                return self.within(node)[0] if node["tagName"] == "form" else node
            if _about(argument) == _about(self.argument):
                self.asking = self.asking or attributes  # another part of the argument has changed, such as a time
        children = node.get("children")
        return node | {"children": [self.page(child) for child in children]} if children else node

    def fill_slots(self, model: Node) -> Node:
        """Return the page's model with the fills of the form's controls, as a node of its own."""
        if not self.fills:
            return model
        slots = {"tagName": "page-slots", "attributes": {"key": ERROR, "fills": self.fills}}
        return model | {"children": [*model.get("children", ()), slots]}

    def within(self, node: Any) -> tuple[Any, bool]:
        """Return a node of the form as it was sent, and whether it has the invalid field but not yet the sentence."""
        if isinstance(node, str):
            return node, False
        if node.get("tagName") in CONTROLS:
            return self.control(node)
        self.answer_beside(node.get("attributes") or {})
        children: list[Any] = []
        is_wrong = False
        for child in node.get("children", ()):
            made, blamed = self.within(child)
            children.append(made)
            if blamed and _groups(node):
                children.append({"tagName": "p", "attributes": _error(), "children": [self.text]})
            elif blamed:
                is_wrong = True
        if node.get("tagName") == "details" and any(map(_is_invalid, children)):
            node = node | {"attributes": {**(node.get("attributes") or {}), "open": True}}
        return (node | {"children": children} if children else node), is_wrong

    def answer_beside(self, attributes: Node) -> None:
        """Fill the answer line of a part's form with the error, if it is a slot; the invalid field refers to it."""
        if "data-answer" in attributes and SLOT in attributes and self.wrong_slot:
            self.fills[attributes[SLOT]] = fill(text=self.text)
            given = self.fills[self.wrong_slot].get("attributes", {})
            self.fills[self.wrong_slot] = fill({**given, "aria-describedby": attributes["id"]})

    def control(self, node: Node) -> tuple[Node, bool]:
        """Return a field with the value that was sent, and whether it is the invalid one."""
        attributes: Node = node.get("attributes") or {}
        name, kind = attributes.get("name", ""), attributes.get("type", "")
        if not name or kind in UNTYPED:
            return node, False
        given = _control_values(kind, attributes, self.values.get(name, ()))
        if SLOT in attributes and (given or name == self.field):
            self.fills[attributes[SLOT]] = fill(given | ({"aria-invalid": "true"} if name == self.field else {}))
            self.wrong_slot = attributes[SLOT] if name == self.field else self.wrong_slot
        attributes = attributes | {_attribute_name(each, attributes): value for each, value in given.items()}
        if name != self.field:
            return node | {"attributes": attributes}, False
        self.field = ""  # mark only the first of several controls, such as those of one choice
        described = f"{attributes.get('aria-describedby', '')} {ERROR}".strip()
        wrong = {"aria-invalid": "true", "aria-describedby": described, "autoFocus": True}
        return node | {"attributes": attributes | wrong}, True


def _asked(node: Any, before: str, words: str, *, is_posted: bool = False) -> Any:
    """Return the page with `words` instead of the answer's text `before`."""
    if isinstance(node, str):
        return words if is_posted and node == before else node
    is_posted = is_posted or (node.get("attributes") or {}).get("class") == LOOK
    children = node.get("children")
    made = [_asked(child, before, words, is_posted=is_posted) for child in children or ()]
    return node | {"children": made} if children else node


def _about(argument: str) -> str:
    """Return the first word of an argument, such as a verdict or an id."""
    return argument.partition(":")[0]


def _control_values(kind: str, attributes: Node, values: Sequence[str]) -> Node:
    if kind in TICKED:
        return {"checked": attributes.get("value", "on") in values}
    if attributes.get("multiple"):
        return {"value": list(values)}
    return {"value": values[0]} if values else {}


def _attribute_name(name: str, attributes: Node) -> str:
    """Return the attribute to set: the control's default unless it has one of this name."""
    return name if name in attributes else f"default{name.capitalize()}"


def _is_invalid(node: Any) -> bool:
    """Return whether a node is the invalid field or contains it."""
    if isinstance(node, str):
        return False
    return "aria-invalid" in (node.get("attributes") or {}) or any(map(_is_invalid, node.get("children", ())))


def _groups(node: Node) -> bool:
    classes = str((node.get("attributes") or {}).get("class", "")).split()
    return node["tagName"] in GROUPS or "field" in classes


def _error() -> Node:
    return {"class": "field__error", "id": ERROR, "key": ERROR}
