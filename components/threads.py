"""Blocking work beside the event loop, each piece in a thread and with a pooled connection of its own."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor
from contextvars import copy_context
from typing import TypeVar

from django.db import close_old_connections

Result = TypeVar("Result")


async def in_thread(function: Callable[[], Result], executor: Executor | None = None) -> Result:
    """What `function` returns or raises, in a thread of `executor` or of the loop's own.

    Its database connection goes back to the pool. Work that waits for a thread goes with a caller who is cancelled.

    Not Channels' own: in the traceback of a failure it leaves the future that holds this failure. Such a cycle keeps
    all that the callers held, a whole viewer, until somebody collects garbage.
    """

    def work() -> Result:
        close_old_connections()
        try:
            return function()
        finally:
            close_old_connections()

    running = asyncio.get_running_loop().run_in_executor(executor, copy_context().run, work)
    try:
        return await running
    finally:
        del running
