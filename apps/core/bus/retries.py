"""When to try again after a loss: later each time, and not all processes at once."""

import asyncio
import random
from collections.abc import Sequence

import psycopg

LOSSES = (psycopg.Error, OSError)  # of a connection, of Valkey, or of a message; TimeoutError is an OSError


class Lost(ConnectionError):
    """Something may have been announced that this process has not heard."""


class Retries:
    """Waits between tries; each is drawn from 0.5 to 1.5 of its step, the last step being repeated."""

    def __init__(self, steps: Sequence[float]) -> None:
        self.steps, self.attempt = steps, 0

    def succeed(self) -> None:
        """Begin with the first step after the next loss."""
        self.attempt = 0

    async def wait(self) -> None:
        """Wait until it is time for the next try."""
        step = self.steps[min(self.attempt, len(self.steps) - 1)]
        self.attempt += 1
        await asyncio.sleep(step * random.uniform(0.5, 1.5))  # noqa: S311 - spread, not secrecy
