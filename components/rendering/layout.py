"""ReactPy's layout with the fixes and savings that a page of ours needs.

Private methods of ReactPy 2.0.0b13 are overridden here and nowhere else; `tests/components/rendering/test_upstream.py`
fails when upstream changes what they rely on, and `docs/adr/0002-reactpy-beneath.md` says what would let each one go.
"""

import asyncio
import logging
from collections.abc import Callable, Generator
from types import coroutine
from typing import Any, Self, cast

from reactpy.core import layout as stock
from reactpy.core._life_cycle_hook import LifeCycleHook
from reactpy.core.hooks import ConnectionContext, _CurrentState
from reactpy.core.layout import Layout
from reactpy.types import Connection, Location

from components.rendering.failed_render import EndedFailures
from components.rendering.refusals import SaysRefusals, allowed, svg_around
from components.rendering.render_limits import EndlessRenders, NestedRenders
from components.rendering.tree import is_plain, plain_tree

log = logging.getLogger(__name__)
WAITS = (
    "An effect waits for something, as use_async_effect and reactpy-django's use_query and use_channel_layer do. "
    "Read in the page's `load` and follow topics with use_live_query (components/hooks/live_query.py); for all else, "
    "start a task in the effect."
)


class _Stop:
    """Stands for the `Event` that ends an effect: who waits for it is resumed by hand."""

    @coroutine
    def wait(self) -> Generator["_Stop", None, None]:
        yield self


_STOP = _Stop()


class _NoQueue:
    """Stands for a layout's queue, which ours never uses: 3.7 KiB for every viewer."""

    async def close(self) -> None:
        pass


_NO_QUEUE = _NoQueue()


class LeanHook(LifeCycleHook):
    """Keeps nothing for renders without effects, and effects without tasks.

    Stock keeps one `Event` for every render until the component goes: a live leaf grows for as long as the page is
    open. And each effect of each viewer is a task that waits for its end: with them a viewer of the session page was
    80 KiB instead of 67, and an effect that sets state could not be told from something outside (`EndlessRenders`).
    """

    __slots__ = ()

    async def affect_layout_did_render(self) -> None:
        """Run effects up to where they wait for their end."""
        effects, self._effect_funcs = self._effect_funcs, []
        for function in effects:
            effect = function(cast("Any", _STOP))
            try:
                waits_for = effect.send(None)
            except Exception:
                log.exception("an effect failed")
                continue
            if waits_for is not _STOP:
                effect.close()
                raise TypeError(WAITS)
            self._effect_tasks.append(cast("Any", effect))

    async def affect_component_will_unmount(self) -> None:
        """Let effects clean up; those of a render that failed do not begin."""
        self._effect_funcs = []
        effects, self._effect_tasks = self._effect_tasks, []
        for effect in cast("Any", effects):
            try:
                effect.send(None)
            except StopIteration:
                continue
            except Exception:
                log.exception("an effect could not be ended")
        self._forget()

    def _forget(self) -> None:
        """Refer to nothing any more: state refers to its setter, that to the state and to this hook.

        Stock leaves such cycles to the garbage collector, and it is a setter's own business when it is called later.
        """
        for state in self._state:
            if isinstance(state, _CurrentState):
                del state.dispatch
        self._state.clear()
        self._context_providers.clear()
        self._effect_funcs.clear()
        self._schedule_render_callback = _nothing


def _nothing() -> None:
    """Render nothing: called by setters of a component that was unmounted."""


stock.LifeCycleHook = LeanHook  # type: ignore[attr-defined]  # the name by which layouts make their hooks


class KeyedComponents:
    """Puts a component's key on the wire: ReactPy drops it, and a re-ordered list would keep its DOM in place."""

    async def _render_component(self, *arguments: Any) -> Any:
        state = await super()._render_component(*arguments)  # type: ignore[misc]
        component = arguments[-1]
        if component.key is not None:
            state.model.current["attributes"] = {"key": component.key}
        return state


class PlainTrees:
    """Holds a tree without components and handlers as one node.

    Stock makes a state, a path and a copy of every element, for every viewer: 1.1 KB each.
    """

    async def _render_model(self, *arguments: Any) -> Any:
        _, old_state, parent, index, key, raw_model = arguments
        in_svg = svg_around(parent)
        if not is_plain(raw_model):
            return await super()._render_model(*arguments[:-1], allowed(raw_model, in_svg=in_svg))  # type: ignore[misc]
        if old_state is not None:
            await self._unmount_model_states([old_state])  # type: ignore[attr-defined]
        state = stock._make_element_model_state(parent, index, key)  # noqa: SLF001 - see the module's first lines
        state.model.current = cast("Any", plain_tree(raw_model, in_svg=in_svg))
        return state


class AckAfterHandler:
    """Acknowledges an edit when its handler has finished.

    ReactPy does it before, so that a render in between claims to know an edit that it does not hold, and the browser
    then overwrites what was typed.
    """

    async def _process_event_queue(self, target: str, queue: Any) -> None:
        waiting = _EventsWithoutNumber(queue, self._last_event_seq_by_target, target)  # type: ignore[attr-defined]
        await super()._process_event_queue(target, waiting)  # type: ignore[misc]


class _EventsWithoutNumber:
    """Hands events on without their number; records the number when the next event is asked for."""

    def __init__(self, queue: Any, last_numbers: dict[str, int], target: str) -> None:
        self.queue, self.last_numbers, self.target = queue, last_numbers, target
        self.number_in_work: int | None = None

    async def get(self) -> dict[str, Any]:
        if self.number_in_work is not None:
            self.last_numbers[self.target] = max(self.number_in_work, self.last_numbers.get(self.target, -1))
            self.number_in_work = None
        event = await self.queue.get()
        number = event.get("seq")
        self.number_in_work = number if isinstance(number, int) else None
        return {name: value for name, value in event.items() if name != "seq"}


class PageLayout(
    SaysRefusals, EndlessRenders, EndedFailures, NestedRenders, KeyedComponents, PlainTrees, AckAfterHandler, Layout
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
        await super().__aexit__(*cast("Any", error))

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


class FirstRender(NestedRenders, KeyedComponents, PlainTrees, Layout):
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
