"""The page's grid: a margin column and a main column."""

import re

from components.markup import Markup, VdomDict, html
from components.ui.frames.site_frame import MAIN

TOGETHER = re.compile(r"(^[^,]{1,18}(?=,|$)|(?<= )\S{1,9} \S{1,7}$)")  # a short beginning; the last two words
SHORT = 9  # characters that fit on a line anywhere
HARD = "\u00a0"  # a space that never breaks


def main(*children: Markup) -> VdomDict:
    """Return the page's main landmark."""
    return html.main({"id": MAIN, "tabIndex": -1}, *children)


def title(*words: Markup) -> VdomDict:
    """Return the page's one h1; it takes the focus when somebody arrives without a page load."""
    return html.h1({"tabIndex": -1}, *words)


def first_section(heading: str, *children: Markup) -> VdomDict:
    """Return the first section of a plain page, below its heading."""
    return html.section({"class": "sheet sheet--first"}, html.div({"class": "body stack"}, title(heading), *children))


def section(heading: str, *body: Markup, aside: Markup = None, name: str = "") -> VdomDict:
    """Return a ruled section; its heading hangs in the margin with `aside` below it.

    `name` is the section's id and makes it a landmark, named by its heading.
    """
    attributes = {"class": "sheet sheet--ruled"}
    if name:
        attributes |= {"id": name, "aria-labelledby": f"{name}-heading"}
    heading_attributes = {"id": f"{name}-heading"} if name else {}
    return html.section(attributes, html.div({"class": "hang"}, html.h2(heading_attributes, heading), aside), *body)


def unbroken_words(words: str) -> list[Markup]:
    """Return a heading's words, with pairs such as "Stage II" kept on one line."""
    pieces = TOGETHER.split(words)
    return [_unbroken_span(piece) if index % 2 else piece for index, piece in enumerate(pieces) if piece]


def unbroken_pair(words: str) -> str:
    """Return words that stay on one line, such as a count with its noun."""
    return words.replace(" ", HARD)


def _unbroken_span(words: str) -> VdomDict:
    return html.span({"class": "keep" if len(words) <= SHORT else "keep keep--wide"}, words)
