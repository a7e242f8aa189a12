"""Many concurrent viewers: each sees only their own data, and no memory, task or subscription is left behind."""

import asyncio

import pytest

from apps.core.threads import in_thread
from components.routes import Access
from project.limits.connections import COME_BACK
from project.limits.rates import BUSY
from project.process.web_process import process
from tests.factories import UserFactory
from tests.project.asking import ask
from tests.project.conftest import Table
from tests.project.moves import entered
from tests.project.pages import Board, page_route
from tests.screen import open_page
from tests.serving import page_response, serving

pytestmark = pytest.mark.django_db(transaction=True)


async def test_slow_read_of_one_viewer_delays_no_other(table: Table, board: Board) -> None:
    """Unpatched Daphne and Channels pass every frame and every query of all viewers through one thread."""
    table(page_route(board, "/"), page_route(board, "/slow/{id}"), page_route(board, "/quick"))
    board.held.add("/slow/{id}")
    async with open_page("/") as first, open_page("/") as second, open_page("/") as other:
        going = [asyncio.create_task(each.go(f"/slow/{n}")) for n, each in enumerate((first, second), 1)]
        for _ in going:
            await entered(board)
        other.act("note", "pressed")
        await other.go("/quick")
        assert board.pressed == ["pressed"]
        assert (await page_response("/quick", [])).status_code == 200
        assert (await ask("/readyz")).status == 200
        assert [task.done() for task in going] == [False, False]
        board.may_read.set()
        await asyncio.gather(*going)


async def test_twenty_viewers_who_arrive_together_see_only_their_own_data(table: Table, board: Board) -> None:
    """Unpatched ReactPy 1.1 keeps its hooks in a thread-local: of twenty sockets opened together, no page worked."""
    part = board.part("part")
    own = {"topics": ("mine",), "leaf": "leaf", "parts": lambda _: ((part, ()),)}
    table(page_route(board, "/"), page_route(board, "/mine", access=Access.SIGNED_IN, **own))
    users = await in_thread(lambda: [UserFactory() for _ in range(20)])
    names = {user.username for user in users}
    async with serving():
        opened = [open_page("/mine", user=user) for user in users]
        screens = await asyncio.gather(*(each.__aenter__() for each in opened))
        try:
            for _ in range(2):
                for user, screen in zip(users, screens, strict=True):
                    assert {word.strip(",") for word in screen.text.split()} & names == {user.username}
                board.texts |= {"/mine": "again", "part": "part again", "leaf": "leaf again"}
                for topic in ("mine", "part", "leaf"):
                    process.bus.notify_listeners(topic)
                for screen in screens:
                    for text in ("again, ", "part again", "leaf again"):
                        await screen.until(text)
        finally:
            await asyncio.gather(*(each.__aexit__(None, None, None) for each in opened))


async def test_refused_socket_gets_a_time_to_reconnect(
    table: Table, board: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    table(page_route(board, "/"))
    async with open_page("/") as screen:
        await screen.leave()
        for limit, name, answer, seconds in (
            (process.render_admission, "come_back", lambda: 7, 7),
            (process.connection_limits, "enter", lambda _: BUSY, COME_BACK),
        ):
            with monkeypatch.context() as busy:
                busy.setattr(limit, name, answer)
                with pytest.raises(AssertionError, match=f"closed with {BUSY}"):
                    await screen._connect("/", [])
                assert screen.wire.reason == f"retry={seconds}"
                await screen.leave()
        await screen._connect("/", [])
