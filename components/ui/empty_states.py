"""Empty lists, missing pages, placeholders and messages."""

from components.runtime import Markup, VdomDict, html
from components.ui.blocks import link
from components.ui.marks import KEYS, keyrule, strings

PLACEHOLDERS = 3
AT_REST = 0.09  # the length of a string before the first mark


def empty(words: str, way: tuple[str, str] | None = None, *, more: Markup = None) -> VdomDict:
    """Return the text of an empty list, `more` below it; `way` is the (address, words) of a link at its end."""
    return html.div({"class": "empty"}, keyrule(), html.p(words), more, _way(way))


def no_marks(words: str) -> VdomDict:
    """Return the text of a list without marks, below a drawing."""
    return html.div({"class": "empty empty--strings"}, strings([AT_REST] * KEYS), html.p(words))


def not_found(words: str, way: tuple[str, str]) -> VdomDict:
    """Return a section for something that does not exist; `words` are its heading."""
    heading = html.h1({"tabIndex": -1}, words)
    return html.section(
        {"class": "sheet sheet--first"}, html.div({"class": "body empty"}, keyrule(), heading, _way(way))
    )


def _way(way: tuple[str, str] | None) -> Markup:
    return html.p(link(*way)) if way else None


def message(words: str, *, good: bool) -> VdomDict:
    """Return a message, which screen readers announce."""
    look, role = ("good", "status") if good else ("bad", "alert")
    return html.p({"class": f"message message--{look}", "role": role}, words)


def skeleton() -> VdomDict:
    """Return three placeholders, shown by the style sheet while a list is queried again."""
    row = [html.span(), html.span(), html.span()]
    return html.ul(
        {"class": "skeleton", "data-skeleton": "", "aria-hidden": "true"},
        *(html.li({"key": f"placeholder-{number}"}, *row) for number in range(PLACEHOLDERS)),
    )
