"""The title page's rule: a section whose read fails shows its empty text, only a dead database is an error page."""

import logging
from collections.abc import Callable
from typing import TypeVar

from django.db import InterfaceError, OperationalError
from psycopg_pool import PoolTimeout

DEAD_DATABASE = (OperationalError, InterfaceError, PoolTimeout)
log = logging.getLogger(__name__)
Result = TypeVar("Result")


def or_nothing(read: Callable[[], Result], nothing: Result) -> Result:
    """Return what `read` returns, or `nothing` when it fails, which is recorded as the specification words it.

    Raises whatever says that the database does not answer.
    """
    try:
        return read()
    except DEAD_DATABASE:
        raise
    except Exception:
        log.exception("Error fetching home page data")
        return nothing
