"""The page after a sign-in: `next`, a path of this site, which forms, links and mails pass on."""

from urllib.parse import urlencode

from allauth.account.adapter import get_adapter
from allauth.account.utils import get_next_redirect_url
from django.http import HttpRequest

_KEPT = "_next_path"


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
