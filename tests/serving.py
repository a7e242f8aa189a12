"""The state of a web process inside a test process: bus, live parts, workers and sessions."""

import asyncio
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

from allauth.account.internal.flows.login import AUTHENTICATION_METHODS_SESSION_KEY
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY, get_user_model
from django.http import HttpResponse

from apps.accounts.session_store import RECORDS_OF, SessionStore
from project.http.page_cache import page_cache
from project.http.page_view import answer
from project.process import web_process
from project.process.web_process import process
from project.sockets.open_page import anonymous_pages
from project.visit import Visit

SECONDS = 20.0


def session_cookie(user: Any, *, signed_in: float = 0.0) -> str:
    """Return the cookie of a new session of this account (a user or a viewer); it signed in `signed_in` seconds ago."""
    account = get_user_model().objects.get(pk=user.id)
    store = SessionStore()
    store[SESSION_KEY] = str(account.pk)
    store[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    store[HASH_SESSION_KEY] = account.get_session_auth_hash()
    store[AUTHENTICATION_METHODS_SESSION_KEY] = [{"method": "password", "at": time.time() - signed_in}]
    store[RECORDS_OF] = str(account.pk)
    store.create()
    return f"{settings.SESSION_COOKIE_NAME}={store.session_key}"


async def page_response(path: str, headers: Sequence[tuple[bytes, bytes]], **more: Any) -> HttpResponse:
    """Return the answer to a view of the page at `path` with these headers; `more` are further values of its visit."""
    path, _, query = path.partition("?")
    visit = Visit.of({"path": path, "query_string": query.encode(), "headers": headers})
    return await answer(replace(visit, **more))


async def _rest(_parameters: Mapping[str, str]) -> None:
    """Compute no ranking; tests that need one compute it themselves."""


_open = 0


@asynccontextmanager
async def serving() -> AsyncIterator[None]:
    """Run the web process's services on this test's event loop and database, once for all screens of a test."""
    global _open  # noqa: PLW0603 - the process under test is a singleton too
    if _open == 0:
        process.__init__()  # each test has its own event loop
        web_process._running.clear()
        page_cache.entries.clear()
        anonymous_pages.clear()
        process.ranking_worker.run = _rest  # type: ignore[method-assign]  # its subprocess would use the site's own database
        process.demo_worker.run = _rest  # type: ignore[method-assign]  # tests decide what happens
        process.start()
    _open += 1
    try:
        await asyncio.wait_for(process.bus.connected.wait(), SECONDS)
        yield
    finally:
        _open -= 1
        if _open == 0:
            await process.stop()
