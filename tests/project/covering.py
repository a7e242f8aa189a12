"""Pages with covered figures: each row has a figure in a slot that the fills of members cover."""

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from apps.accounts.actors import Viewer
from apps.core.threads import in_thread
from components.routes import Route
from components.runtime.markup import Markup, component, html, use_state
from components.runtime.opened_parts import opened_part
from components.runtime.page import Page, PageRequest
from components.runtime.rendering.page_slots import slot_query
from components.runtime.rendering.parts import PublicPart, Ref, page_events, shared_part
from components.runtime.rendering.slots import Fills, covered, slot
from project.process.web_process import process
from tests.factories import UserFactory
from tests.project.pages import Board, declare
from tests.screen import Screen
from tests.serving import serving, session_cookie

declare("page", "row", "rows", "figure", "cover")


def secrets_in(received: str) -> set[str]:
    return {str(row) for row in range(9) if f"secret-{row} " in received}


def secret(row: int, number: int) -> str:
    """Return a text that is in each frame of the figure, because both of its ends change."""
    return f"{number} secret-{row} {number}"


@dataclass
class House:
    """Pages with rows, each with a figure in a slot; `covers` are the fills of every member."""

    board: Board
    rows: list[int] = field(default_factory=lambda: [1, 2])
    covers: dict[str, Any] = field(default_factory=lambda: {"figures": covered("–")})

    def fills(self, *, viewer: Viewer) -> Fills:
        """Return the fills as they were when the read began."""
        assert viewer.is_signed_in
        fills = dict(self.covers)
        self.board.read("cover")
        return fills

    def cover(self, **covers: Any) -> None:
        """Change the fills of all members, as a command does."""
        self.covers = {name.replace("_", ":"): each for name, each in covers.items()}
        process.bus.notify_listeners("cover")

    def change(self, *rows: int) -> None:
        for row in rows:
            self.board.texts[f"figure-{row}"] = secret(row, len(self.board.reads))
        process.bus.notify_listeners("figure")


@component
def shown_page(page: Page) -> Markup:
    """The parts of the page; `open` opens row 3."""
    opened_rows, set_opened = use_state(())

    async def on_open(_: str) -> None:
        set_opened((3,))

    more = [html.ol({"key": str(each)}, opened_part(page.data[1](each, language="en"))) for each in opened_rows]
    refs = [shared_part(ref) for ref in page.parts.values()]
    return html.main(html.p(page.data[0]), *refs, *more, page_events({"open": on_open}))


def house_of(board: Board, table: Callable[..., None]) -> House:
    """Serve two pages with the rows, the second with only the first row."""
    house = House(board)
    board.texts |= {f"figure-{row}": secret(row, 0) for row in range(9)}

    def figure_of(row: int, *, language: str) -> Any:
        return html.b(board.read(f"figure-{row}"))

    def row_of(row: int, *, language: str) -> Any:
        inner = html.span(slot("figures", row), shared_part(figure(row, language="en")))
        return html.li(f"row {row} {board.texts.get(f'row-{row}', '')}", inner)

    def rows_of(*, language: str) -> Any:
        return html.ul(*(shared_part(row(each, language="en")) for each in house.rows))

    figure = PublicPart("figure", figure_of, lambda *_: ("figure",), number=0)
    row = PublicPart("row", row_of, lambda *_: ("row",), number=1)
    rows = PublicPart("rows", rows_of, lambda: ("rows",), number=2)

    def load_of(*refs: Ref) -> Callable[[PageRequest], Page]:
        def load(_: PageRequest) -> Page:
            slots = (slot_query(house.fills, topics=("cover",)),)
            parts = {ref.key: ref for ref in refs}
            data = (board.read("page"), row)
            return Page("A test.", shown_page, title="Rows", data=data, parts=parts, slots=slots, topics=("page",))

        return load

    table(Route("/", load_of(rows(language="en"))), Route("/one", load_of(row(1, language="en"))))
    return house


class Recorded(Screen):
    """A screen that keeps everything it has received."""

    def __init__(self, cookie: str) -> None:
        super().__init__(cookie)
        self.everything: list[str] = []

    async def load(self, path: str) -> None:
        await super().load(path)
        self.everything.append(self.html)

    def received(self) -> str:
        """Return everything since the last call."""
        received, self.everything = "".join(self.everything), []
        return received

    def secrets(self) -> set[str]:
        return secrets_in(self.received())

    def _received(self, message: Any) -> None:
        self.everything.append(json.dumps(message))
        super()._received(message)


@asynccontextmanager
async def opened(path: str = "/", *, member: bool = True, user: Any = None) -> AsyncIterator[Recorded]:
    """Yield a live page of this user, of another member, or of an anonymous visitor."""
    cookie = await in_thread(lambda: session_cookie(user or UserFactory())) if member else ""
    async with serving():
        screen = Recorded(cookie)
        try:
            await screen.load(path)
            yield screen
        finally:
            await screen.leave()
