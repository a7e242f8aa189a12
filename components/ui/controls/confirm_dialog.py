"""The confirmation dialog."""

from components.markup import Markup, VdomDict, html

HEADINGS = {"h2": html.h2, "h4": html.h4}


def question(name: str, ask: Markup, words: str, *, cancel: str, confirm: VdomDict, level: str = "h2") -> VdomDict:
    """Return the inside of a dialog; `confirm` is the button that does it, `name` the heading's id."""
    return html.form(
        {"method": "dialog"},
        HEADINGS[level]({"id": name}, ask),
        html.p(words),
        html.div({"class": "row"}, html.button({"class": "button button--plain", "value": "no"}, cancel), confirm),
    )


def dialog(name: str, inside: VdomDict) -> VdomDict:
    """Return the dialog element around a question whose heading has the id `name`."""
    return html.dialog({"class": "dialog", "id": f"{name}-dialog", "aria-labelledby": name}, inside)
