"""What a web process holds, for tests that run inside one: the bus, the parts, sessions."""

import asyncio
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from allauth.account.internal.flows.login import AUTHENTICATION_METHODS_SESSION_KEY
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY, get_user_model

from apps.accounts.session_store import RECORDS_OF, SessionStore
from project.http.page_cache import page_cache
from project.process import web_process
from project.process.web_process import process
from project.sockets.open_page import anonymous_pages

SECONDS = 20.0


def session_cookie(user: Any, *, signed_in: float = 0.0) -> str:
    """The cookie of a new session of this account (a user or a viewer), which signed in so many seconds ago."""
    account = get_user_model().objects.get(pk=user.id)
    store = SessionStore()
    store[SESSION_KEY] = str(account.pk)
    store[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    store[HASH_SESSION_KEY] = account.get_session_auth_hash()
    store[AUTHENTICATION_METHODS_SESSION_KEY] = [{"method": "password", "at": time.time() - signed_in}]
    store[RECORDS_OF] = str(account.pk)
    store.create()
    return f"{settings.SESSION_COOKIE_NAME}={store.session_key}"


async def _rest(_parameters: Mapping[str, str]) -> None:
    """Compute no ranking: tests that need one compute it themselves."""


_open = 0


@asynccontextmanager
async def serving() -> AsyncIterator[None]:
    """What a web process holds, on this test's loop and database: one for all screens of a test."""
    global _open  # noqa: PLW0603 - the process under test is one as well
    if _open == 0:
        process.__init__()  # each test has a loop of its own
        web_process._running.clear()
        page_cache.entries.clear()
        anonymous_pages.clear()
        process.ranking_worker.run = _rest  # type: ignore[method-assign]  # its process would count the site's own database
        process.start()
    _open += 1
    try:
        await asyncio.wait_for(process.bus.connected.wait(), SECONDS)
        yield
    finally:
        _open -= 1
        if _open == 0:
            await process.stop()
