"""ReactPy's layout with the fixes and savings that a page of ours needs.

Private methods of ReactPy 2.0.0b13 are overridden here and in `overrides`, and nowhere else;
`tests/components/rendering/test_upstream.py` fails when upstream changes what they rely on, and
`docs/adr/0002-reactpy-beneath.md` says what would let each one go.
"""

import asyncio
import logging
from collections.abc import Callable
from typing import Any, Self, cast

from reactpy.core.hooks import ConnectionContext
from reactpy.core.layout import Layout
from reactpy.types import Connection, Location

from components.rendering.overrides.encoded_models import EncodedModels
from components.rendering.overrides.events import AckAfterHandler
from components.rendering.overrides.failed_render import EndedFailures
from components.rendering.overrides.render_limits import EndlessRenders, NestedRenders
from components.rendering.overrides.trees import KeyedComponents, PlainTrees
from components.rendering.refusals import SaysRefusals

log = logging.getLogger(__name__)


class _NoQueue:
    """Stands for a layout's queue, which ours never uses: 3.7 KiB for every viewer."""

    async def close(self) -> None:
        pass


_NO_QUEUE = _NoQueue()


class PageLayout(
    SaysRefusals,
    EncodedModels,
    EndlessRenders,
    EndedFailures,
    NestedRenders,
    KeyedComponents,
    PlainTrees,
    AckAfterHandler,
    Layout,
):
    """Renders changed components one after the other and hands each update to `send`.

    Stock layouts keep a task waiting in `render()`, and keep the task and the model of every render for the layout's
    life (`_render_task_to_lcs_id`). Here a task exists only while something is to be rendered.
    """

    def __init__(self, root: Any, send: Callable[[dict[str, Any]], None], failed: Callable[[], None]) -> None:
        super().__init__(root)
        self._send, self._failed = send, failed
        self._dirty: dict[str, None] = {}
        self._rendering: asyncio.Task[None] | None = None
        self._is_left = False

    async def __aenter__(self) -> Self:
        await super().__aenter__()
        self._rendering_queue = cast("Any", _NO_QUEUE)
        return self

    def _schedule_render_task(self, lcs_id: Any) -> None:
        if self._is_left or self._is_stopped(lcs_id):
            return
        self._count_render(lcs_id)
        self._dirty[lcs_id] = None
        if self._rendering is None:
            self._rendering = asyncio.create_task(self._render_dirty())

    async def _render_dirty(self) -> None:
        try:
            while self._dirty:
                lcs_id = next(iter(self._dirty))
                del self._dirty[lcs_id]
                state = self._model_states_by_life_cycle_state_id.get(lcs_id)
                if state is not None:
                    self._send(await self._create_layout_update(state))
                if self._dirty:
                    await asyncio.sleep(0)  # nothing else here gives up the loop's turn
        except Exception:
            log.exception("a render failed")
            self._failed()
        finally:
            self._rendering = None

    async def _render_component(self, *arguments: Any) -> Any:
        old_state = arguments[1]
        if old_state is not None and old_state.is_component_state:
            self._dirty.pop(old_state.life_cycle_state.id, None)  # it is being rendered now, with its parent
        return await super()._render_component(*arguments)

    async def __aexit__(self, *error: object) -> None:
        self._is_left = True  # what is set from here on, by effects and events that end, nobody sees
        if self._rendering is not None:
            self._rendering.cancel()
            await asyncio.wait([self._rendering])
            self._rendering = None  # cancelled before its first step, it would not do so itself
            await self._end_half_rendered()
        await super().__aexit__(*cast("Any", error))

    async def _end_half_rendered(self) -> None:
        """End what a render that was cut off had begun: nothing leads there from the root."""
        known = self._model_states_by_life_cycle_state_id
        await self._unmount_model_states(
            [state for each, state in known.items() if each != self._root_life_cycle_state_id]
        )

    async def finish_rendering(self) -> None:
        """Wait until nothing is left to render."""
        while self._rendering is not None:
            await asyncio.shield(self._rendering)

    def whole_model(self) -> dict[str, Any]:
        """Return the model of the whole tree as it is now: an update renews it in its component's parent alone."""
        return _whole(self._model_states_by_life_cycle_state_id[self._root_life_cycle_state_id])

    def knows(self, target: str) -> bool:
        """Whether an event for `target` has a handler; others cost ReactPy a task for the layout's life."""
        return target in self._event_handlers


def _whole(state: Any) -> dict[str, Any]:
    """Return the model of a state with those of the states below it."""
    model: dict[str, Any] = state.model.current
    if not state.children_by_key or "children" not in model:
        return model
    children = list(model["children"])
    for each in state.children_by_key.values():
        children[each.index] = _whole(each)
    return {**model, "children": children}


class FirstRender(EncodedModels, EndedFailures, NestedRenders, KeyedComponents, PlainTrees, Layout):
    """Renders once and runs no effects, for the HTML of a page view."""

    def _schedule_render_task(self, lcs_id: Any) -> None:
        pass

    async def _render_component(self, *arguments: Any) -> Any:
        state = await super()._render_component(*arguments)
        state.life_cycle_state.hook._effect_funcs.clear()  # noqa: SLF001 - see the module's first lines
        return state

    async def model(self) -> dict[str, Any]:
        """Return the model of the whole tree."""
        (root,) = self._model_states_by_life_cycle_state_id.values()
        update = await self._create_layout_update(root)
        return dict(update["model"])


class HookConnection:
    """A page view or socket as the hooks of ReactPy and reactpy-django know it: always as it is now."""

    def __init__(self, scope: dict[str, Any], carrier: Any) -> None:
        self._scope, self.carrier = scope, carrier

    @property
    def scope(self) -> dict[str, Any]:
        """The ASGI scope, with who looks as `user`."""
        return {**self._scope, "user": self.carrier.viewer}

    @property
    def location(self) -> Location:
        """The path of the page that is shown, and its query with the question mark."""
        page = self.carrier.page
        return Location(page.path, page.address.removeprefix(page.path))


def with_connection(root: Any, connection: Connection[Any] | HookConnection) -> Any:
    """Return the tree that both the view and the socket render: hydration needs the same nesting in both."""
    return ConnectionContext(root, value=cast("Connection[Any]", connection))


async def first_model(root: Any, connection: Connection[Any] | HookConnection) -> dict[str, Any]:
    """Return the model of `root` as the first HTML shows it."""
    layout = FirstRender(with_connection(root, connection))
    async with layout:
        model: dict[str, Any] = await layout.model()
        return model
