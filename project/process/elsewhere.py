"""Where the reads of strangers are made: at the standby of the database, when there is one and it is not behind."""

from collections.abc import Callable
from typing import TypeVar

from apps.core.scale.replica import reads_elsewhere

Result = TypeVar("Result")


def elsewhere_read(function: Callable[[], Result]) -> Result:
    """Return what `function` returns, which only reads; it begins again at the primary when the standby fails in it."""
    results: list[Result] = []
    with reads_elsewhere() as reading:
        for each in reading.tries():
            with each:
                results.append(function())
    return results[0]
