"""ReactPy's layout with the fixes and memory savings that pages need.

Only this module and `overrides` override private methods of ReactPy 2.0.0b13.
`tests/components/runtime/rendering/test_upstream.py` fails when upstream changes code that they rely on.
`docs/adr/0002-reactpy-beneath.md` lists the upstream change that would make each override unnecessary.
"""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Self, cast

from reactpy.core.hooks import ConnectionContext
from reactpy.core.layout import Layout
from reactpy.types import Connection, Location

from components.runtime.rendering.overrides.encoded_models import EncodedModels
from components.runtime.rendering.overrides.events import AckAfterHandler
from components.runtime.rendering.overrides.failed_render import EndedFailures
from components.runtime.rendering.overrides.render_limits import EndlessRenders, NestedRenders
from components.runtime.rendering.overrides.trees import KeyedComponents, PlainTrees
from components.runtime.rendering.refusals import SaysRefusals

log = logging.getLogger(__name__)


class _NoQueue:
    """A placeholder for the layout's render queue, which PageLayout does not use. It saves 3.7 KiB for each viewer."""

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
    """Renders changed components one after the other and passes each update to `send`.

    Upstream layouts keep a task waiting in `render()`, and keep the task and the model of every render until the layout
    ends (`_render_task_to_lcs_id`). Here a task exists only while a component has to be rendered.
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
                    await asyncio.sleep(0)  # the only point of this loop that yields to the event loop
        except Exception:
            log.exception("a render failed")
            self._failed()
        finally:
            self._rendering = None

    async def _render_component(self, *arguments: Any) -> Any:
        old_state = arguments[1]
        if old_state is not None and old_state.is_component_state:
            self._dirty.pop(old_state.life_cycle_state.id, None)  # it is rendered now, together with its parent
        return await super()._render_component(*arguments)

    async def __aexit__(self, *error: object) -> None:
        self._is_left = True  # ignore state that ending effects and events set from here on
        if self._rendering is not None:
            self._rendering.cancel()
            await asyncio.wait([self._rendering])
            self._rendering = None  # a task cancelled before its first step does not reset it
            await self._end_half_rendered()
        await super().__aexit__(*cast("Any", error))

    async def _end_half_rendered(self) -> None:
        """Unmount the components that a cancelled render has created. The root does not refer to them yet."""
        known = self._model_states_by_life_cycle_state_id
        await self._unmount_model_states(
            [state for each, state in known.items() if each != self._root_life_cycle_state_id]
        )

    async def finish_rendering(self) -> None:
        """Wait until all changed components are rendered."""
        while self._rendering is not None:
            await asyncio.shield(self._rendering)

    def whole_model(self) -> dict[str, Any]:
        """Return the current model of the whole tree. Updates renew it only in the parent of the updated component."""
        return _whole(self._model_states_by_life_cycle_state_id[self._root_life_cycle_state_id])

    def knows(self, target: str) -> bool:
        """Return whether an event for `target` has a handler. Upstream keeps a task for each unknown target."""
        return target in self._event_handlers


def _whole(state: Any) -> dict[str, Any]:
    """Return the model of a state with the models of its descendants."""
    model: dict[str, Any] = state.model.current
    if not state.children_by_key or "children" not in model:
        return model
    children = list(model["children"])
    for each in state.children_by_key.values():
        children[each.index] = _whole(each)
    return {**model, "children": children}


class PassiveLayout(SaysRefusals, EncodedModels, EndedFailures, NestedRenders, KeyedComponents, PlainTrees, Layout):
    """Renders on request, without effects: for the HTML of a page view, and for pages of anonymous visitors."""

    def __init__(self, root: Any) -> None:
        super().__init__(root)
        self.notices: list[dict[str, Any]] = []
        self.has_effects = False
        self._send = self.notices.append

    def _schedule_render_task(self, lcs_id: Any) -> None:
        pass

    async def _render_component(self, *arguments: Any) -> Any:
        state = await super()._render_component(*arguments)
        effects = state.life_cycle_state.hook._effect_funcs  # noqa: SLF001 - see the module's first lines
        self.has_effects = self.has_effects or bool(effects)
        effects.clear()
        return state

    async def rendered(self) -> "Rendered":
        """Render the whole tree, with the state that earlier renders have left, and return the result."""
        root = self._model_states_by_life_cycle_state_id[self._root_life_cycle_state_id]
        update = await self._create_layout_update(root)
        targets = frozenset(self._event_handlers)
        return Rendered(dict(update["model"]), targets, self.has_effects, tuple(self.notices))


@dataclass(frozen=True, slots=True)
class Rendered:
    """A page rendered without effects."""

    model: dict[str, Any]
    targets: frozenset[str]  # of the events that it has handlers for
    has_effects: bool  # whether a component has effects, which only a layout of its own runs
    notices: tuple[dict[str, Any], ...]  # frames for developers (DEBUG)


class HookConnection:
    """A page view or socket as the hooks of ReactPy and reactpy-django expect it, always with current values."""

    def __init__(self, scope: dict[str, Any], carrier: Any) -> None:
        self._scope, self.carrier = scope, carrier

    @property
    def scope(self) -> dict[str, Any]:
        """The ASGI scope, with the viewer as `user`."""
        return {**self._scope, "user": self.carrier.viewer}

    @property
    def location(self) -> Location:
        """The path of the page that is shown, and its query with the question mark."""
        page = self.carrier.page
        return Location(page.path, page.address.removeprefix(page.path))


def with_connection(root: Any, connection: Connection[Any] | HookConnection) -> Any:
    """Return the root with its connection context, as view and socket render it: hydration needs the same nesting."""
    return ConnectionContext(root, value=cast("Connection[Any]", connection))


async def rendered(
    root: Any, connection: Connection[Any] | HookConnection, then: Callable[[], None] | None = None
) -> Rendered:
    """Return `root` rendered without effects; with `then`, rendered again after this call has changed its state."""
    layout = PassiveLayout(with_connection(root, connection))
    async with layout:
        made = await layout.rendered()
        if then is not None:
            then()
            made = await layout.rendered()
        return made


async def first_model(root: Any, connection: Connection[Any] | HookConnection) -> dict[str, Any]:
    """Return the model of `root` as the first HTML shows it."""
    return (await rendered(root, connection)).model
