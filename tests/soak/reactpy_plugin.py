"""A plugin of pytest that has ReactPy's own tests ask our layout; `test_reactpy_own.py` runs them.

It is loaded beside upstream's tests, whose package has the name of ours: it imports nothing from `tests`.
"""

import asyncio
import sys
from types import ModuleType
from typing import Any

import pytest
import reactpy
from reactpy.core import layout as stock

from components.runtime.rendering.layout import PageLayout

PATIENCE = 3.0  # seconds for an update
TURNS = 5
CLIENT = "shows its page with ReactPy's own server and client, which ours replace"


class Layout(PageLayout):
    """Ours, whose updates are asked for one after the other, as ReactPy's executors do."""

    def __init__(self, root: Any) -> None:
        updates = self._updates = asyncio.Queue[Any]()
        super().__init__(root, updates.put_nowait, lambda: updates.put_nowait(None))

    async def render(self) -> Any:
        """Return the next update; raises TimeoutError when none comes."""
        _ = self._event_handlers  # a layout that was not entered has none
        async with asyncio.timeout(PATIENCE):
            update = await self._updates.get()
        for _ in range(TURNS):  # upstream's renders are tasks: an effect that waits has had its turns when one ends
            await asyncio.sleep(0)
        assert update is not None, "a render failed"
        return update


def set_pointer(document: Any, pointer: str, value: Any, *, inplace: bool) -> Any:
    """Return the document with this value in its place: all that upstream's tests need of `jsonpointer`."""
    assert not inplace
    step, _, rest = pointer[1:].partition("/")
    key = int(step) if isinstance(document, list) else step
    copied = document.copy()
    copied[key] = set_pointer(document[key], f"/{rest}", value, inplace=False) if rest else value
    return copied


def module(name: str, **members: Any) -> ModuleType:
    """A module of these."""
    made = ModuleType(name)
    vars(made).update(members)
    return made


def pytest_collection_modifyitems(items: list[Any]) -> None:
    """Leave out what needs ReactPy's own client."""
    for item in items:
        if "display" in item.fixturenames:
            item.add_marker(pytest.mark.skip(reason=CLIENT))


stock.Layout = reactpy.Layout = Layout  # type: ignore[misc]
sys.modules.setdefault("jsonpointer", module("jsonpointer", set_pointer=set_pointer))
