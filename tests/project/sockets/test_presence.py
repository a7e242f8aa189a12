"""Sockets of form pages: they render nothing, and close when the viewer signs out or has other rights."""

import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from html import unescape
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.contrib.auth.hashers import make_password

from apps.accounts.actors import ANONYMOUS, OPERATOR, Viewer
from apps.accounts.models import AuthSession
from apps.accounts.selectors.sessions import viewer_get
from apps.accounts.services.profile import password_set
from apps.accounts.services.roles import account_deactivate, admin_grant, admin_revoke
from apps.accounts.services.sessions import session_end
from apps.accounts.session_store import SessionStore
from apps.core.threads import in_thread
from project.http.middleware import NOTHING, viewer_state
from project.limits.rates import RESTART, SIGNED_OUT
from project.process.web_process import process
from tests.factories import AdminFactory, MemberFactory, UserFactory
from tests.project.plain_browser import PlainBrowser
from tests.screen import SECONDS, Screen
from tests.serving import serving, session_cookie

pytestmark = pytest.mark.django_db(transaction=True)
PLACE = "/profile/two-factor"
PRESENCE = re.compile(r'data-presence="([^"]*)"')


@asynccontextmanager
async def beside(user: Any, stood: str) -> AsyncIterator[Screen]:
    """Open the socket of a form page in a session of this account; `stood` is the viewer state in the page."""
    cookie = await in_thread(lambda: session_cookie(user)) if user else ""
    async with serving():
        screen = Screen(cookie)
        try:
            await screen._connect(PLACE, [(b"cookie", cookie.encode())], viewer_state=stood)
            yield screen
        finally:
            await screen.leave()


async def closed(screen: Screen) -> int:
    """Wait until the server closes this window's socket, and return the close code."""
    with pytest.raises(AssertionError, match="the socket was closed"):
        await screen._until(lambda: False, "it stays", SECONDS)
    assert screen.closed is not None
    return screen.closed


async def refused(user: Any, stood: str) -> int:
    """Return the close code of a socket that is opened with this viewer state."""
    with pytest.raises(AssertionError, match="the socket was closed") as found:
        async with beside(user, stood):
            pass
    return int(str(found.value).rpartition(" ")[2])


async def made(**more: Any) -> Any:
    """Return a new account."""
    return await in_thread(lambda: MemberFactory(**more))


async def stood(user: Any) -> str:
    """Return the viewer state of a page that is rendered for this account now."""
    return await in_thread(lambda: viewer_state(viewer_get(user_id=user.id)))


def test_a_page_of_forms_says_what_it_was_made_for() -> None:
    user = UserFactory(is_admin=True)
    plain_browser = PlainBrowser()
    assert not PRESENCE.search(plain_browser.get("/login").html)
    assert "presence.js" not in plain_browser.get("/login").html
    plain_browser.client.force_login(user)
    seen = plain_browser.get(PLACE).html
    [address] = [urlsplit(unescape(each)) for each in PRESENCE.findall(seen)]
    assert (address.path, parse_qs(address.query)) == (
        "/live/",
        {"viewer_state": [viewer_state(viewer_get(user_id=user.pk))]},
    )
    assert '<script type="module" src="/static/build/presence.js"></script>' in seen
    assert "client.js" not in seen


def test_drafts_end_on_pages_of_forms_too() -> None:
    user, script = UserFactory(), "build/draft-expiry.js"
    plain_browser = PlainBrowser()
    seen = plain_browser.get("/login").html
    assert script in seen
    assert "data-account" not in seen
    plain_browser.client.force_login(user)
    seen = plain_browser.get(PLACE).html
    assert script in seen
    assert f'data-account="{user.pk}"' in seen


def test_a_wrong_form_says_it_too() -> None:
    plain_browser = PlainBrowser()
    plain_browser.client.force_login(UserFactory())
    assert PRESENCE.search(plain_browser.post("/reauthenticate", password="wrong").html)


@pytest.mark.parametrize(
    ("viewer", "words"),
    [
        (ANONYMOUS, ""),
        (Viewer(id=4), "4-00"),
        (Viewer(id=4, is_admin=True), "4-10"),
        (Viewer(id=4, lacks_factor=True), "4-01"),
        (Viewer(id=4, username="ewa", session="a"), "4-00"),
    ],
)
def test_what_decides_is_who_looks_and_what_they_may_do(viewer: Viewer, words: str) -> None:
    assert viewer_state(viewer) == words


async def test_its_socket_shows_nothing_and_takes_nothing() -> None:
    user = await made()
    async with beside(user, await stood(user)) as screen:
        screen.send('{"type":"layout-event","target":"0:onNavigate","data":[{"path":"/","versions":{},"number":1}]}')
        screen.send('{"type":"part-request","key":"home_news:en"}')
        screen.send('{"type":"ping"}')
        await screen._until(lambda: {"type": "pong"} in screen.frames, "no answer", SECONDS)
        assert screen.frames == [NOTHING, {"type": "pong"}]
        assert not process.parts.live


async def signed_out(user: Any, screen: Screen) -> None:
    key = screen.cookie.partition("=")[2]
    await in_thread(lambda: session_end(session=SessionStore(key), account_id=user.id))


CHANGES: dict[str, Callable[[Any], object]] = {
    "another password": lambda user: password_set(account_id=user.id, encoded=make_password("something new")),
    "closed": lambda user: account_deactivate(actor=OPERATOR, account_id=user.id),
}


@pytest.mark.parametrize("change", CHANGES)
async def test_whoever_is_signed_out_is_told_at_once(change: str) -> None:
    user = await made()
    async with beside(user, await stood(user)) as screen:
        await in_thread(partial(CHANGES[change], user))
        assert await closed(screen) == SIGNED_OUT


async def test_whoever_signs_out_elsewhere_is_told_at_once() -> None:
    user = await made()
    async with beside(user, await stood(user)) as screen:
        await signed_out(user, screen)
        assert await closed(screen) == SIGNED_OUT
    assert not await in_thread(AuthSession.objects.exists)


@pytest.mark.parametrize("is_admin", [True, False])
async def test_with_other_rights_it_comes_back_and_is_sent_for_the_page(is_admin: bool) -> None:
    await in_thread(AdminFactory)  # the last administrator cannot be revoked
    user = await made(is_admin=is_admin)
    before = await stood(user)
    async with beside(user, before) as screen:
        change = admin_revoke if is_admin else admin_grant
        await in_thread(lambda: change(actor=OPERATOR, account_id=user.id))
        assert await closed(screen) == RESTART
    assert await refused(user, before) == SIGNED_OUT
    async with beside(user, await stood(user)) as screen:
        assert screen.frames == [NOTHING]


async def test_a_page_of_somebody_else_or_of_nobody_any_more_is_sent_for() -> None:
    user, other = await made(), await made()
    assert await refused(other, await stood(user)) == SIGNED_OUT
    assert await refused(None, await stood(user)) == SIGNED_OUT
