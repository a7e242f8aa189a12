"""Sockets of signed-in viewers close when their session, account or password is no longer valid; one query checks."""

from functools import partial

import pytest
from django.contrib.auth.hashers import make_password
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from apps.accounts.actors import OPERATOR, Viewer
from apps.accounts.models import AuthSession, User
from apps.accounts.selectors.sessions import account_sessions_get
from apps.accounts.services.profile import password_set, profile_update
from apps.accounts.services.roles import account_deactivate, admin_grant, admin_revoke
from apps.accounts.services.sessions import session_end
from apps.accounts.session_store import SessionStore
from apps.core.buckets import Rate
from apps.core.threads import in_thread
from components.routes import Access
from project.limits.rates import COMMANDS, RESTART, SIGNED_OUT, TOO_MANY
from project.process.web_process import process
from tests.factories import AdminFactory, MemberFactory, UserFactory
from tests.project.conftest import Table
from tests.project.moves import close_code, until
from tests.project.pages import Board, page_route
from tests.screen import Screen, open_page, session_cookie

pytestmark = pytest.mark.django_db(transaction=True)


def key_of(screen: Screen) -> str:
    return screen.cookie.partition("=")[2]


def end_session(user: User, key: str) -> None:
    session_end(session=SessionStore(key), account_id=user.pk)


async def test_sign_out_closes_only_the_windows_of_its_session(table: Table, board: Board) -> None:
    table(page_route(board, "/"))
    user = await in_thread(UserFactory)
    async with open_page("/", user=user) as here, open_page("/", user=user) as other, open_page("/") as anonymous:
        assert key_of(here) != key_of(other)
        await in_thread(lambda: end_session(user, key_of(here)))
        assert await close_code(here) == SIGNED_OUT
        await process.session_monitor._check(tuple(process.session_monitor.sockets))
        assert (other.closed, anonymous.closed) == (None, None)


def blocked(user: User, key: str) -> None:
    User.objects.filter(pk=user.pk).update(is_active=False)


def another_password(user: User, key: str) -> None:
    user.set_password("something else entirely")
    user.save()


def expired(user: User, key: str) -> None:
    AuthSession.objects.filter(pk=key).update(expire_date="2020-01-01T00:00Z")


def an_administrator(user: User, key: str) -> None:
    User.objects.filter(pk=user.pk).update(is_admin=True)


async def test_periodic_check_finds_unpublished_changes(table: Table, board: Board) -> None:
    table(page_route(board, "/mine", access=Access.SIGNED_IN))
    codes = {blocked: SIGNED_OUT, another_password: SIGNED_OUT, expired: SIGNED_OUT, an_administrator: RESTART}
    for change, code in codes.items():
        user = await in_thread(UserFactory)
        async with open_page("/mine", user=user) as screen:
            await process.session_monitor._check(tuple(process.session_monitor.sockets))
            assert screen.closed is None
            await in_thread(partial(change, user, key_of(screen)))
            await process.session_monitor._check(tuple(process.session_monitor.sockets))
            assert await close_code(screen) == code, change


async def test_account_has_a_limit_of_windows(table: Table, board: Board, monkeypatch) -> None:
    monkeypatch.setattr("project.limits.connections.SOCKETS_PER_ACCOUNT", 1)
    table(page_route(board, "/"))
    user = await in_thread(UserFactory)
    async with open_page("/", user=user) as first:
        second = Screen(first.cookie)
        with pytest.raises(AssertionError, match=f"closed with {TOO_MANY}"):
            await second.load("/")
        await second.leave()
        await first.leave()
        assert not process.connection_limits.accounts
        assert not process.session_monitor.sockets
        await second.load("/")
        await second.leave()


