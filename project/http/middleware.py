"""Security headers, CSRF tokens, and the handshake of sockets."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import cache
from http import HTTPStatus
from typing import Any, cast
from urllib.parse import parse_qs, urlsplit

from asgiref.sync import iscoroutinefunction
from django.conf import settings
from django.contrib.messages.storage.cookie import CookieStorage
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.utils.decorators import sync_and_async_middleware

from apps.accounts.actors import Viewer
from components.runtime.page import Page
from components.runtime.rendering.browser_half import is_outdated
from components.runtime.rendering.document import import_map_hash
from project.visit import versions_of

PLAYER = "https://www.youtube-nocookie.com"
PUBLIC = "public, max-age=0, s-maxage=2, must-revalidate"  # a proxy may serve anonymous visitors for 2 s
PERSONAL = "no-store"
REFERRER, NO_REFERRER = "Referrer-Policy", "no-referrer"  # the stricter policy of views with a secret in their address


def page_headers(caching: str) -> dict[str, str]:
    """Return the headers of a page view, by name. `caching` is PUBLIC or PERSONAL."""
    return {"Cache-Control": caching, "Vary": "Cookie, Accept-Encoding", **security_headers()}


@cache
def security_headers() -> dict[str, str]:
    """Return the security headers of every response, by name.

    The policy has no nonce, because a nonce excludes cached pages and 304 responses. The referrer policy is the
    strictest one with which YouTube's player works.
    """
    public = urlsplit(settings.PUBLIC_URL)
    socket = f"{'wss' if public.scheme == 'https' else 'ws'}://{public.netloc}"
    policy = "; ".join(
        [
            "default-src 'none'",
            f"script-src 'self' '{import_map_hash()}'",
            "style-src 'self'",
            "font-src 'self'",
            "img-src 'self' https:",
            f"connect-src 'self' {socket}",
            "manifest-src 'self'",
            "worker-src 'self'",
            f"frame-src {PLAYER}",
            f"form-action 'self' {settings.GOOGLE.origin}" if settings.GOOGLE.is_there else "form-action 'self'",
            "base-uri 'none'",
            "object-src 'none'",
            "frame-ancestors 'none'",
        ]
    )
    headers = {
        "Content-Security-Policy": policy,
        REFERRER: "strict-origin-when-cross-origin",
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    }
    if public.scheme == "https":
        headers["Strict-Transport-Security"] = "max-age=63072000; includeSubDomains"
    return headers


def public_origin() -> str:
    """Return the only origin from which a socket may be opened: scheme, host and port."""
    public = urlsplit(settings.PUBLIC_URL)
    return f"{public.scheme}://{public.netloc}"


Answer = Callable[[HttpRequest], HttpResponse]
AsyncAnswer = Callable[[HttpRequest], Awaitable[HttpResponse]]


@sync_and_async_middleware
def security_middleware(get_response: Answer | AsyncAnswer) -> Answer | AsyncAnswer:
    """Put the security headers on every response, errors included. Adds a screen's status and Refresh header."""
    if iscoroutinefunction(get_response):

        async def answer(request: HttpRequest) -> HttpResponse:
            return _with_headers(request, await cast("AsyncAnswer", get_response)(request))

        return answer
    return lambda request: _with_headers(request, cast("Answer", get_response)(request))


def _with_headers(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    for name, value in security_headers().items():
        if name != REFERRER or response.headers.get(name) != NO_REFERRER:
            response.headers[name] = value
    if "public" not in response.headers.get("Cache-Control", ""):
        response.headers["Cache-Control"] = "no-store"
    page: Page | None = getattr(request, "page_shown", None)
    if page is not None:
        if response.status_code == HTTPStatus.OK:
            response.status_code = page.status
        if page.refresh is not None:
            response.headers["Refresh"] = f"{page.refresh.seconds}; url={page.refresh.to}"
    return response


def csrf_token(secret: str) -> tuple[str, str]:
    """Return a freshly masked CSRF token and its secret. Creates a secret if `secret` is empty."""
    request = HttpRequest()
    if secret:
        request.META["CSRF_COOKIE"] = secret
    token = get_token(request)
    return token, str(request.META["CSRF_COOKIE"])


def csrf_cookie(secret: str) -> str:
    """Return the Set-Cookie value for this secret, as Django's middleware would."""
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


SOCKET = "parterre.socket"  # extension of an ASGI scope that holds the server's side of the socket
PROTOCOL = "3"  # version of the frames; a browser with another one is refused, and reloads its page later
# The layout of a form page's socket: empty.
NOTHING: dict[str, Any] = {"type": "layout-update", "path": "", "model": {"tagName": ""}}


@dataclass(frozen=True, slots=True)
class Handshake:
    """The query parameters of a socket. Form pages send `viewer_state`, and only watch it for changes."""

    is_understood: bool  # whether the browser uses this version of the protocol
    is_outdated: bool  # whether the browser's script is of an older version
    path: str  # including the query
    versions: Mapping[str, str]  # versions of parts in the browser, by key
    is_reconnect: bool  # whether this window has lost a socket before
    viewer_state: str

    @classmethod
    def of(cls, query_string: bytes) -> "Handshake":
        """Return the handshake in the query string of a socket's URL."""
        values = {name: items[0] for name, items in parse_qs(query_string.decode("ascii", "replace")).items()}
        return cls(
            is_understood=values.get("protocol", PROTOCOL) == PROTOCOL,
            is_outdated=is_outdated(values.get("half", "")),
            path=values.get("path", "/") + values.get("query", ""),
            versions=versions_of(values.get("versions", "")),
            is_reconnect=values.get("attempt", "0") != "0",
            viewer_state=values.get("viewer_state", ""),
        )


def viewer_state(viewer: Viewer) -> str:
    """Return the viewer and their rights as a text, which a form page's socket sends back; empty if anonymous."""
    return f"{viewer.id}-{viewer.is_admin:d}{viewer.lacks_factor:d}" if viewer.is_signed_in else ""


class MessageStorage(CookieStorage):
    """Django's cookie storage with a `__Host-` cookie name on a public site, so that only this host can set it."""

    cookie_name = settings.MESSAGE_COOKIE_NAME
