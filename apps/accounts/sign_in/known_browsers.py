"""Known browsers: a signed cookie lists the accounts that have signed in with a browser.

Known browsers have their own rate limit, so that guesses from other browsers cannot lock out the owner.
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
    """Return the browser's id if this address has signed in with it, or an empty text."""
    name, accounts = _read(request)
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    return name if any(_digest(name, email, key) in accounts for key in keys) else ""


def browser_remember(request: HttpRequest, response: HttpResponse, email: str) -> None:
    """Add this address to the browser's cookie, which contains only digests."""
    name, accounts = _read(request)
    name = name or secrets.token_hex(8)
    digests = [_digest(name, email), *(known for known in accounts if known != _digest(name, email))][:KNOWN_ACCOUNTS]
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
    """Let the browser delete the data that scripts stored, such as drafts.

    The cache is kept: it contains no pages of signed-in users, and static files would be fetched again. Cookies are
    kept too: known browsers need theirs, and the session's cookie is deleted by name.
    """
    response["Clear-Site-Data"] = '"storage"'


def _read(request: HttpRequest) -> tuple[str, Sequence[str]]:
    value = request.get_signed_cookie(settings.BROWSER_COOKIE_NAME, default="", salt=_SALT, max_age=KNOWN_FOR)
    name, *accounts = (value or "").split(".")
    return name, accounts


def _digest(name: str, email: str, key: str | None = None) -> str:
    return salted_hmac(_SALT, f"{name} {folded_address(email)}", secret=key, algorithm="sha256").hexdigest()[:16]
