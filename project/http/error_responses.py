"""Answers for what must not happen: a plain sentence from a file, never a traceback or a blank page."""

import logging
import sys
from functools import cache

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from apps.core.database.errors import DATABASE_AWAY

log = logging.getLogger(__name__)
RETRY_AFTER = 5  # seconds
PAGES = settings.ROOT / "components" / "templates"


@cache
def _page(name: str) -> bytes:
    return (PAGES / name).read_bytes()


def failed_response(error: Exception) -> HttpResponse:
    """Return 503 while the database does not answer or not in time, else 500, which is logged with its traceback."""
    if isinstance(error, (*DATABASE_AWAY, TimeoutError)):
        log.warning("the database did not answer: %r", error)
        return _away_response()
    log.error("a page view failed", exc_info=error)
    return HttpResponse(_page("500.html"), status=500)


def busy_response(seconds: int) -> HttpResponse:
    """Return 429 for a search of an address that has searched too often; the browser repeats it by itself later."""
    again = {"Retry-After": str(seconds), "Refresh": str(seconds)}
    return HttpResponse(_page("429.html"), status=429, headers=again)


def _away_response() -> HttpResponse:
    return HttpResponse(_page("503.html"), status=503, headers={"Retry-After": str(RETRY_AFTER)})


def fault(_request: HttpRequest) -> HttpResponse:
    """Return the response to a failure that Django has logged: 503 while the database is away, else 500."""
    if isinstance(sys.exception(), DATABASE_AWAY):
        return _away_response()
    return HttpResponse(_page("500.html"), status=500)
