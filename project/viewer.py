"""Who is there: session and account by cookie, no query at all for strangers."""

from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.sessions.backends.db import SessionStore

from apps.accounts.actors import Viewer
from apps.accounts.selectors import NOBODY, Seat, seat_of
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


def session_seat(key: str) -> Seat:
    """Who sits in this session, checked against the account's password hash; NOBODY for everybody else."""
    user = get_user(_Bearer(SessionStore(key)))  # type: ignore[arg-type]  # it reads nothing but the session
    return seat_of(key=key, user=user) if isinstance(user, AbstractBaseUser) else NOBODY


async def seat_by(headers: Headers) -> Seat:
    """Who sits behind these headers."""
    key = session_key(headers)
    return await in_thread(lambda: session_seat(key)) if key else NOBODY


async def viewer_of(headers: Headers) -> Viewer:
    """The viewer of these headers."""
    return (await seat_by(headers)).viewer
