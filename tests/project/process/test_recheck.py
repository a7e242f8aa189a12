"""Sockets of signed-in viewers close when their session, account or password is no longer valid; one query checks."""

import asyncio

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
from apps.core.events import publish
from apps.core.threads import in_thread
from components.routes import Access
from project.limits.rates import COMMANDS, RESTART, SIGNED_OUT, TOO_MANY
from project.process.web_process import process
from tests.factories import AdminFactory, MemberFactory, UserFactory
from tests.project.conftest import Table
from tests.project.moves import until
from tests.project.pages import Board, page_route
from tests.screen import SECONDS, Screen, open_page

pytestmark = pytest.mark.django_db(transaction=True)


async def closed(screen: Screen) -> int:
    """Return the code with which this socket is closed."""
    async with asyncio.timeout(SECONDS):
        while screen.closed is None:
            screen.changed.clear()
            await screen.changed.wait()
    return screen.closed


def key_of(screen: Screen) -> str:
    return screen.cookie.partition("=")[2]


def end_session(user: User, key: str) -> None:
    session_end(session=SessionStore(key), account_id=user.pk)


async def test_signing_out_closes_every_window_of_that_session_and_no_other(table: Table, board: Board) -> None:
    table(page_route(board, "/"))
    user = await in_thread(UserFactory)
    async with open_page("/", user=user) as here, open_page("/", user=user) as elsewhere, open_page("/") as stranger:
        assert key_of(here) != key_of(elsewhere)
        await in_thread(lambda: end_session(user, key_of(here)))
        assert await closed(here) == SIGNED_OUT
        await process.session_monitor._check(tuple(process.session_monitor.sockets))
        assert elsewhere.closed is None
        assert stranger.closed is None


def blocked(user: User, key: str) -> None:
    User.objects.filter(pk=user.pk).update(is_active=False)


def another_password(user: User, key: str) -> None:
    user.set_password("something else entirely")
    user.save()


def expired(user: User, key: str) -> None:
    AuthSession.objects.filter(pk=key).update(expire_date="2020-01-01T00:00Z")


def an_administrator(user: User, key: str) -> None:
    User.objects.filter(pk=user.pk).update(is_admin=True)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (blocked, SIGNED_OUT),
        (another_password, SIGNED_OUT),
        (expired, SIGNED_OUT),
        (an_administrator, RESTART),
    ],
)
async def test_the_next_look_finds_what_nobody_told(table: Table, board: Board, change, code: int) -> None:
    table(page_route(board, "/mine", access=Access.SIGNED_IN))
    user = await in_thread(UserFactory)
    async with open_page("/mine", user=user) as screen:
        await process.session_monitor._check(tuple(process.session_monitor.sockets))
        assert screen.closed is None
        await in_thread(lambda: change(user, key_of(screen)))
        await process.session_monitor._check(tuple(process.session_monitor.sockets))
        assert await closed(screen) == code


async def test_an_account_has_at_most_twenty_windows(table: Table, board: Board, monkeypatch) -> None:
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


@pytest.mark.parametrize("count", [1, 3])
def test_one_query_asks_after_everybody(count: int) -> None:
    from tests.screen import session_cookie

    users = [UserFactory() for _ in range(count)]
    keys = [(session_cookie(user).partition("=")[2], user.pk) for user in users]
    with CaptureQueriesContext(connection) as asked:
        seats = account_sessions_get(keys=[*keys, ("nobody's", users[0].pk), (keys[0][0], -1)])
    assert len(asked) == 1
    assert {seat.viewer.username for seat in seats.values()} == {user.username for user in users}


async def test_a_flood_of_one_action_is_refused_with_a_sentence(table: Table, board: Board, monkeypatch) -> None:
    monkeypatch.setattr(
        "project.sockets.page_socket.COMMANDS", Rate(COMMANDS.burst, 0)
    )  # no token returns during the test
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


async def test_publishing_outside_a_transaction_is_refused() -> None:
    from django.db.transaction import TransactionManagementError

    from apps.accounts.events import AccountChanged

    with pytest.raises(TransactionManagementError):
        await in_thread(lambda: publish(AccountChanged(1)))


async def test_an_open_page_keeps_its_session_alive(table: Table, board: Board) -> None:
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
    assert await in_thread(resting) == 2, "nobody is there any more"


async def test_a_window_that_stays_learns_another_name_and_picture(table: Table, board: Board) -> None:
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


@pytest.mark.parametrize(
    ("service", "code"),
    [(admin_grant, RESTART), (admin_revoke, RESTART), (account_deactivate, SIGNED_OUT)],
)
async def test_rights_are_told_to_open_windows_without_waiting(table: Table, board: Board, service, code) -> None:
    table(page_route(board, "/mine", access=Access.SIGNED_IN))
    await in_thread(AdminFactory)  # the last administrator cannot lose the right
    user = await in_thread(lambda: MemberFactory(is_admin=service is admin_revoke))
    async with open_page("/mine", user=user) as screen:
        await in_thread(lambda: service(actor=OPERATOR, account_id=user.pk))
        assert await closed(screen) == code


async def test_a_session_that_gets_another_key_brings_its_windows_back_and_signs_nobody_out(
    table: Table, board: Board
) -> None:
    table(page_route(board, "/mine", access=Access.SIGNED_IN))
    user = await in_thread(UserFactory)

    def another_key(key: str, handle: str) -> str:
        with transaction.atomic():
            password_set(account_id=user.pk, encoded=make_password("something else entirely"), keep=handle)
            store = SessionStore(key)
            store.cycle_key()
        return str(store.session_key)

    async with open_page("/mine", user=user) as here, open_page("/mine", user=user) as elsewhere:
        [seat] = [
            each.account_session
            for each in process.session_monitor.sockets[user.pk]
            if each.account_session.key == key_of(here)
        ]
        await in_thread(lambda: another_key(key_of(here), seat.viewer.session))
        assert await closed(here) == RESTART
        assert await closed(elsewhere) == SIGNED_OUT
