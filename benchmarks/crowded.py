"""Pages of 1,900 elements for the benchmark; one row of a shared part or one live query changes at a time.

One page shows ten lists, each as long as the longest list of the site. The other shows all rows in one list.
"""

from apps.core.events import topics_declare
from benchmarks.lengths import LISTS, LONG_PATH, PATH, ROWS
from components import routes
from components.runtime.hooks import use_live_query
from components.runtime.markup import VdomDict, component, html
from components.runtime.page import Page, PageRequest
from components.runtime.rendering.parts import public_part, shared_part
from components.ui.frames import main

topics_declare({"bench.row": "one row of a list", "bench.leaf": "the number of each viewer"})
rows: dict[int, int] = {}  # the number of each changed row, by index
numbers = {"leaf": 0}


def touch(kind: str, number: int) -> None:
    """Change one row, or the live query's number."""
    if kind == "row":
        rows[number % (LISTS * ROWS)] = number
    else:
        numbers[kind] = number


def reading() -> int:
    """Return the live query's number."""
    return numbers["leaf"]


@public_part(topics=lambda _first, _after: ("bench.row",))
def bench_rows(first: int, after: int, *, language: str) -> VdomDict:  # noqa: ARG001 - every part has a language
    """Return a list of the rows from `first` up to but not including `after`; a changed row shows its number."""
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
    """Render the number of one viewer's live query."""
    number = use_live_query(reading, topics=("bench.leaf",), initial=0)
    return html.p({"id": f"leaf-{number}"}, f"changed {number} times")


@component
def crowded_page(page: Page) -> VdomDict:
    """Render the live query above the lists."""
    return main(html.section({"class": "sheet"}, html.h1("Crowded"), leaf(), *map(shared_part, page.parts.values())))


def crowded(length: int, language: str) -> Page:
    """Return the page with lists of `length` rows."""
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
    """Add the pages to this process's routes."""
    table = (*routes.table(), routes.Route(PATH, load), routes.Route(LONG_PATH, load_long))
    routes.table = lambda: table  # type: ignore[assignment]  # in this process only
