"""Wait for a state: `until` in coroutines, `wait_until` in threads. Both say after ten seconds what they wait for."""

import asyncio
import inspect
import sys
import time
from collections.abc import Awaitable, Callable
from typing import Any

PAUSE, LONGEST_PAUSE = 0.01, 0.1  # seconds between two checks; each is longer than the one before by GROWTH
GROWTH = 1.2
SAID_AFTER = 10.0  # seconds
SECONDS = 60.0  # until the state is given up; a busy machine needs a multiple of an idle one's time


class _Wait:
    """The clock of one wait."""

    def __init__(self, what: str, seconds: float) -> None:
        self.what, self.seconds = what, seconds
        self.begun = time.monotonic()
        self.is_said = False
        self.pause = PAUSE

    def check(self, seen: object) -> float:
        """Return the next pause. Print what is waited for after ten seconds, raise AssertionError after the limit."""
        waited = time.monotonic() - self.begun
        if waited > self.seconds:
            raise AssertionError(f"{self.what}: not within {self.seconds:.0f} s; last seen: {seen!r}")
        if waited > SAID_AFTER and not self.is_said:
            self.is_said = True
            print(f"waiting for {SAID_AFTER:.0f} s: {self.what}; last seen: {seen!r}", file=sys.stderr)  # noqa: T201
        self.pause = min(LONGEST_PAUSE, self.pause * GROWTH)
        return self.pause


async def until(condition: Callable[[], Any | Awaitable[Any]], what: str, *, seconds: float = SECONDS) -> Any:
    """Wait until `condition`, a function or a coroutine function, returns a true value, and return this value.

    The event loop runs between two checks, also if the condition never suspends. AssertionError after `seconds`.
    """
    wait = _Wait(what, seconds)
    while True:
        seen = condition()
        if inspect.isawaitable(seen):
            seen = await seen
        if seen:
            return seen
        await asyncio.sleep(wait.check(seen))


def wait_until(condition: Callable[[], Any], what: str, *, seconds: float = SECONDS) -> Any:
    """Wait in this thread until `condition` returns a true value, and return it. AssertionError after `seconds`."""
    wait = _Wait(what, seconds)
    while not (seen := condition()):
        time.sleep(wait.check(seen))
    return seen
