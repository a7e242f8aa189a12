"""Forms and buttons in a browser without scripts: it posts what the page's HTML defines."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import urlencode

from django.test import Client

from tests.project.accounts.profile.posting import seen, shown
from tests.reading import document, readable, walk

UNSENT = ("submit", "button", "reset")
TICKED = ("checkbox", "radio")
Fields = dict[str, list[str]]


def address(command: str, argument: str | int = "") -> str:
    """Return the address to which a command is posted."""
    return f"/do/{command}" + (f"?{urlencode({'argument': argument})}" if argument != "" else "")


@dataclass(frozen=True)
class PlainPage:
    """A page in this browser."""

    client: Client
    html: str

    @classmethod
    def at(cls, client: Client, path: str) -> "PlainPage":
        return cls(client, seen(client, path))

    @cached_property
    def tree(self) -> dict[str, Any]:
        return document(self.html, "")

    @property
    def text(self) -> str:
        return readable(self.tree)

    def all(self, **attributes: str) -> list[dict[str, Any]]:
        return [node for node in walk(self.tree) if attributes.items() <= node.get("attributes", {}).items()]

    def one(self, **attributes: str) -> dict[str, Any]:
        (element,) = self.all(**attributes)
        return element

    def fields(self, command: str, argument: str | int = "") -> Fields:
        """Return the fields that the form of this command would post."""
        return self._fields(self.one(action=address(command, argument)))

    def button(self, command: str, argument: str | int = "") -> Fields:
        """Return the fields that the button of this command would post. All such buttons on the page are visible."""
        buttons = [node["attributes"] for node in self.all(formaction=address(command, argument))]
        assert buttons, f"no button of {command} {argument}"
        assert all(each["type"] == "submit" and "hidden" not in each for each in buttons)
        form = self.one(id=buttons[0]["form"])
        assert form["attributes"]["method"] == "post"
        return self._fields(form)

    def send(self, command: str, argument: str | int = "", *, times: int = 1, **typed: str) -> "PlainPage":
        """Fill in the form and post it, `times` times before the answer arrives."""
        fields = self.fields(command, argument) | {name: [value] for name, value in typed.items()}
        return self._posted(address(command, argument), fields, times)

    def agree(self, command: str, argument: str | int = "") -> "PlainPage":
        """Send the form of a question about this command, which is above the command's own form."""
        question, *_ = self.all(action=address(command, argument))
        return self._posted(address(command, argument), self._fields(question), 1)

    def press(self, command: str, argument: str | int = "", *, times: int = 1) -> "PlainPage":
        """Press the button of this command, `times` times before the answer arrives."""
        return self._posted(address(command, argument), self.button(command, argument), times)

    def _posted(self, to: str, fields: Fields, times: int) -> "PlainPage":
        answers = [self.client.post(to, fields) for _ in range(times)]
        return PlainPage(self.client, shown(self.client, answers[-1]))

    def _fields(self, form: dict[str, Any]) -> Fields:
        """Return the fields of this form: those inside it without another form, and those outside that name it."""
        own = form["attributes"].get("id", "")
        inside = [node for node in walk(form) if node["attributes"].get("form", own) == own]
        return _values_by_name([*inside, *(node for node in (self.all(form=own) if own else ()) if node not in inside)])


def _values_by_name(nodes: list[dict[str, Any]]) -> Fields:
    fields: Fields = {}
    for node in nodes:
        own = node["attributes"]
        if (name := own.get("name")) and "disabled" not in own and (values := _values(node)) is not None:
            fields.setdefault(name, []).extend(values)
    return fields


def _values(node: dict[str, Any]) -> list[str] | None:
    own, tag = node["attributes"], node["tagName"]
    if tag == "textarea":
        return ["".join(node["children"]).removeprefix("\n")]
    if tag == "select":
        options = [each["attributes"] for each in walk(node) if each["tagName"] == "option"]
        chosen = [each["value"] for each in options if "selected" in each]
        return chosen or [options[0]["value"]]
    if tag != "input" or own.get("type") in UNSENT:
        return None
    if own.get("type") in TICKED:
        return [own.get("value", "on")] if "checked" in own else None
    return [own.get("value", "")]
