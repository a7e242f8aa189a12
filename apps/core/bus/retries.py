"""Retries with backoff and jitter after a lost connection."""

import asyncio
import random
from collections.abc import Sequence

import psycopg

LOSSES = (psycopg.Error, OSError)  # lost connections and messages, of PostgreSQL or Valkey; TimeoutError is an OSError


class Lost(ConnectionError):
    """A message of the bus may have been missed by this process."""


class Retries:
    """Waits between attempts: each step is multiplied by a random factor of 0.5 to 1.5, and the last step repeats."""

    def __init__(self, steps: Sequence[float]) -> None:
        self.steps, self.attempt = steps, 0

    def succeed(self) -> None:
        """Start again with the first step after the next loss."""
        self.attempt = 0

    async def wait(self) -> None:
        """Wait until the next attempt is due."""
        step = self.steps[min(self.attempt, len(self.steps) - 1)]
        self.attempt += 1
        await asyncio.sleep(step * random.uniform(0.5, 1.5))  # noqa: S311 - jitter, not secrecy
