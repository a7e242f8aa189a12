"""The viewer of a request: session and account by cookie, without a query for strangers."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user
from django.contrib.auth.base_user import AbstractBaseUser
from django.db import Error
from psycopg_pool import PoolTimeout

from apps.accounts.actors import Viewer
from apps.accounts.selectors.sessions import NO_SESSION, AccountSession, account_session_of
from apps.accounts.services.sessions import sessions_slide
from apps.accounts.session_store import SessionStore
from apps.core.threads import in_thread

log = logging.getLogger(__name__)
Headers = list[tuple[bytes, bytes]]
Pause = Callable[[float], Awaitable[None]]
RETRIES = 5
RETRY_AFTER = 0.3  # seconds
PATIENCE = 3.0  # seconds after which no new try begins: somebody waits for the page


@dataclass
class _Bearer:
    """The shape that Django's `get_user` asks for."""

    session: Any


def cookie_of(headers: Headers, name: str) -> str:
    """Return the cookie of this name in an ASGI scope's headers, or an empty text."""
    for header, value in headers:
        if header == b"cookie" and name.encode() in value:
            try:
                morsel = SimpleCookie(value.decode("latin1")).get(name)
            except CookieError:
                return ""
            return morsel.value if morsel else ""
    return ""


def session_key(headers: Headers) -> str:
    """Return the session cookie of an ASGI scope's headers, or an empty text."""
    return cookie_of(headers, settings.SESSION_COOKIE_NAME)


class _Session(SessionStore):
    """A session that is read where no cookie can be set: it keeps its key.

    Django gives a session that only a fallback of SECRET_KEY proves another key; its browser would be signed out.
    """

    key_salt = SessionStore().key_salt  # signed by the class's name

    def cycle_key(self) -> None:
        """Leave that to the next form, whose answer brings the cookie."""


def account_session_read(key: str) -> AccountSession:
    """Return the account of this session, checked against its password hash; NO_SESSION for everybody else."""
    session = _Session(key)
    user = get_user(_Bearer(session))  # type: ignore[arg-type]  # it reads nothing but the session
    if not isinstance(user, AbstractBaseUser):
        return NO_SESSION
    if session.is_idle:
        sessions_slide(keys=[key])
    return account_session_of(key=key, user=user, session=str(session.handle or ""))


async def session_by_headers(headers: Headers, *, pause: Pause = asyncio.sleep) -> AccountSession:
    """Return the session and account of these headers.

    A read that fails is tried again up to five times, 300 ms apart; then the page shows without a profile and without
    rights, and it is logged. Raises what the database says when it gives no connection at all: that is told plainly.
    """
    key = session_key(headers)
    if not key:
        return NO_SESSION
    begun = time.monotonic()
    for retries_left in range(RETRIES, -1, -1):
        try:
            return await in_thread(lambda: account_session_read(key))
        except Error as error:
            if isinstance(error.__cause__, PoolTimeout):
                raise
            if not retries_left or time.monotonic() - begun > PATIENCE:
                log.exception("profile could not be read; the page shows without it")
                return NO_SESSION
        await pause(RETRY_AFTER)
    raise AssertionError  # the last turn returns


async def viewer_of(headers: Headers) -> Viewer:
    """Return the viewer of these headers."""
    return (await session_by_headers(headers)).viewer
