"""Tokens against forged posts, for pages that do not pass Django's middleware; its own check reads them."""

from functools import cached_property
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import CSRF_SECRET_LENGTH, get_token

from project.http.viewer import Headers, cookie_of


def secret_of(headers: Headers) -> str:
    """Return the secret in the browser's cookie, or an empty text when there is none that Django would take."""
    secret = cookie_of(headers, settings.CSRF_COOKIE_NAME)
    return secret if len(secret) == CSRF_SECRET_LENGTH and secret.isascii() and secret.isalnum() else ""


def csrf_token(secret: str) -> tuple[str, str]:
    """Return a token to post, masked anew each time, and the secret behind it: a new one where there is none."""
    request = HttpRequest()
    if secret:
        request.META["CSRF_COOKIE"] = secret
    token = get_token(request)
    return token, str(request.META["CSRF_COOKIE"])


def csrf_cookie(secret: str) -> str:
    """Return the header's value that gives the browser this secret, as Django's middleware would."""
    response = HttpResponse()
    response.set_cookie(
        settings.CSRF_COOKIE_NAME,
        secret,
        max_age=settings.CSRF_COOKIE_AGE,
        path=settings.CSRF_COOKIE_PATH,
        secure=settings.CSRF_COOKIE_SECURE,
        httponly=settings.CSRF_COOKIE_HTTPONLY,
        samesite="Lax",
    )
    return response.cookies[settings.CSRF_COOKIE_NAME].OutputString()


class CsrfTokens:
    """A socket whose page may show plain forms; few pages do, so a token is made for those only."""

    scope: dict[str, Any]

    @cached_property
    def token(self) -> str:
        """What this viewer's plain forms post."""
        return csrf_token(secret_of(self.scope["headers"]))[0]
