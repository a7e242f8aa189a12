"""A visit: what a page view, a poll, a socket or a posted command tells about the page and the viewer, parsed once."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import unquote

from django.conf import settings
from django.http import HttpRequest
from django.middleware.csrf import CSRF_SECRET_LENGTH

from apps.accounts.actors import ANONYMOUS, Viewer
from apps.core.observability import address_key

BROTLI, GZIP = "br", "gzip"  # the codings of compressed answers, which are suffixes of their ETags too
POLL = re.compile(r"[?&]parts=1(?:&half=(?P<half>[^&]*))?(?:&versions=(?P<versions>[^&]*))?$")


@dataclass(frozen=True, slots=True)
class Poll:
    """What the browser of an open page holds: the version of its client, and versions of parts, as sent.

    Most polls are answered without the versions, so they are decoded on demand.
    """

    half: str
    held: str

    @property
    def versions(self) -> Mapping[str, str]:
        """The versions that the browser holds, by key."""
        return versions_of(unquote(self.held))


@dataclass(frozen=True, slots=True)
class Visit:
    """One request for the page at `address`, or from it. `viewer` is anonymous until the session has been read."""

    address: str  # path and query, without those of a poll
    language: str
    viewer: Viewer = ANONYMOUS
    session_key: str = ""  # the session cookie
    csrf_secret: str = ""  # of the CSRF cookie, if Django accepts it
    client: str = ""  # key of rate limits, empty if unknown
    coding: str = ""  # the best compression that the browser accepts: BROTLI, which allows gzip too, GZIP, or none
    known_tags: str = ""  # the header If-None-Match
    poll: Poll | None = None

    @classmethod
    def of(cls, scope: Mapping[str, Any]) -> "Visit":
        """Return the visit of an ASGI scope: of a page view or a poll, or of a socket, whose page is not known yet."""
        path = scope["path"]
        if query := scope["query_string"].decode("ascii", "replace"):
            path += f"?{query}"
        polled = POLL.search(path)
        headers = dict(scope["headers"])
        cookies = b"; ".join(value for name, value in scope["headers"] if name == b"cookie")
        session_key, csrf_secret = _cookies(cookies)
        accepted = headers.get(b"accept-encoding", b"")
        return cls(
            path[: polled.start()] if polled else path,
            language_of(path),
            session_key=session_key,
            csrf_secret=csrf_secret,
            client=address_key(scope.get("client")),
            coding=(BROTLI if accepts(accepted, b"br") else GZIP) if accepts(accepted, b"gzip") else "",
            known_tags=headers.get(b"if-none-match", b"").decode("latin1"),
            poll=Poll(polled["half"] or "", polled["versions"] or "") if polled else None,
        )


def _cookies(header: bytes) -> tuple[str, str]:
    """Return the session key and the CSRF secret; each is empty if there is none, or if the header is malformed."""
    names = settings.SESSION_COOKIE_NAME, settings.CSRF_COOKIE_NAME
    if not any(name.encode() in header for name in names):
        return "", ""
    try:
        cookies = SimpleCookie(header.decode("latin1"))
    except CookieError:
        return "", ""
    key, secret = (cookies[name].value if name in cookies else "" for name in names)
    is_accepted = len(secret) == CSRF_SECRET_LENGTH and secret.isascii() and secret.isalnum()
    return key, secret if is_accepted else ""


def accepts(value: bytes, coding: bytes) -> bool:
    """Whether an Accept-Encoding allows this coding; an entry of its name overrides `*`."""
    accepted = dict(_coding(part) for part in value.lower().split(b","))
    return accepted.get(coding, accepted.get(b"*", False))


def _coding(part: bytes) -> tuple[bytes, bool]:
    """Return a coding's name, and whether its quality is above zero."""
    name, _, quality = part.replace(b" ", b"").replace(b"\t", b"").partition(b";")
    return name, quality.rstrip(b"0") not in {b"q=", b"q=0.", b"q=."}


def versions_of(text: str) -> dict[str, str]:
    """Return the versions of parts, by key, from the form `key~version,…`."""
    return dict(pair.rsplit("~", 1) for pair in text.split(",") if "~" in pair)


def language_of(_address: str) -> str:
    """Return the language of the page at this address: the site has only one."""
    return str(settings.LANGUAGE_CODE)


def request_language(request: HttpRequest) -> str:
    """Return the language for a Django request."""
    return language_of(request.path)
