"""Helpers of views: the client and viewer of a request, the page that it leads to, and answers that all views share."""

from collections.abc import Callable
from functools import wraps
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode

from allauth.account.adapter import get_adapter
from allauth.account.utils import get_next_redirect_url
from django.contrib import messages
from django.http import HttpRequest, HttpResponseBase, HttpResponseForbidden, HttpResponseRedirect

from apps.accounts.actors import Viewer
from apps.accounts.selectors.sessions import account_session_of
from apps.accounts.session_store import handle_of, proved_lately
from apps.core.observability import address_key

View = Callable[..., HttpResponseBase]
DESTINATION = "Sec-Fetch-Dest"  # the browser's use of the answer; all current browsers send it
REFUSED = "Please open this address itself.\n"
_KEPT = "_next_path"


def client_of(request: HttpRequest) -> str:
    """Return the client as rate limits count it. Behind a proxy the server has copied X-Real-IP to REMOTE_ADDR."""
    return address_key((request.META.get("REMOTE_ADDR", ""),))


def viewer_of_request(request: HttpRequest) -> Viewer:
    """Return the viewer of a request, with the session."""
    handle = handle_of(request.session) if request.user.is_authenticated else ""
    return account_session_of(key=request.session.session_key or "", user=request.user, session=handle).viewer  # type: ignore[arg-type]  # an anonymous visitor has no session


def is_fresh(request: HttpRequest) -> bool:
    """Return whether this user signed in or reauthenticated within the last ten minutes."""
    return request.user.is_authenticated and proved_lately(request.session)


def next_path(request: HttpRequest) -> str:
    """Return the page after the sign-in of this request; empty if `next` is missing or not on this site."""
    kept = str(getattr(request, _KEPT, ""))
    path = kept if kept and get_adapter().is_safe_url(kept) else get_next_redirect_url(request)
    return path or ""


def next_path_set(request: HttpRequest, path: str) -> None:
    """Set the page after the sign-in for a request without `next`: Google's answer, a link in a mail."""
    setattr(request, _KEPT, path)


def with_next(address: str, request: HttpRequest) -> str:
    """Return the address of another screen with this request's `next`."""
    path = next_path(request)
    return f"{address}?{urlencode({'next': path})}" if path else address


class SeeOther(HttpResponseRedirect):
    """A redirect that the browser follows with GET."""

    status_code = HTTPStatus.SEE_OTHER


def document_only(view: View) -> View:
    """Return the view with a check that refuses requests for other destinations than a document."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.headers.get(DESTINATION, "document") != "document":
            return HttpResponseForbidden(REFUSED, content_type="text/plain; charset=utf-8")
        return view(request, *args, **kwargs)

    return guarded


def message_to(request: HttpRequest, words: str, *, email: str, level: int = messages.SUCCESS) -> None:
    """Show a message once on the next page; `email` fills its form."""
    messages.add_message(request, level, words, extra_tags=email)


def message_readdress(request: HttpRequest, words: str, *, email: str) -> None:
    """Replace the address of the waiting message `words`; all waiting messages stay for the next page."""
    for message in list(messages.get_messages(request)):
        tags = email if message.message == words else message.extra_tags
        messages.add_message(request, message.level, message.message, extra_tags=tags)


def address_said(request: HttpRequest) -> str:
    """Return the address from this page's messages, empty if none has one."""
    if request.method != "GET":
        return ""
    return next((str(message.extra_tags) for message in messages.get_messages(request) if message.extra_tags), "")
