"""Nothing there, not there yet, said and done: the states of a list, a page or a form."""

from components.markup import Markup, VdomDict, html
from components.ui.blocks import link
from components.ui.keyboard import KEYS, keyrule, strings

PLACEHOLDERS = 3
AT_REST = 0.09  # the length of a string before the first mark


def empty(words: str, way: tuple[str, str] | None = None) -> VdomDict:
    """Return what a list says when it has nothing; `way` is an (address, words) to go on to."""
    return html.div({"class": "empty"}, keyrule(), html.p(words), _way(way))


def no_marks(words: str) -> VdomDict:
    """Return what a list of marks says before the first one: strings at rest."""
    return html.div({"class": "empty empty--strings"}, strings([AT_REST] * KEYS), html.p(words))


def not_found(words: str, way: tuple[str, str]) -> VdomDict:
    """Return the page of something that is not there: the words are its heading."""
    heading = html.h1({"tabIndex": -1}, words)
    return html.section(
        {"class": "sheet sheet--first"}, html.div({"class": "body empty"}, keyrule(), heading, _way(way))
    )


def _way(way: tuple[str, str] | None) -> Markup:
    return html.p(link(*way)) if way else None


def message(words: str, *, good: bool) -> VdomDict:
    """Return the answer to something done, said aloud by screen readers."""
    look, role = ("good", "status") if good else ("bad", "alert")
    return html.p({"class": f"message message--{look}", "role": role}, words)


def skeleton() -> VdomDict:
    """Return three placeholders, shown by the style sheet while a list is queried again."""
    row = [html.span(), html.span(), html.span()]
    return html.ul(
        {"class": "skeleton", "data-skeleton": "", "aria-hidden": "true"},
        *(html.li({"key": f"placeholder-{number}"}, *row) for number in range(PLACEHOLDERS)),
    )
