"""Sockets of form pages: they render no page, and close when the viewer signs out or has other rights."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from html import unescape
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from apps.accounts.actors import ANONYMOUS, OPERATOR, Viewer
from apps.accounts.models import AuthSession
from apps.accounts.selectors.sessions import viewer_get
from apps.accounts.services.roles import admin_grant, admin_revoke
from apps.accounts.services.sessions import session_end
from apps.accounts.session_store import SessionStore
from apps.core.threads import in_thread
from project.http.middleware import NOTHING, viewer_state
from project.limits.rates import RESTART, SIGNED_OUT
from project.process.web_process import process
from tests.factories import AdminFactory, MemberFactory, UserFactory
from tests.project.moves import close_code
from tests.project.plain_browser import PlainBrowser
from tests.screen import SECONDS, Screen
from tests.serving import serving, session_cookie

pytestmark = pytest.mark.django_db(transaction=True)
PLACE = "/profile/two-factor"
PRESENCE = re.compile(r'data-presence="([^"]*)"')


@asynccontextmanager
async def presence(user: Any, state: str) -> AsyncIterator[Screen]:
    """Open the socket of a form page in a session of this account; `state` is the viewer state in the page."""
    cookie = await in_thread(lambda: session_cookie(user)) if user else ""
    async with serving():
        screen = Screen(cookie)
        try:
            await screen._connect(PLACE, [(b"cookie", cookie.encode())], viewer_state=state)
            yield screen
        finally:
            await screen.leave()


async def refused(user: Any, state: str) -> int:
    """Return the close code of a socket that is opened with this viewer state."""
    with pytest.raises(AssertionError, match="the socket was closed") as closing:
        async with presence(user, state):
            pass
    return int(str(closing.value).rpartition(" ")[2])


async def made(**more: Any) -> Any:
    return await in_thread(lambda: MemberFactory(**more))


async def state_of(user: Any) -> str:
    """Return the viewer state of a page that is rendered for this account now."""
    return await in_thread(lambda: viewer_state(viewer_get(user_id=user.id)))


def test_form_page_names_its_viewer_state() -> None:
    user = UserFactory(is_admin=True)
    browser = PlainBrowser()
    assert not PRESENCE.search(browser.get("/login").html)
    assert "presence.js" not in browser.get("/login").html
    browser.client.force_login(user)
    page = browser.get(PLACE).html
    [address] = [urlsplit(unescape(each)) for each in PRESENCE.findall(page)]
    assert address.path == "/live/"
    assert parse_qs(address.query) == {"viewer_state": [viewer_state(viewer_get(user_id=user.pk))]}
    assert '<script type="module" src="/static/build/presence.js"></script>' in page
    assert "client.js" not in page
    assert PRESENCE.search(browser.post("/reauthenticate", password="wrong").html), "also after an error"


def test_form_pages_expire_drafts() -> None:
    user, script, browser = UserFactory(), "build/draft-expiry.js", PlainBrowser()
    page = browser.get("/login").html
    assert script in page
    assert "data-account" not in page
    browser.client.force_login(user)
    page = browser.get(PLACE).html
    assert script in page
    assert f'data-account="{user.pk}"' in page


def test_viewer_state_is_the_account_and_its_rights() -> None:
    assert {
        viewer_state(ANONYMOUS): "",
        viewer_state(Viewer(id=4)): "4-00",
        viewer_state(Viewer(id=4, is_admin=True)): "4-10",
        viewer_state(Viewer(id=4, lacks_factor=True)): "4-01",
        viewer_state(Viewer(id=5, username="ewa", session="a")): "5-00",
    } == {state: state for state in ("", "4-00", "4-10", "4-01", "5-00")}


async def test_socket_of_a_form_page_renders_no_page_and_ignores_events() -> None:
    user = await made()
    async with presence(user, await state_of(user)) as screen:
        screen.send('{"type":"layout-event","target":"0:onNavigate","data":[{"path":"/","versions":{},"number":1}]}')
        screen.send('{"type":"part-request","key":"home_news:en"}')
        screen.send('{"type":"ping"}')
        await screen._until(lambda: {"type": "pong"} in screen.frames, "no answer", SECONDS)
        assert screen.frames == [NOTHING, {"type": "pong"}]
        assert not process.parts.live


async def test_ended_session_closes_the_socket() -> None:
    user = await made()
    async with presence(user, await state_of(user)) as screen:
        key = screen.cookie.partition("=")[2]
        await in_thread(lambda: session_end(session=SessionStore(key), account_id=user.id))
        assert await close_code(screen) == SIGNED_OUT
    assert not await in_thread(AuthSession.objects.exists)


@pytest.mark.parametrize("is_admin", [True, False])
async def test_changed_rights_restart_the_socket_and_reload_the_page(is_admin: bool) -> None:
    await in_thread(AdminFactory)  # the last administrator cannot be revoked
    user = await made(is_admin=is_admin)
    before = await state_of(user)
    async with presence(user, before) as screen:
        change = admin_revoke if is_admin else admin_grant
        await in_thread(lambda: change(actor=OPERATOR, account_id=user.id))
        assert await close_code(screen) == RESTART
    assert await refused(user, before) == SIGNED_OUT
    async with presence(user, await state_of(user)) as screen:
        assert screen.frames == [NOTHING]


async def test_page_of_another_or_signed_out_viewer_is_reloaded() -> None:
    user, other = await made(), await made()
    assert await refused(other, await state_of(user)) == SIGNED_OUT
    assert await refused(None, await state_of(user)) == SIGNED_OUT
