"""The new address of a browser that gets push messages, as its service worker reports it."""

import json
from http import HTTPStatus
from typing import Any

from django.core.exceptions import PermissionDenied, ValidationError
from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from apps.accounts.requests import viewer_of_request
from apps.core.observability import security_count
from apps.notifications.services.push_subscriptions import push_renew
from project.http.middleware import public_origin

LONGEST = 4_096  # bytes of a report


@csrf_exempt
@require_POST
def renew(request: HttpRequest) -> HttpResponse:
    """Store the browser's new address, and answer 204.

    A service worker has no CSRF token: the Origin header and the cookie, which is SameSite=Lax, take its place. Other
    sites and anonymous visitors get 403, invalid reports 400.
    """
    if request.headers.get("Origin") != public_origin():
        security_count("form refused", reason="foreign origin")
        return _refused(HTTPStatus.FORBIDDEN)
    report = _report(request.body) if len(request.body) <= LONGEST else None
    if report is None:
        return _refused(HTTPStatus.BAD_REQUEST)
    try:
        push_renew(actor=viewer_of_request(request), **report)
    except PermissionDenied:
        return _refused(HTTPStatus.FORBIDDEN)
    except ValidationError:
        return _refused(HTTPStatus.BAD_REQUEST)
    return HttpResponse(status=HTTPStatus.NO_CONTENT)


def _report(body: bytes) -> dict[str, str] | None:
    """Return the address and the keys in a report; None for anything that browsers do not send."""
    try:
        content: Any = json.loads(body)
        found = {"endpoint": content["endpoint"], **{name: content["keys"][name] for name in ("p256dh", "auth")}}
    except (ValueError, RecursionError, TypeError, KeyError):
        return None
    return found if all(isinstance(value, str) for value in found.values()) else None


def _refused(status: HTTPStatus) -> HttpResponse:
    return HttpResponse(f"{status.phrase}\n", status=status, content_type="text/plain")
