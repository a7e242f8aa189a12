"""ReactPy's own layout without this site's replacements: the oracle for behaviour "as in ReactPy"."""

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
    """Return a second, unpatched copy of ReactPy's layout module."""
    path = Path(reactpy.__file__).parent / "core" / "layout.py"
    spec = spec_from_file_location("reactpy.core.layout_unchanged", path)
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@contextmanager
def upstream_functions() -> Iterator[None]:
    """Undo this site's replacements in ReactPy's layout module."""
    original = unchanged()
    assert original.LifeCycleHook is LifeCycleHook
    with pytest.MonkeyPatch.context() as patched:
        for name in ("LifeCycleHook", "_get_children_info"):
            patched.setattr(used, name, getattr(original, name))
        yield


class UpstreamMounted:
    """ReactPy's own layout and its updates."""

    def __init__(self, layout: used.Layout) -> None:
        self.layout = layout
        self.updates: list[Any] = []

    async def render_all(self) -> None:
        while True:
            self.updates.append(await self.layout.render())


@asynccontextmanager
async def upstream_mounted(root: Any) -> AsyncIterator[UpstreamMounted]:
    with upstream_functions():
        shown = UpstreamMounted(used.Layout(with_connection(root, CONNECTION)))
        async with shown.layout:
            rendering = asyncio.create_task(shown.render_all())
            try:
                yield shown
                for _ in range(TURNS):  # ReactPy's layout fails when it is closed during a render
                    await asyncio.sleep(0)
            finally:
                rendering.cancel()
