"""Pages of 1,900 elements, of which one row of a shared part or one leaf changes at a time; only the bench has them.

One shows ten lists, each as long as the longest of the site; the other one list of all rows.
"""

from apps.core.events import topics_declare
from benchmarks.lengths import LISTS, LONG_PATH, PATH, ROWS
from components import routes
from components.hooks import use_live_query
from components.markup import VdomDict, component, html
from components.page import Page, PageRequest
from components.rendering.parts import public_part, shared_part
from components.ui.frames import main

topics_declare({"bench.row": "one row of a list", "bench.leaf": "the number of each viewer"})
rows: dict[int, int] = {}  # the number of each row that was changed
numbers = {"leaf": 0}


def touch(kind: str, number: int) -> None:
    """Change one row, or the leaf."""
    if kind == "row":
        rows[number % (LISTS * ROWS)] = number
    else:
        numbers[kind] = number


def reading() -> int:
    """The leaf's number."""
    return numbers["leaf"]


@public_part(topics=lambda _first, _after: ("bench.row",))
def bench_rows(first: int, after: int, *, language: str) -> VdomDict:  # noqa: ARG001 - every part has one
    """A list of rows from `first` to before `after`, each with a number once it was changed."""
    return html.ol([_row(index, rows.get(index, 0)) for index in range(first, after)])


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
    number = use_live_query(reading, topics=("bench.leaf",), initial=0)
    return html.p({"id": f"leaf-{number}"}, f"changed {number} times")


@component
def crowded_page(page: Page) -> VdomDict:
    """The leaf above the lists."""
    return main(html.section({"class": "sheet"}, html.h1("Crowded"), leaf(), *map(shared_part, page.parts.values())))


def crowded(length: int, language: str) -> Page:
    """The page with lists of that many rows."""
    firsts = range(0, LISTS * ROWS, length)
    parts = {f"rows:{first}": bench_rows(first, first + length, language=language) for first in firsts}
    return Page("A page for measuring.", crowded_page, title="Crowded", parts=parts)


def load(request: PageRequest) -> Page:
    """Return the page of ten lists."""
    return crowded(ROWS, request.language)


def load_long(request: PageRequest) -> Page:
    """Return the page of one list."""
    return crowded(LISTS * ROWS, request.language)


def add() -> None:
    """Put the pages into this process's table."""
    table = (*routes.table(), routes.Route(PATH, load), routes.Route(LONG_PATH, load_long))
    routes.table = lambda: table  # type: ignore[assignment]  # of this process
