"""What the work of one elected process shares: an advisory lock, held by a database session of its own.

The lock is released with the process or its network; then another process takes it.
"""

import asyncio
from collections.abc import Mapping

import psycopg

LOOK = b"SELECT true"
PATIENCE = 5.0  # seconds that the database has to answer
FAILURES = (psycopg.Error, OSError, TimeoutError)


async def lock_connection(parameters: Mapping[str, str]) -> psycopg.AsyncConnection:
    """Return a new connection for a lock; `parameters` are libpq's. Raises one of FAILURES."""
    async with asyncio.timeout(PATIENCE):
        # the stubs want a type for each libpq parameter; all are strings
        return await psycopg.AsyncConnection.connect(**parameters, autocommit=True)  # type: ignore[arg-type]  # of mixed types


async def answer(connection: psycopg.AsyncConnection, question: bytes) -> bool:
    """Return the truth of the one value that the query returns.

    Raises one of FAILURES if the database does not answer.
    """
    async with asyncio.timeout(PATIENCE):
        cursor = await connection.execute(question)
        row = await cursor.fetchone()
    return bool(row and row[0])


async def quiet(connection: psycopg.AsyncConnection, seconds: float) -> None:
    """Wait, and end with one of FAILURES at once when the connection ends."""
    async for _ in connection.notifies(timeout=seconds):
        pass  # no notifications arrive
