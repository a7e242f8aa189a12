"""A mounted layout, and helpers that find elements and event targets in its models."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from reactpy.types import Connection, Location

from components.runtime.rendering.layout import PageLayout, with_connection

CONNECTION: Any = Connection({"type": "http"}, Location("/", ""), "the carrier")


class Mounted:
    """A layout, its sent updates and its number of failed renders."""

    def __init__(self) -> None:
        self.updates: list[dict[str, Any]] = []
        self.failures = 0
        self.layout: PageLayout

    def fail(self) -> None:
        self.failures += 1

    async def idle(self) -> None:
        """Wait until no render and no event handler is pending."""
        async with asyncio.timeout(20):
            while (rendering := self.layout._rendering) is not None:
                await asyncio.wait([rendering])

    async def event(self, target: str, *data: Any, **more: Any) -> None:
        await self.layout.deliver({"type": "layout-event", "target": target, "data": list(data), **more})


@asynccontextmanager
async def mounted(root: Any) -> AsyncIterator[Mounted]:
    """Mount a component and wait for its first render."""
    shown = Mounted()
    shown.layout = PageLayout(with_connection(root, CONNECTION), shown.updates.append, shown.fail)
    async with shown.layout:
        await shown.idle()
        yield shown


def nodes(model: Any) -> list[dict[str, Any]]:
    """Return all elements of a model, in document order."""
    if isinstance(model, str):
        return []
    return [model, *(node for child in model.get("children", []) for node in nodes(child))]


def target(model: Any, tag: str, event: str = "onClick", number: int = 0) -> str:
    """Return the target of the event handler on the `number`-th element with this tag."""
    elements = [node for node in nodes(model) if node["tagName"] == tag]
    return str(elements[number]["eventHandlers"][event]["target"])


async def settled(done: Callable[[], bool]) -> None:
    """Run turns of the event loop until `done` returns True."""
    async with asyncio.timeout(20):
        while not done():  # noqa: ASYNC110 - checked in each turn of the loop
            await asyncio.sleep(0)
