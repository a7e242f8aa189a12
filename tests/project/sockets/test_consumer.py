"""One viewer's socket: its subscriptions, changes during a load, access, and cleanup when the viewer leaves."""

import asyncio
from collections.abc import Callable
from dataclasses import replace

import pytest

from apps.core.threads import in_thread
from components.routes import Access
from components.runtime.page import Page
from components.runtime.rendering import browser_half
from project.process.web_process import process
from project.sockets.open_page import OwnPage
from tests.components.runtime.rendering.mounting import settled
from tests.factories import UserFactory
from tests.project.conftest import Table
from tests.project.moves import entered, navigation_target, until
from tests.project.pages import Board, page_route
from tests.screen import open_page
from tests.serving import serving

pytestmark = pytest.mark.django_db(transaction=True)


async def test_page_is_reloaded_when_its_topic_changes(table: Table, board: Board) -> None:
    table(page_route(board, "/", topics=("home",)))
    async with open_page("/") as screen:
        board.texts["/"] = "second"
        process.bus.notify_listeners("home")
        await screen.until("second")
        process.bus.notify_listeners("other")
        board.texts["/"] = "third"
        process.bus.notify_listeners("home")
        await screen.until("third")
    assert board.reads.count("/") == 3, "once for view and socket together, and once for each change"


async def test_change_during_a_reload_is_not_lost(table: Table, board: Board) -> None:
    """The topic changes again after the page's own read, while its new part is still being read."""
    part, number = board.part("part"), ["a"]
    table(page_route(board, "/", topics=("home",), parts=lambda _: ((part, (number[0],)),)))
    async with open_page("/") as screen:
        board.texts["/"], number[0] = "second", "b"
        board.held.add("part-b")
        process.bus.notify_listeners("home")
        await entered(board)
        board.texts["/"] = "third"
        process.bus.notify_listeners("home")
        board.may_read.set()
        await screen.until("third")


async def test_change_during_the_first_load_is_not_lost(table: Table, board: Board) -> None:
    table(page_route(board, "/", topics=("home",)), page_route(board, "/held", topics=("held",)))
    async with open_page("/") as screen:
        board.held.add("/held")
        going = asyncio.create_task(screen.go("/held"))
        await entered(board)
        board.texts["/held"] = "second"
        process.bus.notify_listeners("held")
        board.may_read.set()
        await going
        await screen.until("second")


async def test_live_query_follows_its_topic_without_losing_a_change(table: Table, board: Board) -> None:
    part = board.part("part")
    table(page_route(board, "/", leaf="leaf", parts=lambda _: ((part, ()),)))
    async with open_page("/") as screen:
        await screen.until("leaf initial")
        board.texts["leaf"] = "leaf second"
        process.bus.notify_listeners("leaf")
        await screen.until("leaf second")
        board.held.add("leaf")
        process.bus.notify_listeners("leaf")
        await entered(board)
        board.texts["leaf"] = "leaf third"
        process.bus.notify_listeners("leaf")
        board.may_read.set()
        await screen.until("leaf third")


