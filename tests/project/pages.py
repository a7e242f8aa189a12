"""Small pages of a test's own, in the real table's place."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from apps.accounts.actors import Viewer
from components.hooks import use_live_query
from components.markup import Markup, component, html
from components.page import Page, Params, Query
from components.rendering.page_slots import slot_query
from components.rendering.parts import PublicPart, Ref, page_events, shared_part
from components.rendering.slots import Fills, fill, slot
from components.routes import Access, Route


@dataclass
class Board:
    """What the pages read: texts that tests change, an event that held reads wait for, and a count of them."""

    texts: dict[str, str] = field(default_factory=dict)
    reads: list[str] = field(default_factory=list)
    failing: set[str] = field(default_factory=set)
    pressed: list[str] = field(default_factory=list)
    held: set[str] = field(default_factory=set)
    may_read: threading.Event = field(default_factory=threading.Event)
    entered: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))

    def read(self, name: str) -> str:
        """The text of this name, as it was when the read began."""
        self.reads.append(name)
        text = self.texts.get(name, f"{name} first")
        if name in self.held:
            self.entered.release()
            assert self.may_read.wait(20)
        if name in self.failing:
            raise RuntimeError(f"{name} cannot be read")
        return text

    def fills(self, *, viewer: Viewer, language: str, name: str) -> Fills:  # noqa: ARG002 - how a page's own is read
        """What fills the slot of this name: its text, and whose it is."""
        return {f"{name}:1": fill({"aria-pressed": "true"}, f"{self.read(name)} of {viewer.username}")}

    def part(
        self, name: str, *, holes: str = "", holds: Callable[[str], tuple[Ref, ...]] = lambda _: (), number: int = 0
    ) -> PublicPart:
        """A shared part that shows the text of this name, a slot where `holes` names one, and what `holds` says of it.

        One that holds another has a higher `number`.
        """

        def markup(*parameters: Any, language: str) -> Any:
            hole = html.button({"aria-pressed": "false"} | slot(holes, 1), f"{holes} unknown") if holes else None
            text = self.read("-".join([name, *map(str, parameters)]))
            return html.div({"class": "part"}, text, hole, *(shared_part(each) for each in holds(text)))

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
    """A page that shows its own text, who looks, its parts, a live leaf, and a slot for one's own."""

    @component
    def shown_page(page: Page) -> Markup:
        async def on_note(argument: str) -> None:
            if argument == "fail":
                raise RuntimeError("the handler failed")
            board.pressed.append(argument)

        leaves = [live_leaf(board, leaf)] if leaf else []
        holes = [html.b(slot(own, 1), f"{own} unknown")] if own else []
        marks = [shared_part(ref) for ref in page.parts]
        link = html.a({"href": "/elsewhere"}, "Elsewhere")
        return html.main(
            html.h1(page.title), html.p(page.data), link, *leaves, *holes, *marks, page_events({"note": on_note})
        )

    def load(viewer: Viewer, params: Params, query: Query, language: str) -> Page:
        text = board.read(pattern)
        data = f"{text}, {viewer.username or 'nobody'}, {dict(params)}, {dict(query)}"
        refs = tuple(part(*values, language=language) for part, values in parts(params))
        return Page(
            title=f"Page {pattern}",
            description="A test.",
            component=shown_page,
            data=data,
            parts=refs,
            topics=topics,
            slot_query=slot_query(board.fills, own, name=own) if own else None,
        )

    return Route(pattern, load, access)


@component
def live_leaf(board: Board, name: str) -> Markup:
    """A leaf of one viewer."""
    return html.p(use_live_query(board.read, name, initial=f"{name} initial", name=name))
