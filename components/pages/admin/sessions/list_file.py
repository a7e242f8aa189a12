"""The field that reads a file with a list into a text field; its script shows it, so that it is absent without one."""

from apps.core.texts import Texts
from components.runtime import Component, VdomDict, component, web_module

LIST_FILE = web_module("modules/backstage/running-order.js", "ListFile")


def list_file(into: str, t: Texts, label: str = "") -> Component:
    """Return the field for a file that is read into the text field with the id `into`."""
    return _list_file(into, label or t("Or load it from a file"))


@component
def _list_file(into: str, label: str) -> VdomDict:
    return LIST_FILE({"into": into, "label": label})
