"""Asking first: a native dialog that names what would go."""

from components.markup import Markup, VdomDict, html


def dialog(name: str, question: Markup, words: str, *, cancel: str, confirm: VdomDict, level: str = "h2") -> VdomDict:
    """Return the inside of a question; `confirm` is the button that does it, `name` the heading's id."""
    heading = html.h2 if level == "h2" else html.h3
    return html.form(
        {"method": "dialog"},
        heading({"id": name}, question),
        html.p(words),
        html.div({"class": "row"}, html.button({"class": "button button--plain", "value": "no"}, cancel), confirm),
    )


def asking(name: str, inside: VdomDict) -> VdomDict:
    """Return the dialog element around a question."""
    return html.dialog({"class": "dialog", "id": f"{name}-dialog", "aria-labelledby": name}, inside)
