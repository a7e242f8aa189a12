"""A failure or a malicious frame affects only its own viewer."""

import asyncio
import json
import logging
from typing import Any

import pytest

from apps.core.text_rules import UNSTORABLE
from project.http import page_view
from project.limits.rates import FAILED
from project.process.commands import TOO_MUCH
from project.process.web_process import process
from project.sockets import window
from tests.components.runtime.rendering.mounting import settled
from tests.project.conftest import Table
from tests.project.moves import loop_turn, navigation_target, until
from tests.project.pages import Board, page_route
from tests.screen import Screen, open_page
from tests.serving import serving

pytestmark = pytest.mark.django_db(transaction=True)


async def test_failed_navigation_keeps_the_present_page(
    table: Table, board: Board, caplog: pytest.LogCaptureFixture
) -> None:
    table(page_route(board, "/"), page_route(board, "/broken"))
    board.failing.add("/broken")
    async with open_page("/") as screen:
        screen._event(navigation_target(screen), {"path": "/broken", "versions": {}, "number": 1})
        screen.act("note", "still here")
        await until(lambda: board.pressed == ["still here"])
        await until(lambda: "/broken cannot be read" in caplog.text)
        assert screen.path == "/"
        assert screen.closed is None


async def test_failed_part_leaves_no_subscription(table: Table, board: Board) -> None:
    """After a failed navigation the window still unsubscribes from the parts of its first page when it closes."""
    part, broken = board.part("part"), board.part("broken")
    table(
        page_route(board, "/", parts=lambda _: ((part, ()),)),
        page_route(board, "/broken", parts=lambda _: ((broken, ()), (part, (2,)))),
    )
    board.failing.add("broken")
    async with serving():
        async with open_page("/") as screen:
            screen._event(navigation_target(screen), {"path": "/broken", "versions": {}, "number": 1})
            await until(lambda: "broken" in board.reads)
            await screen.go("/")
            board.texts["part"] = "part second"
            process.bus.notify_listeners("part")
            await screen.until("part second")
        assert not any(live.groups for live in process.parts.live.values())


async def test_failed_handler_affects_no_other_event(
    table: Table, board: Board, caplog: pytest.LogCaptureFixture
) -> None:
    table(page_route(board, "/"))
    async with open_page("/") as screen, open_page("/") as other:
        screen.act("note", "fail")
        screen.act("note", "after")
        other.act("note", "other")
        await until(lambda: sorted(board.pressed) == ["after", "other"])
        assert "the handler failed" in caplog.text
        assert (screen.closed, other.closed) == (None, None)


MALFORMED: list[Any] = [
    None, 5, "/", [], {}, {"path": 5}, {"path": None}, {"path": "/", "versions": [1]}, {"path": "//evil.example/"},
]  # fmt: skip


async def test_malformed_navigations_are_ignored(table: Table, board: Board, caplog: pytest.LogCaptureFixture) -> None:
    table(page_route(board, "/"))
    async with open_page("/") as screen:
        for number, request in enumerate(MALFORMED):
            screen._event(navigation_target(screen), request)
            screen.act("note", str(number))
            await until(lambda number=number: board.pressed[-1:] == [str(number)])
            assert (screen.closed, screen.path) == (None, "/"), request
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []


UNUSABLE: dict[str, tuple[Any, str]] = {
    "half of a character": ("\ud83c", UNSTORABLE),
    "NUL": ("\0", UNSTORABLE),
    "300 options": (["a"] * 300, TOO_MUCH),
}


async def assert_dropped(screen: Screen, value: Any, sentence: str, key: str) -> None:
    """Send this value in an event and in a command, and assert that both are answered with the sentence."""
    known, notice = len(screen.frames), {"type": "notice", "text": sentence}
    answer = {"type": "answer", "key": key, "ok": False, "text": sentence}
    screen.act("note", value)
    await screen._until(lambda: notice in screen.frames[known:], "no notice")
    screen.command("note_add", argument="", fields={"text": value}, key=key)
    await screen._until(lambda: answer in screen.frames, "no answer")


async def test_unusable_input_is_dropped_with_a_sentence(table: Table, board: Board) -> None:
    table(page_route(board, "/"))
    async with open_page("/") as screen:
        for number, (value, sentence) in enumerate(UNUSABLE.values()):
            await assert_dropped(screen, value, sentence, f"{number:032x}")
        screen.act("note", "after")
        await until(lambda: board.pressed == ["after"])
        assert screen.closed is None


async def test_guessed_targets_and_parts_are_ignored(table: Table, board: Board) -> None:
    table(page_route(board, "/"))
    async with open_page("/") as screen:
        await loop_turn()
        tasks, frames = len(asyncio.all_tasks()), len(screen.frames)
        for number in range(1000):
            screen._event(f"/0/{number}:onClick", {})
            screen.send(json.dumps({"type": "part-request", "key": f"part:{number}:en"}))
        screen.send('{"type":"ping"}')
        await screen._until(lambda: len(screen.frames) > frames, "no pong")
        assert screen.frames[frames:] == [{"type": "pong"}]
        assert len(asyncio.all_tasks()) == tasks


async def test_failed_live_query_is_repeated(
    table: Table, board: Board, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("project.sockets.followed.RETRY", 0.01)
    table(page_route(board, "/", leaf="leaf"))
    async with open_page("/") as screen:
        await screen.until("leaf initial")
        board.texts["leaf"] = "leaf second"
        board.failing.add("leaf")
        process.bus.notify_listeners("leaf")
        await settled(lambda: board.reads.count("leaf") > 1)
        assert "live query" in caplog.text
        assert "leaf initial" in screen.text
        board.failing.clear()
        await screen.until("leaf second")


async def test_page_that_takes_too_long_is_answered(
    table: Table, board: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    table(page_route(board, "/"), page_route(board, "/held"))
    async with open_page("/") as screen:
        for module in (window, page_view):
            monkeypatch.setattr(module, "PAGE_WAIT", 0.01)
        board.held.add("/held")
        await screen.go("/held")
        assert screen.status == 503, "the browser then requests the page"
        with pytest.raises(AssertionError, match=f"closed with {FAILED}"):
            await screen._connect("/held", [])
        board.may_read.set()
