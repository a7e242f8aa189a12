"""Single flight: callers who ask for the same thing at the same time share one run."""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

_running: dict[object, asyncio.Task[Any]] = {}


async def once(key: object, work: Callable[[], Awaitable[Any]]) -> Any:
    """Return what `work` returns; callers with the same key while it runs share one run."""
    task = _running.get(key)
    if task is None:

        async def run() -> Any:
            return await work()

        task = _running[key] = asyncio.create_task(run())
        task.add_done_callback(partial(_end, key))
    try:
        return await asyncio.shield(task)
    finally:
        del task  # a failure's traceback would refer to it here, and it to the failure


def _end(key: object, task: asyncio.Task[Any]) -> None:
    _running.pop(key, None)
    if not task.cancelled():
        task.exception()  # seen, even when everybody who waited for it has left
