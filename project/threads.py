"""Blocking work beside the event loop, each piece in a thread and with a pooled connection of its own."""

from collections.abc import Callable
from typing import TypeVar

from channels.db import database_sync_to_async

Result = TypeVar("Result")


async def in_thread(function: Callable[[], Result]) -> Result:
    """What `function` returns; its database connection goes back to the pool.

    Not thread-sensitive: Django's one shared thread would make every socket wait for the slowest query.
    """
    result: Result = await database_sync_to_async(function, thread_sensitive=False)()
    return result