async def test_own_slots_are_in_the_first_html_and_are_read_again_after_a_failure(
    table: Table, board: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("project.sockets.followed.RETRY", 0.01)
    table(page_route(board, "/", own="own"))
    fan = await in_thread(UserFactory)
    async with open_page("/", user=fan) as screen:
        assert f'aria-pressed="true">own first of {fan.username}</b>' in screen.html
        assert f"own first of {fan.username}" in screen.text
        board.failing.add("own")
        before = board.reads.count("own")
        process.bus.notify_listeners("own")
        await settled(lambda: board.reads.count("own") > before + 1)
        assert f"own first of {fan.username}" in screen.text
        board.texts["own"] = "second"
        board.failing.clear()
        await screen.until(f"second of {fan.username}")


async def test_slots_of_anonymous_visitors_are_not_read(table: Table, board: Board) -> None:
    table(page_route(board, "/", own="own", topics=("home",)))
    async with open_page("/") as screen:
        process.bus.notify_listeners("own")
        board.texts["/"] = "another"
        process.bus.notify_listeners("home")
        await screen.until("another")
        assert "own unknown" in screen.text
        assert "page-slots" not in screen.html + str(screen.frames)
    assert "own" not in board.reads


async def test_changes_of_the_former_page_are_not_sent(table: Table, board: Board) -> None:
    part = board.part("part")
    table(
        page_route(board, "/", topics=("home",), leaf="leaf", parts=lambda _: ((part, ()),)),
        page_route(board, "/other"),
    )
    async with open_page("/") as screen, open_page("/") as other:
        await screen.follow("Other")
        frames = len(screen.frames)
        board.texts |= {"/": "second", "part": "part second", "leaf": "leaf second"}
        for topic in ("home", "part", "leaf"):
            process.bus.notify_listeners(topic)
        await other.until("part second")
        await other.until("leaf second")
        await other.until("second, nobody")
        assert len(screen.frames) == frames


async def test_lost_part_is_requested_and_sent_whole(table: Table, board: Board) -> None:
    part = board.part("part")
    table(page_route(board, "/", parts=lambda _: ((part, ()),)))
    async with open_page("/") as screen:
        key = "part:en"
        screen.parts[key] = ("another version", {"tagName": "p", "children": ["lost"]})
        board.texts["part"] = "part second"
        process.bus.notify_listeners("part")
        await screen.until("part second")


async def test_lost_rights_apply_to_the_next_page(table: Table, board: Board) -> None:
    table(page_route(board, "/"), page_route(board, "/login"), page_route(board, "/mine", access=Access.SIGNED_IN))
    fan = await in_thread(UserFactory)

    def block() -> None:
        fan.is_active = False
        fan.save()

    async with open_page("/", user=fan) as screen:
        await in_thread(block)
        await screen.go("/mine")
        assert screen.path == "/login?next=%2Fmine"


async def test_other_protocol_version_is_closed(table: Table, board: Board) -> None:
    table(page_route(board, "/"))
    async with open_page("/") as screen:
        await screen.leave()
        with pytest.raises(AssertionError, match="closed with 4003"):
            await screen._connect("/", [], protocol="0")


async def test_page_of_an_earlier_build_is_served_and_notified(
    table: Table, board: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(browser_half, "browser_half", lambda: "1763916000-bbb")
    table(page_route(board, "/"))
    async with open_page("/") as screen:
        assert {"type": "outdated"} not in screen.frames
        await screen.leave()
        await screen._connect("/", [], half="1763915000-aaa")
        await until(lambda: {"type": "outdated"} in screen.frames)
        assert screen.closed is None
        board.texts["/"] = "still served"
        await screen.go("/?more=1")
        await screen.until("still served")


async def test_viewer_who_leaves_during_a_load_leaves_no_subscription(table: Table, board: Board) -> None:
    part = board.part("part")
    table(
        page_route(board, "/", topics=("home",)),
        page_route(board, "/held", topics=("held",), parts=lambda _: ((part, ()),)),
    )
    async with serving():
        async with open_page("/") as screen:
            board.held.add("part")
            screen._event(navigation_target(screen), {"path": "/held", "versions": {}, "number": 1})
            await entered(board)
        board.may_read.set()
        await until(lambda: not {"held", "home"} & set(process.bus.listeners))  # released when the load ends
        assert not any(live.groups for live in process.parts.live.values())


async def test_only_the_latest_waiting_navigation_is_loaded(table: Table, board: Board) -> None:
    table(page_route(board, "/"), page_route(board, "/pages/{id}"))
    async with open_page("/") as screen:
        board.held.add("/pages/{id}")
        target = navigation_target(screen)
        screen._event(target, {"path": "/pages/1", "versions": {}, "number": 1})
        await entered(board)
        for number in range(2, 31):
            screen._event(target, {"path": f"/pages/{number}", "versions": {}, "number": number})
        screen._event(target, {"no": "path"})
        screen._event(target)
        board.may_read.set()
        await screen.until("{'id': '30'}")
        assert screen.path == "/pages/30"
        assert board.reads.count("/pages/{id}") == 2, "the first and the latest"


async def test_live_query_gets_changes_between_page_load_and_mount(table: Table, board: Board) -> None:
    part = board.part("part")
    table(page_route(board, "/"), page_route(board, "/leafy", leaf="leaf", parts=lambda _: ((part, ()),)))
    async with open_page("/") as screen:
        board.held.add("part")
        going = asyncio.create_task(screen.go("/leafy"))
        await entered(board)  # the page is loaded, its part is being read, its live query is not mounted
        board.texts["leaf"] = "leaf second"
        process.bus.notify_listeners("leaf")
        board.may_read.set()
        await going
        await screen.until("leaf second")


async def test_page_reloaded_during_its_first_render_is_shown(
    table: Table, board: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    table(page_route(board, "/"))
    upstream = OwnPage.on_page

    def loaded_again(self: OwnPage, show: Callable[[Page], None]) -> None:
        self.page = replace(self.page, data="loaded again")
        upstream(self, show)

    monkeypatch.setattr(OwnPage, "on_page", loaded_again)
    fan = await in_thread(UserFactory)
    async with open_page("/", user=fan) as screen:
        await screen.until("loaded again")
