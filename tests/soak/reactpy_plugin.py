"""A pytest plugin that runs ReactPy's own tests with this site's layout; `test_reactpy_own.py` uses it.

It is loaded together with upstream's tests. Their package is also called `tests`, so it cannot import this one.
"""

import asyncio
import sys
from types import ModuleType
from typing import Any

import pytest
import reactpy
from reactpy.core import layout as upstream

from components.runtime.rendering.layout import PageLayout

UPDATE_WITHIN = 3.0  # seconds
TURNS = 5
CLIENT = "shows its page with ReactPy's own server and client, which this site replaces"


class Layout(PageLayout):
    """The site's layout with the method `render` of ReactPy's layout, which returns one update after another."""

    def __init__(self, root: Any) -> None:
        updates = self._updates = asyncio.Queue[Any]()
        super().__init__(root, updates.put_nowait, lambda: updates.put_nowait(None))

    async def render(self) -> Any:
        """Return the next update. Raises TimeoutError if none comes."""
        _ = self._event_handlers  # missing in a layout that was not entered
        async with asyncio.timeout(UPDATE_WITHIN):
            update = await self._updates.get()
        for _ in range(TURNS):  # upstream renders in tasks, so asynchronous effects have run when a render ends
            await asyncio.sleep(0)
        assert update is not None, "a render failed"
        return update


def set_pointer(document: Any, pointer: str, value: Any, *, inplace: bool) -> Any:
    """Return a copy of the document with this value at `pointer`: upstream's tests use only this of `jsonpointer`."""
    assert not inplace
    step, _, rest = pointer[1:].partition("/")
    key = int(step) if isinstance(document, list) else step
    copied = document.copy()
    copied[key] = set_pointer(document[key], f"/{rest}", value, inplace=False) if rest else value
    return copied


def module(name: str, **members: Any) -> ModuleType:
    new = ModuleType(name)
    vars(new).update(members)
    return new


def pytest_collection_modifyitems(items: list[Any]) -> None:
    """Skip the tests that need ReactPy's own client."""
    for item in items:
        if "display" in item.fixturenames:
            item.add_marker(pytest.mark.skip(reason=CLIENT))


upstream.Layout = reactpy.Layout = Layout  # type: ignore[misc]
sys.modules.setdefault("jsonpointer", module("jsonpointer", set_pointer=set_pointer))
