"""Reads that may fail without an error page: the section is empty instead."""

import logging
from collections.abc import Callable
from typing import TypeVar

from apps.core.database.fields import DATABASE_AWAY

HOME = "Error fetching home page data"
log = logging.getLogger(__name__)
Result = TypeVar("Result")


def read_or_nothing(read: Callable[[], Result], nothing: Result, *, record: str = HOME) -> Result:
    """Return the result of `read`; on a failure log `record` and return the empty value.

    Raises DATABASE_AWAY errors.
    """
    try:
        return read()
    except DATABASE_AWAY:
        raise
    except Exception:
        log.exception(record)
        return nothing
