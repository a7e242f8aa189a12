"""What may fail alone: a section whose read fails says so in its place, only a dead database is an error page."""

import logging
from collections.abc import Callable
from typing import TypeVar

from apps.core.database.errors import DATABASE_AWAY

HOME = "Error fetching home page data"
log = logging.getLogger(__name__)
Result = TypeVar("Result")


def read_or_nothing(read: Callable[[], Result], nothing: Result, *, record: str = HOME) -> Result:
    """Return what `read` returns, or `nothing` when it fails, which is recorded in the specification's words.

    Raises whatever says that the database does not answer.
    """
    try:
        return read()
    except DATABASE_AWAY:
        raise
    except Exception:
        log.exception(record)
        return nothing
