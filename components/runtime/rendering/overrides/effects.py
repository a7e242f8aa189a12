"""Effects with less memory: no state for renders without effects, no task for an effect that never waits."""

import asyncio
import logging
from collections.abc import Generator
from contextvars import ContextVar
from types import coroutine
from typing import Any

from reactpy.core import layout as upstream
from reactpy.core._life_cycle_hook import LifeCycleHook
from reactpy.core.hooks import _CurrentState, run_effect_cleanup, use_effect

log = logging.getLogger(__name__)
PLAIN = f"{use_effect.__qualname__}."  # the prefix of its effects' names: they wait only for their end


class _Stop:
    """A replacement of the `Event` that ends a plain effect. The effect is closed where it waits for it."""

    @coroutine
    def wait(self) -> Generator["_Stop", None, None]:
        yield self


_STOP: Any = _Stop()


class Beginning:
    """A flag that is true while an effect runs its first step, before it has awaited anything."""

    __slots__ = ("is_now",)

    def __init__(self) -> None:
        self.is_now = True

    def end_after_its_task(self) -> None:
        """Reset the flag after the next turn of the event loop, in which the effect's task takes its first step."""
        asyncio.get_running_loop().call_soon(lambda: asyncio.get_running_loop().call_soon(self._end))

    def _end(self) -> None:
        self.is_now = False


_beginning: ContextVar[Beginning | None] = ContextVar("beginning", default=None)


def is_effect_beginning() -> bool:
    """Return whether the current task is an asynchronous effect that has not awaited anything yet."""
    beginning = _beginning.get()
    return beginning is not None and beginning.is_now


class WaitingEffect:
    """One run of an asynchronous effect (use_async_effect), in its own task.

    It begins when the previous run has ended. Upstream runs both concurrently and may then lose a clean-up.
    """

    __slots__ = ("cleanup", "end", "task")

    def __init__(self, function: Any, earlier: "WaitingEffect | None") -> None:
        self.cleanup, self.end = _cleanup_of(function), asyncio.Event()
        self.task = asyncio.create_task(self._run(function, earlier))

    async def _run(self, function: Any, earlier: "WaitingEffect | None") -> None:
        if earlier is not None:
            earlier.end.set()
            await asyncio.wait([earlier.task])
            earlier = None  # release it: this run may last long
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
    """Keeps the clean-up of each plain effect, and the last run of each asynchronous effect.

    Upstream keeps one `Event` for every render until the component is unmounted, so that a live query grows for as long
    as the page is open. It also keeps one task for each run of each effect, which waits for the effect's end. With
    these tasks a viewer of the session page takes 80 KiB instead of 67. `EndlessRenders` could then not distinguish an
    effect that sets state from an external cause.
    """

    __slots__ = ()
    _effect_tasks: list[Any]  # the clean-ups of plain effects
    _effect_stops: list[Any]  # runs of asynchronous effects

    async def affect_layout_did_render(self) -> None:
        """Run plain effects and start asynchronous ones."""
        functions, self._effect_funcs = self._effect_funcs, []
        for function in functions:
            if getattr(function, "__qualname__", "").startswith(PLAIN):
                self._run_plain(function)
            else:
                self._begin(function)

    def _run_plain(self, function: Any) -> None:
        """Run a plain effect, which first cleans up after its previous run."""
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
        """Run the clean-ups of all effects. Effects of a failed render do not begin."""
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
        """Break the reference cycle between the state, its setter and this hook.

        Upstream leaves such cycles to the garbage collector. A setter that is called later has no effect.
        """
        for state in self._state:
            if isinstance(state, _CurrentState):
                del state.dispatch
        self._state.clear()
        self._context_providers.clear()
        self._effect_funcs.clear()
        self._schedule_render_callback = _no_render


def _cleanup_of(function: Any) -> Any:
    """Return the ref with an effect's clean-up, the same in all of its runs; None for a function of no hook."""
    code = getattr(function, "__code__", None)
    if code is None or "cleanup_func" not in code.co_freevars:
        return None
    return function.__closure__[code.co_freevars.index("cleanup_func")].cell_contents


def _no_render() -> None:
    """Ignore the call of a setter after its component was unmounted."""


upstream.LifeCycleHook = LeanHook  # type: ignore[attr-defined]  # layouts create their hooks by this name
