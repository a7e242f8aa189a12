"""Reports of errors in browsers: checked, limited, masked, and stored in the server's error log."""

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

from apps.accounts.sign_in.clients import client_of
from apps.core.buckets import Bucket, Buckets
from apps.core.database.fields import DATABASE_AWAY
from apps.core.enums import Severity
from apps.core.limits import ADDRESS_LENGTH, USER_AGENT_LENGTH
from apps.core.observability import current_context, request_context
from apps.core.services import error_record
from project.http.middleware import public_origin
from project.limits.rates import FAULT_BYTES, FAULTS, FAULTS_TOGETHER
from project.observability.logs import discreet

SEVERITIES = {  # by what the browser's half calls it (components/static/faults.js)
    "error": Severity.ERROR,
    "rejection": Severity.ERROR,
    "script": Severity.ERROR,  # one that could not be fetched
    "component": Severity.ERROR,  # one that failed while it was rendered
    "module": Severity.WARN,  # the fallback stands in its place
    "hydration": Severity.WARN,  # React has drawn the page anew
}


class MalformedReport(ValueError):
    """Not what a browser of ours reports."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One report."""

    kind: str
    message: str
    stack: str
    page: str

    @classmethod
    def read(cls, body: bytes) -> "Fault":
        """Return what a body says; raises Malformed."""
        try:
            given = json.loads(body)
        except (ValueError, RecursionError) as error:
            raise MalformedReport from error
        if not isinstance(given, dict) or given.keys() != set(cls.__slots__) or not all(map(_is_text, given.values())):
            raise MalformedReport
        fault = cls(**given)
        if fault.kind not in SEVERITIES or not fault.page.startswith("/") or len(fault.page) > ADDRESS_LENGTH:
            raise MalformedReport
        return fault


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


class ReportLimits:
    """How many reports this process still takes, from whom; strangers use up nothing of what is for the signed-in."""

    def __init__(self) -> None:
        self.addresses, self.accounts = Buckets(FAULTS), Buckets(FAULTS)
        self.strangers, self.members = Bucket(FAULTS_TOGETHER), Bucket(FAULTS_TOGETHER)

    def take(self, address: str, account: int | None) -> bool:
        """Count one report of this account, or of this address for a stranger; returns whether it may be stored."""
        if account is None:
            return self.addresses.take(address) and self.strangers.take()
        return self.accounts.take(account) and self.members.take()


report_limits = ReportLimits()


@csrf_exempt  # a browser's beacon carries no token; its Origin says whose page it is
@require_POST
def report(request: HttpRequest) -> HttpResponse:
    """Store what went wrong in a browser; the address it came from is counted, and not kept."""
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
    except Error:  # the account cannot be read: the database is away, and that is known already
        return HttpResponse(status=HTTPStatus.SERVICE_UNAVAILABLE)
    return HttpResponse(status=HTTPStatus.NO_CONTENT)


def store(fault: Fault, request: HttpRequest) -> None:
    """Record a report as of the page, the browser and the account it came from; raises what the database says."""
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
