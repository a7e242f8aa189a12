"""What a component's hooks keep: nothing for renders without effects, no task for an effect that never waits."""

import asyncio
import logging
from collections.abc import Generator
from contextvars import ContextVar
from types import coroutine
from typing import Any

from reactpy.core import layout as stock
from reactpy.core._life_cycle_hook import LifeCycleHook
from reactpy.core.hooks import _CurrentState, run_effect_cleanup, use_effect

log = logging.getLogger(__name__)
PLAIN = f"{use_effect.__qualname__}."  # what the names of its effects begin with: they wait for nothing but their end


class _Stop:
    """Stands for the `Event` that ends a plain effect, which is stopped where it waits for it."""

    @coroutine
    def wait(self) -> Generator["_Stop", None, None]:
        yield self


_STOP: Any = _Stop()


class Beginning:
    """Whether an effect is still in its first step, before it has waited for anything."""

    __slots__ = ("is_now",)

    def __init__(self) -> None:
        self.is_now = True

    def end_after_its_task(self) -> None:
        """End with the next turn's steps: the effect's own task, which is asked for in this turn, takes its first."""
        asyncio.get_running_loop().call_soon(lambda: asyncio.get_running_loop().call_soon(self._end))

    def _end(self) -> None:
        self.is_now = False


_beginning: ContextVar[Beginning | None] = ContextVar("beginning", default=None)


def is_effect_beginning() -> bool:
    """Whether an effect that waits runs now, and has waited for nothing so far."""
    beginning = _beginning.get()
    return beginning is not None and beginning.is_now


class WaitingEffect:
    """One run of an effect that waits for something (use_async_effect), in a task of its own.

    It begins when the run before it has ended: stock begins it beside that one, and then may forget either's clean-up.
    """

    __slots__ = ("cleanup", "end", "task")

    def __init__(self, function: Any, earlier: "WaitingEffect | None") -> None:
        self.cleanup, self.end = _cleanup_of(function), asyncio.Event()
        self.task = asyncio.create_task(self._run(function, earlier))

    async def _run(self, function: Any, earlier: "WaitingEffect | None") -> None:
        if earlier is not None:
            earlier.end.set()
            await asyncio.wait([earlier.task])
            earlier = None  # this run may last
        if self.end.is_set():
            return
        beginning = Beginning()
        _beginning.set(beginning)
        beginning.end_after_its_task()
        try:
            await function(self.end)
        except Exception:
            log.exception("an effect failed")


class LeanHook(LifeCycleHook):
    """Keeps the clean-up of each plain effect, and of each that waits its last run.

    Stock keeps one `Event` for every render until the component goes: a live leaf grows for as long as the page is
    open. And each run of each effect of each viewer is a task that waits for its end: with them a viewer of the session
    page was 80 KiB instead of 67, and an effect that sets state could not be told from something outside
    (`EndlessRenders`).
    """

    __slots__ = ()
    _effect_tasks: list[Any]  # the clean-ups of plain effects
    _effect_stops: list[Any]  # effects that wait

    async def affect_layout_did_render(self) -> None:
        """Run plain effects, and begin those that wait."""
        functions, self._effect_funcs = self._effect_funcs, []
        for function in functions:
            if getattr(function, "__qualname__", "").startswith(PLAIN):
                self._run_plain(function)
            else:
                self._begin(function)

    def _run_plain(self, function: Any) -> None:
        """Run the effect before; it cleans up what its last run left."""
        effect = function(_STOP)
        try:
            effect.send(None)
        except Exception:
            log.exception("an effect failed")
        finally:
            effect.close()
        cleanup = _cleanup_of(function)
        if cleanup.current is not None and all(each is not cleanup for each in self._effect_tasks):
            self._effect_tasks.append(cleanup)

    def _begin(self, function: Any) -> None:
        cleanup, earlier = _cleanup_of(function), None
        for each in [each for each in self._effect_stops if cleanup is not None and each.cleanup is cleanup]:
            self._effect_stops.remove(each)
            earlier = each
        self._effect_stops = [each for each in self._effect_stops if not each.task.done()]
        self._effect_stops.append(WaitingEffect(function, earlier))

    async def affect_component_will_unmount(self) -> None:
        """Let effects clean up; those of a render that failed do not begin."""
        self._effect_funcs = []
        cleanups, self._effect_tasks = self._effect_tasks, []
        for cleanup in cleanups:
            try:
                run_effect_cleanup(cleanup)
            except Exception:
                log.exception("an effect could not be ended")
        waiting, self._effect_stops = self._effect_stops, []
        for each in waiting:
            each.end.set()
        if waiting:
            await asyncio.wait([each.task for each in waiting])
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


def _cleanup_of(function: Any) -> Any:
    """Return where an effect keeps its clean-up, the same in each of its runs; None for what is no hook's."""
    code = getattr(function, "__code__", None)
    if code is None or "cleanup_func" not in code.co_freevars:
        return None
    return function.__closure__[code.co_freevars.index("cleanup_func")].cell_contents


def _nothing() -> None:
    """Render nothing: called by setters of a component that was unmounted."""


stock.LifeCycleHook = LeanHook  # type: ignore[attr-defined]  # the name by which layouts make their hooks