def test_one_query_reads_all_sessions() -> None:
    for count in (1, 3):
        users = [UserFactory() for _ in range(count)]
        keys = [(session_cookie(user).partition("=")[2], user.pk) for user in users]
        with CaptureQueriesContext(connection) as queries:
            sessions = account_sessions_get(keys=[*keys, ("unknown", users[0].pk), (keys[0][0], -1)])
        assert len(queries) == 1
        assert {session.viewer.username for session in sessions.values()} == {user.username for user in users}


async def test_flood_of_one_action_is_refused_with_a_sentence(table: Table, board: Board, monkeypatch) -> None:
    # No token returns during the test.
    monkeypatch.setattr("project.sockets.page_socket.COMMANDS", Rate(COMMANDS.burst, 0))
    table(page_route(board, "/"))
    async with open_page("/") as screen:
        for number in range(12):
            screen.act("note", str(number))
        screen.send('{"type":"ping"}')
        await screen._until(lambda: any(frame["type"] == "pong" for frame in screen.frames), "no pong")
        notices = [frame["text"] for frame in screen.frames if frame["type"] == "notice"]
        assert notices == ["That was a little fast. Please try again in a moment."] * 2
        await until(lambda: len(board.pressed) == COMMANDS.burst)  # after it has a layout of its own
        assert screen.closed is None


async def test_open_page_keeps_its_session_alive(table: Table, board: Board) -> None:
    table(page_route(board, "/"))
    user = await in_thread(UserFactory)

    def rest() -> None:
        AuthSession.objects.update(seen_at="2026-01-01T00:00Z")

    def resting() -> int:
        return AuthSession.objects.filter(seen_at="2026-01-01T00:00Z").count()

    async with open_page("/", user=user), open_page("/", user=user):
        await in_thread(rest)
        assert await in_thread(resting) == 2
        await process.session_monitor._slide()
        assert await in_thread(resting) == 0
    await in_thread(rest)
    await process.session_monitor._slide()
    assert await in_thread(resting) == 2, "no window is open"


async def test_open_window_shows_a_changed_username(table: Table, board: Board) -> None:
    table(page_route(board, "/mine", access=Access.SIGNED_IN, topics=("mine",)))
    user = await in_thread(lambda: UserFactory(username="una_corda"))
    async with open_page("/mine", user=user) as screen:
        await screen.until("una_corda")
        actor = Viewer(user.pk)
        await in_thread(lambda: profile_update(actor=actor, username="due_corde", avatar_url=""))
        await process.session_monitor._check((user.pk,))
        process.bus.notify_listeners("mine")
        await screen.until("due_corde")
        assert screen.closed is None


async def test_changed_rights_close_open_windows_at_once(table: Table, board: Board) -> None:
    table(page_route(board, "/mine", access=Access.SIGNED_IN))
    await in_thread(AdminFactory)  # the last administrator cannot lose the right
    for service, code in {admin_grant: RESTART, admin_revoke: RESTART, account_deactivate: SIGNED_OUT}.items():
        user = await in_thread(partial(MemberFactory, is_admin=service is admin_revoke))
        async with open_page("/mine", user=user) as screen:
            await in_thread(partial(service, actor=OPERATOR, account_id=user.pk))
            assert await close_code(screen) == code, service


async def test_new_session_key_reloads_its_windows_and_closes_the_others(table: Table, board: Board) -> None:
    table(page_route(board, "/mine", access=Access.SIGNED_IN))
    user = await in_thread(UserFactory)

    def another_key(key: str, handle: str) -> str:
        with transaction.atomic():
            password_set(account_id=user.pk, encoded=make_password("something else entirely"), keep=handle)
            store = SessionStore(key)
            store.cycle_key()
        return str(store.session_key)

    async with open_page("/mine", user=user) as here, open_page("/mine", user=user) as other:
        [own] = [
            each.account_session
            for each in process.session_monitor.sockets[user.pk]
            if each.account_session.key == key_of(here)
        ]
        await in_thread(lambda: another_key(key_of(here), own.viewer.session))
        assert await close_code(here) == RESTART
        assert await close_code(other) == SIGNED_OUT
