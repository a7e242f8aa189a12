"""A page of 1,900 elements, of which one row of a shared part or one leaf changes at a time; only the bench has it."""

from components import routes
from components.hooks.live import use_live
from components.markup import VdomDict, component, html
from components.page import Page
from components.rendering.parts import public_part, shown
from components.ui.sheet import main

PATH = "/crowded"
ROWS = 460  # of four elements each, so that the page has 1,900 with what stands around
rows: dict[int, int] = {}  # the number of each row that was changed
numbers = {"leaf": 0}


def touch(kind: str, number: int) -> None:
    """Change one row, or the leaf."""
    if kind == "row":
        rows[number % ROWS] = number
    else:
        numbers[kind] = number


def reading() -> int:
    """The leaf's number."""
    return numbers["leaf"]


@public_part(topics=lambda: ("bench.row",))
def bench_rows(*, language: str) -> VdomDict:  # noqa: ARG001 - every part has one
    """A long list of rows, each with a number once it was changed."""
    return html.ol([_row(index, rows.get(index, 0)) for index in range(ROWS)])


def _row(index: int, number: int) -> VdomDict:
    return html.li(
        {"key": f"row-{index}"},
        html.span({"class": "nr"}, str(index)),
        html.span(f"Nocturne number {index} in a key of its own"),
        html.a({"href": "/", "id": f"row-{number}"} if number else {"href": "/"}, f"changed {number} times"),
    )


@component
def leaf() -> VdomDict:
    """One viewer's own number."""
    number = use_live(reading, "bench.leaf", initial=0)
    return html.p({"id": f"leaf-{number}"}, f"changed {number} times")


@component
def crowded_page(page: Page) -> VdomDict:
    """The leaf above the long list."""
    (rows,) = page.parts
    return main(html.section({"class": "sheet"}, html.h1("Crowded"), leaf(), shown(rows)))


def load(viewer: object, params: object, query: object, language: str) -> Page:  # noqa: ARG001 - every page's signature
    """Return the page."""
    return Page("Crowded", "A page for measuring.", crowded_page, parts=(bench_rows(language=language),))


def add() -> None:
    """Put the page into this process's table."""
    table = (*routes.table(), routes.Route(PATH, load))
    routes.table = lambda: table
