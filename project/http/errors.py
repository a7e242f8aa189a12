"""Error reports of browsers, validated, rate-limited, masked and stored in the error log; and error responses."""

import json
import logging
import sys
from dataclasses import dataclass, replace
from functools import cache
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.db import Error
from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from apps.accounts.requests import client_of
from apps.core.buckets import Bucket, Buckets
from apps.core.database.fields import DATABASE_AWAY
from apps.core.enums import Severity
from apps.core.limits import ADDRESS_LENGTH, USER_AGENT_LENGTH
from apps.core.observability import current_context, request_context
from apps.core.services import error_record
from project.http.middleware import public_origin
from project.http.unstored_bodies import FULL, NOT_STORED
from project.limits.rates import FAULT_BYTES, FAULTS, FAULTS_TOGETHER
from project.observability.logs import discreet

SEVERITIES = {  # by the kind that the client sends (components/static/faults.js)
    "error": Severity.ERROR,
    "rejection": Severity.ERROR,
    "script": Severity.ERROR,  # a script that could not be loaded
    "component": Severity.ERROR,  # a component that failed to render
    "module": Severity.WARN,  # a fallback replaces the module
    "hydration": Severity.WARN,  # React has rendered the page again
}


class MalformedReport(ValueError):
    """A report that the site's client never sends."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One error report."""

    kind: str
    message: str
    stack: str
    page: str

    @classmethod
    def read(cls, body: bytes) -> "Fault":
        """Return the report in a body. Raises MalformedReport if it is invalid."""
        try:
            content = json.loads(body)
        except (ValueError, RecursionError) as error:
            raise MalformedReport from error
        if (
            not isinstance(content, dict)
            or content.keys() != set(cls.__slots__)
            or not all(map(_is_text, content.values()))
        ):
            raise MalformedReport
        fault = cls(**content)
        if fault.kind not in SEVERITIES or not fault.page.startswith("/") or len(fault.page) > ADDRESS_LENGTH:
            raise MalformedReport
        return fault


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


class ReportLimits:
    """Rate limits of error reports in this process. Anonymous visitors and accounts have separate budgets."""

    def __init__(self) -> None:
        self.addresses, self.accounts = Buckets(FAULTS), Buckets(FAULTS)
        self.strangers, self.members = Bucket(FAULTS_TOGETHER), Bucket(FAULTS_TOGETHER)

    def take(self, address: str, account: int | None) -> bool:
        """Count one report of this account, or of this address without one. Returns whether it may be stored."""
        if account is None:
            return self.addresses.take(address) and self.strangers.take()
        return self.accounts.take(account) and self.members.take()


report_limits = ReportLimits()


@csrf_exempt  # a browser's beacon carries no token; its Origin header names the page's site
@require_POST
def report(request: HttpRequest) -> HttpResponse:
    """Store a browser's error report. Its address is used for the rate limit, and is not stored."""
    if request.headers.get("Origin") != public_origin():
        return HttpResponse(status=HTTPStatus.FORBIDDEN)
    if int(request.META.get("CONTENT_LENGTH") or 0) > FAULT_BYTES or len(request.body) > FAULT_BYTES:
        return HttpResponse(status=HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
    try:
        if not report_limits.take(client_of(request), request.user.pk):
            return HttpResponse(status=HTTPStatus.TOO_MANY_REQUESTS)
        store(Fault.read(request.body), request)
    except MalformedReport:
        return HttpResponse(status=HTTPStatus.BAD_REQUEST)
    except Error:  # the account cannot be read during an outage of the database, which is reported already
        return HttpResponse(status=HTTPStatus.SERVICE_UNAVAILABLE)
    return HttpResponse(status=HTTPStatus.NO_CONTENT)


def store(fault: Fault, request: HttpRequest) -> None:
    """Store a report with its page, browser and account. Raises the database's errors."""
    page = discreet(fault.page.partition("?")[0].partition("#")[0])
    agent = request.headers.get("User-Agent", "")[:USER_AGENT_LENGTH]
    circumstances = replace(current_context(), page_url=page, user_agent=agent, user_id=request.user.pk)
    with request_context(circumstances):
        error_record(
            message=f"Browser: {discreet(fault.message)}",
            details={"kind": fault.kind, "stack": discreet(fault.stack)},
            severity=SEVERITIES[fault.kind],
        )


log = logging.getLogger(__name__)
RETRY_AFTER = 5  # seconds
PAGES = settings.ROOT / "components" / "templates"


@cache
def _page(name: str) -> bytes:
    return (PAGES / name).read_bytes()


def failed_response(error: Exception) -> HttpResponse:
    """Return 503 if the database is away or too slow, else 500, with the traceback in the log."""
    if isinstance(error, (*DATABASE_AWAY, TimeoutError)):
        log.warning("the database did not answer: %r", error)
        return _away_response()
    log.error("a page view failed", exc_info=error)
    return HttpResponse(_page("500.html"), status=500)


def busy_response(seconds: int) -> HttpResponse:
    """Return 429 for a search above the rate limit of its address. The browser repeats it after `seconds`."""
    again = {"Retry-After": str(seconds), "Refresh": str(seconds)}
    return HttpResponse(_page("429.html"), status=429, headers=again)


def _away_response() -> HttpResponse:
    return HttpResponse(_page("503.html"), status=503, headers={"Retry-After": str(RETRY_AFTER)})


def fault(_request: HttpRequest) -> HttpResponse:
    """Return the response to an error that Django has logged.

    It is 503 while the database is away, and for a file that does not fit on the disk, else 500.
    """
    error = sys.exception()
    if isinstance(error, DATABASE_AWAY):
        return _away_response()
    if isinstance(error, OSError) and error.errno in FULL:
        return HttpResponse(NOT_STORED, status=HTTPStatus.SERVICE_UNAVAILABLE, content_type="text/plain; charset=utf-8")
    return HttpResponse(_page("500.html"), status=500)
