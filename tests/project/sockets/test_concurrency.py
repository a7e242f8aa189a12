"""Many concurrent viewers: each sees only their own data, and no memory, task or subscription is left behind."""

import asyncio
import gc
import os

import pytest

from apps.core.bus.listeners import Bus
from apps.core.threads import in_thread
from components.routes import Access
from project.http.page_view import page_response
from project.limits.connections import COME_BACK
from project.limits.rates import BUSY
from project.process.web_process import process
from tests.factories import UserFactory
from tests.project.asking import ask
from tests.project.conftest import Table
from tests.project.moves import entered, until
from tests.project.pages import Board, page_route
from tests.screen import open_page
from tests.serving import serving

pytestmark = pytest.mark.django_db(transaction=True)
VISITS = int(os.environ.get("VISITS", "100"))  # `make soak` makes more


async def test_viewers_of_the_same_data_share_one_read(table: Table, board: Board) -> None:
    part = board.part("part")
    table(page_route(board, "/", topics=("home",), leaf="leaf", parts=lambda _: ((part, ()),)))
    async with open_page("/") as first, open_page("/") as second, open_page("/") as third:
        before = list(board.reads)
        board.texts |= {"/": "second", "part": "part second", "leaf": "leaf second"}
        for topic in ("home", "part", "leaf"):
            process.bus.notify_listeners(topic)
        for screen in (first, second, third):
            for text in ("second, nobody", "part second", "leaf second"):
                await screen.until(text)
        # two reads are allowed: sockets that read before the other topics arrived form a separate group
        assert board.reads[len(before) :].count("part") == 1
        assert board.reads[len(before) :].count("/") <= 2
        assert board.reads[len(before) :].count("leaf") <= 2


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


async def test_viewers_leave_no_objects_tasks_or_subscriptions(table: Table, board: Board) -> None:
    part = board.part("part")
    table(page_route(board, "/", topics=("home",), leaf="leaf", parts=lambda _: ((part, ()),)))

    async def visits(times: int) -> tuple[int, int]:
        for _ in range(times):
            await screen.go_online()
            screen.act("note", "hello")
            await screen.leave()
        gc.collect()
        return len(gc.get_objects()), len(asyncio.all_tasks())

    async with open_page("/") as screen:
        await screen.leave()
        objects, tasks = await visits(30)
        listeners = count(process.bus)
        later_objects, _ = await visits(VISITS)
        assert count(process.bus) == listeners
        await until(lambda: len(asyncio.all_tasks()) <= tasks)
        assert later_objects - objects < VISITS, "less than one object for a visit"
        assert not process.parts.groups


def count(bus: Bus) -> dict[str, int]:
    """Return the number of listeners of each topic."""
    return {topic: len(group) for topic, group in bus.listeners.items()}


async def test_viewers_of_one_part_get_one_frame_and_their_own_slots(table: Table, board: Board) -> None:
    part = board.part("part", holes="own")
    table(page_route(board, "/", own="own", parts=lambda _: ((part, ()),)))
    one, other = await in_thread(lambda: (UserFactory(), UserFactory()))
    async with open_page("/", user=one) as first, open_page("/", user=other) as second, open_page("/") as anonymous:
        reads = board.reads.count("part")
        board.texts["part"] = "changed"
        process.bus.notify_listeners("part")
        for screen in (first, second, anonymous):
            await screen.until("changed")
        assert board.reads.count("part") == reads + 1
        changes = [[each for each in screen.frames if each["type"] == "part"] for screen in (first, second, anonymous)]
        assert changes[0] == changes[1] == changes[2]
        for screen, own, others in ((first, one, other), (second, other, one)):
            received = screen.html + str(screen.frames) + screen.text
            assert f"own first of {own.username}" in screen.text
            assert others.username not in received
        assert "own unknown" in anonymous.text
        assert one.username not in anonymous.html + str(anonymous.frames)


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
