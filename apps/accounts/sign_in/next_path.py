"""Where a sign-in leads: `next`, a path of this site, which forms, links and mails carry along."""

from urllib.parse import urlencode

from allauth.account.adapter import get_adapter
from allauth.account.utils import get_next_redirect_url
from django.http import HttpRequest

_KEPT = "_next_path"


def next_path(request: HttpRequest) -> str:
    """Return where this request leads once somebody is signed in; empty when it does not say, or says another site."""
    kept = str(getattr(request, _KEPT, ""))
    found = kept if kept and get_adapter().is_safe_url(kept) else get_next_redirect_url(request)
    return found or ""


def next_path_set(request: HttpRequest, path: str) -> None:
    """Say where a request leads that cannot say so itself: Google's answer, a link in a mail."""
    setattr(request, _KEPT, path)


def with_next(address: str, request: HttpRequest) -> str:
    """Return the address of another screen with this request's `next`."""
    path = next_path(request)
    return f"{address}?{urlencode({'next': path})}" if path else address
