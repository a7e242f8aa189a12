"""ReactPy's own layout, without what ours replaces: the oracle for what "as in ReactPy" means."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import reactpy
from reactpy.core import layout as used
from reactpy.core._life_cycle_hook import LifeCycleHook

from components.runtime.rendering.layout import with_connection
from tests.components.runtime.rendering.mounting import CONNECTION

TURNS = 50


def unchanged() -> ModuleType:
    """The module of layouts as upstream wrote it, loaded once more."""
    path = Path(reactpy.__file__).parent / "core" / "layout.py"
    spec = spec_from_file_location("reactpy.core.layout_unchanged", path)
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@contextmanager
def stock_parts() -> Iterator[None]:
    """Have ReactPy's layouts make what they made before ours replaced it."""
    theirs = unchanged()
    assert theirs.LifeCycleHook is LifeCycleHook
    with pytest.MonkeyPatch.context() as patched:
        for name in ("LifeCycleHook", "_get_children_info"):
            patched.setattr(used, name, getattr(theirs, name))
        yield


class StockMounted:
    """ReactPy's layout with what it rendered."""

    def __init__(self, layout: used.Layout) -> None:
        self.layout = layout
        self.updates: list[Any] = []

    async def render_all(self) -> None:
        """Render for ever."""
        while True:
            self.updates.append(await self.layout.render())


@asynccontextmanager
async def stock_mounted(root: Any) -> AsyncIterator[StockMounted]:
    """Show a component in ReactPy's own layout."""
    with stock_parts():
        shown = StockMounted(used.Layout(with_connection(root, CONNECTION)))
        async with shown.layout:
            rendering = asyncio.create_task(shown.render_all())
            try:
                yield shown
                for _ in range(TURNS):  # it fails when it is left in the middle of a render
                    await asyncio.sleep(0)
            finally:
                rendering.cancel()
