"""Who is there: session and account by cookie, no query at all for strangers."""

from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user
from django.contrib.sessions.backends.db import SessionStore

from apps.accounts.actors import STRANGER, Viewer
from apps.accounts.selectors import viewer_get
from project.threads import in_thread

Headers = list[tuple[bytes, bytes]]


@dataclass
class _Bearer:
    """The shape that Django's `get_user` asks for."""

    session: Any


def session_key(headers: Headers) -> str:
    """The session cookie of an ASGI scope's headers, or an empty text."""
    for name, value in headers:
        if name == b"cookie" and settings.SESSION_COOKIE_NAME.encode() in value:
            try:
                morsel = SimpleCookie(value.decode("latin1")).get(settings.SESSION_COOKIE_NAME)
            except CookieError:
                return ""
            return morsel.value if morsel else ""
    return ""


def session_viewer(key: str) -> Viewer:
    """The viewer of this session, checked against the account's password hash; STRANGER for everybody else."""
    user = get_user(_Bearer(SessionStore(key)))  # type: ignore[arg-type]  # it reads nothing but the session
    return viewer_get(user_id=user.pk) if user.is_authenticated else STRANGER


async def viewer_of(headers: Headers) -> Viewer:
    """The viewer of these headers."""
    key = session_key(headers)
    return await in_thread(lambda: session_viewer(key)) if key else STRANGER
