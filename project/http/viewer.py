"""The viewer of a visit, read by its session key; without a query for anonymous visitors."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any

from django.contrib.auth import get_user
from django.contrib.auth.base_user import AbstractBaseUser
from django.db import Error
from psycopg_pool import PoolTimeout

from apps.accounts.selectors.sessions import NO_SESSION, AccountSession, account_session_of
from apps.accounts.services.sessions import sessions_slide
from apps.accounts.session_store import SessionStore
from apps.core.observability import identify
from apps.core.threads import in_thread
from project.visit import Visit

log = logging.getLogger(__name__)
Pause = Callable[[float], Awaitable[None]]
RETRIES = 5
RETRY_AFTER = 0.3  # seconds
PATIENCE = 3.0  # seconds after which no retry starts, because the browser waits for the page


@dataclass
class _Bearer:
    """The object that Django's `get_user` expects."""

    session: Any


class _Session(SessionStore):
    """A session that is read where no cookie can be set, and therefore keeps its key.

    Django gives a session that was signed with a fallback of SECRET_KEY a new key. Its browser would be signed out
    here.
    """

    key_salt = SessionStore().key_salt  # the signature depends on the class's name

    def cycle_key(self) -> None:
        """Keep the key: the next form cycles it, and its response sets the cookie."""


def account_session_read(key: str) -> AccountSession:
    """Return the account of this session, checked against its password hash. Returns NO_SESSION if there is none.

    One query, and one more for administrators who must have a second factor.
    """
    session = _Session(key)
    user = session.account_verified() or get_user(_Bearer(session))  # type: ignore[arg-type]  # it reads only the session
    if not isinstance(user, AbstractBaseUser):
        return NO_SESSION
    if session.is_idle:
        sessions_slide(keys=[key])
    return account_session_of(key=key, user=user, session=str(session.handle or ""))


async def session_by_key(key: str, *, pause: Pause = asyncio.sleep) -> AccountSession:
    """Return the session with this key and its account; NO_SESSION for an empty key.

    A failed read is repeated up to RETRIES times, RETRY_AFTER seconds apart, for at most PATIENCE seconds. Then the
    failure is logged, and the page shows without a profile and without rights. Raises the database's error if its pool
    has no connection: the page then reports the outage.
    """
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
    raise AssertionError  # the last iteration returns


async def identified(visit: Visit) -> Visit:
    """Return the visit with the viewer of its session."""
    session = await session_by_key(visit.session_key)
    identify(session.viewer.id)
    return replace(visit, viewer=session.viewer)
