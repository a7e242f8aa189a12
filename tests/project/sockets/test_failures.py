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
from tests.project.moves import navigation_target, sequence, until
from tests.project.pages import Board, page_route
from tests.screen import open_page
from tests.serving import serving

pytestmark = pytest.mark.django_db(transaction=True)


async def test_a_page_that_cannot_be_loaded_leaves_the_present_one(
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


async def test_a_part_that_cannot_be_read_leaves_nothing_followed(table: Table, board: Board) -> None:
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


async def test_a_handler_that_fails_costs_nobody_else(
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


@pytest.mark.parametrize(
    "request_",
    [None, 5, "/", [], {}, {"path": 5}, {"path": None}, {"path": "/", "versions": [1]}, {"path": "//evil.example/"}],
)
async def test_a_malformed_navigation_does_nothing(
    table: Table, board: Board, caplog: pytest.LogCaptureFixture, request_: Any
) -> None:
    table(page_route(board, "/"))
    async with open_page("/") as screen:
        screen._event(navigation_target(screen), request_)
        screen.act("note", "after")
        await until(lambda: board.pressed == ["after"])
        assert screen.closed is None
        assert screen.path == "/"
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []


async def test_hostile_frames_close_their_own_socket_and_no_other(table: Table, board: Board) -> None:
    table(page_route(board, "/"))
    async with open_page("/") as hostile, open_page("/") as honest:
        hostile.send("[" * 100_000)
        await hostile._until(lambda: hostile.closed == 4500, "the socket stays open")
        honest.act("note", "honest")
        await until(lambda: board.pressed == ["honest"])
        assert honest.closed is None


TYPED = {"half of a character": "\\ud83c", "NUL": "\\u0000", "300 options": ["a"] * 300}


@pytest.mark.parametrize("kind", TYPED)
async def test_what_people_may_type_or_choose_by_mistake_is_dropped_with_a_sentence(
    table: Table, board: Board, kind: str
) -> None:
    table(page_route(board, "/"))
    typed: Any = TYPED[kind] if isinstance(TYPED[kind], list) else json.loads(f'"{TYPED[kind]}"')
    sentence = TOO_MUCH if kind == "300 options" else UNSTORABLE
    async with open_page("/") as screen:
        screen.act("note", typed)
        await screen._until(lambda: {"type": "notice", "text": sentence} in screen.frames, "nothing is said")
        screen.command("note_add", argument="", fields={"text": typed}, key="f" * 32)
        answer = {"type": "answer", "key": "f" * 32, "ok": False, "text": sentence}
        await screen._until(lambda: answer in screen.frames, "who acts is not answered")
        screen.act("note", "after")
        await until(lambda: board.pressed == ["after"])
        assert screen.closed is None


async def test_guessed_targets_and_parts_do_nothing(table: Table, board: Board) -> None:
    table(page_route(board, "/"))
    async with open_page("/") as screen:
        await sequence()
        tasks, frames = len(asyncio.all_tasks()), len(screen.frames)
        for number in range(1000):
            screen._event(f"/0/{number}:onClick", {})
            screen.send(json.dumps({"type": "part-request", "key": f"part:{number}:en"}))
        screen.send('{"type":"ping"}')
        await screen._until(lambda: len(screen.frames) > frames, "no pong")
        assert screen.frames[frames:] == [{"type": "pong"}]
        assert len(asyncio.all_tasks()) == tasks


async def test_a_leaf_that_cannot_be_read_is_tried_again(
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


async def test_a_page_that_does_not_come_in_time_is_answered_all_the_same(
    table: Table, board: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    table(page_route(board, "/"), page_route(board, "/held"))
    async with open_page("/") as screen:
        for module in (window, page_view):
            monkeypatch.setattr(module, "PAGE_WAIT", 0.01)
        board.held.add("/held")
        await screen.go("/held")
        assert screen.status == 503, "the browser asks for it itself"
        with pytest.raises(AssertionError, match=f"closed with {FAILED}"):
            await screen._connect("/held", [])
        board.may_read.set()
