"""Known browsers: a signed cookie says which accounts signed in with a browser before.

They have a limit of their own, so that strangers who guess cannot lock out the owner's browser.
"""

import secrets
from collections.abc import Sequence

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import salted_hmac

from apps.accounts.attempts import folded_address
from apps.accounts.limits import KNOWN_ACCOUNTS, KNOWN_FOR

_SALT = "parterre.browser"


def browser_known(request: HttpRequest, email: str) -> str:
    """Return the browser's own name if somebody signed in to this address with it, or an empty text."""
    name, accounts = _read(request)
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    return name if any(_digest(name, email, key) in accounts for key in keys) else ""


def browser_remember(request: HttpRequest, response: HttpResponse, email: str) -> None:
    """Set the cookie that this address was signed in to; it contains only digests."""
    name, accounts = _read(request)
    name = name or secrets.token_hex(8)
    digests = [_digest(name, email), *(each for each in accounts if each != _digest(name, email))][:KNOWN_ACCOUNTS]
    response.set_signed_cookie(
        settings.BROWSER_COOKIE_NAME,
        ".".join([name, *digests]),
        salt=_SALT,
        max_age=KNOWN_FOR,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def browser_clear(response: HttpResponse) -> None:
    """Have the browser delete what scripts stored, such as drafts.

    Not its cache: it contains no pages of the signed-in, and all static files would be fetched anew. Not all cookies:
    that of a known browser stays, and the session's is deleted by name.
    """
    response["Clear-Site-Data"] = '"storage"'


def _read(request: HttpRequest) -> tuple[str, Sequence[str]]:
    value = request.get_signed_cookie(settings.BROWSER_COOKIE_NAME, default="", salt=_SALT, max_age=KNOWN_FOR)
    name, *accounts = (value or "").split(".")
    return name, accounts


def _digest(name: str, email: str, key: str | None = None) -> str:
    return salted_hmac(_SALT, f"{name} {folded_address(email)}", secret=key, algorithm="sha256").hexdigest()[:16]
