"""Small pages for tests, which replace the real page table."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from apps.accounts.actors import ANONYMOUS, Viewer
from apps.core.events import topics_declare
from components.routes import Access, Route
from components.runtime.hooks import use_live_query
from components.runtime.markup import Markup, component, html
from components.runtime.page import Page, PageRequest, Params
from components.runtime.rendering.page_slots import slot_query
from components.runtime.rendering.parts import PublicPart, Ref, page_events, shared_part
from components.runtime.rendering.slots import Fills, fill, slot


@dataclass
class Board:
    """The data of the pages: texts that tests change, an event that holds reads, and a list of all reads."""

    texts: dict[str, str] = field(default_factory=dict)
    reads: list[str] = field(default_factory=list)
    failing: set[str] = field(default_factory=set)
    pressed: list[str] = field(default_factory=list)
    held: set[str] = field(default_factory=set)
    may_read: threading.Event = field(default_factory=threading.Event)
    entered: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))

    def read(self, name: str) -> str:
        """Return the text with this name, as it was when the read began."""
        self.reads.append(name)
        text = self.texts.get(name, f"{name} first")
        if name in self.held:
            self.entered.release()
            assert self.may_read.wait(20)
        if name in self.failing:
            raise RuntimeError(f"{name} cannot be read")
        return text

    def fills(self, *, viewer: Viewer, name: str) -> Fills:
        """Return the fill of the slot with this name: its text, and the viewer's username."""
        return {f"{name}:1": fill({"aria-pressed": "true"}, f"{self.read(name)} of {viewer.username}")}

    def part(
        self, name: str, *, holes: str = "", holds: Callable[[str], tuple[Ref, ...]] = lambda _: (), number: int = 0
    ) -> PublicPart:
        """Return a shared part that shows the text with this name.

        `holes` names a slot in the part. `holds` returns the parts inside it; a part that holds another has a higher
        `number`.
        """

        def markup(*parameters: Any, language: str) -> Any:
            hole = html.button({"aria-pressed": "false"} | slot(holes, 1), f"{holes} unknown") if holes else None
            text = self.read("-".join([name, *map(str, parameters)]))
            return html.div({"class": "part"}, text, hole, *(shared_part(each) for each in holds(text)))

        declare(name)
        return PublicPart(name, markup, lambda *_: (name,), number=number)


def page_route(
    board: Board,
    pattern: str,
    *,
    access: Access = Access.PUBLIC,
    topics: tuple[str, ...] = (),
    parts: Callable[[Params], tuple[Any, ...]] = lambda _: (),
    leaf: str = "",
    own: str = "",
) -> Route:
    """Return a page with its own text, the viewer's name, its parts, a live query and a slot."""
    declare(*topics, *filter(None, (leaf, own)))

    @component
    def shown_page(page: Page) -> Markup:
        async def on_note(argument: str) -> None:
            if argument == "fail":
                raise RuntimeError("the handler failed")
            board.pressed.append(argument)

        leaves = [live_leaf(board, leaf)] if leaf else []
        holes = [html.b(slot(own, 1), f"{own} unknown")] if own else []
        marks = [shared_part(ref) for ref in page.parts.values()]
        link = html.a({"href": "/other"}, "Other")
        return html.main(
            html.h1(page.title), html.p(page.data), link, *leaves, *holes, *marks, page_events({"note": on_note})
        )

    def load(request: PageRequest) -> Page:
        text = board.read(pattern)
        data = f"{text}, {username_of(request)}, {dict(request.params)}, {dict(request.query)}"
        refs = [part(*values, language=request.language) for part, values in parts(request.params)]
        return Page(
            title=f"Page {pattern}",
            description="A test.",
            component=shown_page,
            data=data,
            parts={ref.key: ref for ref in refs},
            topics=topics,
            slots=(slot_query(board.fills, topics=(own,), name=own),) if own else (),
        )

    return Route(pattern, load, access)


def declare(*topics: str) -> None:
    topics_declare(dict.fromkeys(topics, "of a test"))


def username_of(request: PageRequest) -> str:
    """Return the viewer's name, or "nobody" on a public page and for anonymous visitors."""
    return (request.known_viewer or ANONYMOUS).username or "nobody"


@component
def live_leaf(board: Board, name: str) -> Markup:
    """A component with a live query of one viewer."""
    return html.p(use_live_query(board.read, topics=(name,), initial=f"{name} initial", name=name))
