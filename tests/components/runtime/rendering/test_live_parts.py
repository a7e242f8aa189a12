"""Live parts: one read for all sockets, no lost change, failing reads, and eviction."""

import asyncio
import json
from typing import Any

import pytest

from components.runtime.rendering import live_parts
from components.runtime.rendering.frames import frame
from components.runtime.rendering.live_parts import LiveParts
from components.runtime.rendering.parts import PublicPart, Ref
from tests.components.runtime.rendering.boards import Board, Screen, changed, ref, settled, unframed
from tests.project.moves import until


async def test_callers_share_one_read(parts: LiveParts, board: Board) -> None:
    lives = await asyncio.gather(*(parts.current(ref(board)) for _ in range(200)))
    assert board.reads == 1
    assert len({id(live) for live in lives}) == 1
    await parts.current(ref(board))
    assert board.reads == 1


async def test_change_is_read_once_and_reaches_every_socket(parts: LiveParts, board: Board) -> None:
    screens = [Screen() for _ in range(50)]
    for screen in screens:
        await screen.watch(parts, ref(board))
    board.text = "second"
    changed(parts)
    await settled(parts)
    assert board.reads == 2
    assert {screen.text(ref(board)) for screen in screens} == {"second"}
    fields = [list(message) for message in screens[0].frames]
    assert fields == [["key", "to", "model"], ["key", "to", "change", "from"]]


async def test_change_during_a_read_is_not_lost(parts: LiveParts, board: Board) -> None:
    screen = Screen()
    await screen.watch(parts, ref(board))
    await board.begun()
    board.open.clear()
    board.text = "second"
    changed(parts)
    await board.begun()
    board.text = "third"  # the running read has "second" already
    changed(parts)
    changed(parts)
    board.open.set()
    await settled(parts)
    assert screen.text(ref(board)) == "third"
    assert board.reads == 3


async def test_part_without_sockets_is_read_on_request(parts: LiveParts, board: Board) -> None:
    await parts.current(ref(board))
    board.text = "second"
    changed(parts)
    changed(parts)
    await settled(parts)
    assert board.reads == 1
    assert "second" in (await parts.current(ref(board))).data
    assert board.reads == 2


async def test_unchanged_part_is_not_sent(parts: LiveParts, board: Board) -> None:
    screen = Screen()
    await screen.watch(parts, ref(board))
    changed(parts)
    await settled(parts)
    assert board.reads == 2
    assert len(screen.frames) == 1


def test_frames_are_whole_websocket_frames() -> None:
    for size in (0, 100, 125, 126, 65_535, 65_536, 200_000):
        message = {"type": "x" * size}
        content, rest = unframed(frame(message))
        assert (json.loads(content), rest) == (message, b"")


async def test_change_is_shorter_than_the_whole_part(parts: LiveParts, board: Board) -> None:
    screen = Screen()
    await screen.watch(parts, ref(board))
    live = parts.live[ref(board).key]
    board.text = "second"
    changed(parts)
    await settled(parts)
    assert len(json.dumps(screen.frames[-1])) < len(live.full)
    assert "".join(live.pieces) == f'<p class="board">second<span>{"x" * 200}</span></p>'
    assert json.loads(live.data) == live.model


async def test_failed_read_is_retried_while_a_socket_watches(
    parts: LiveParts, board: Board, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(live_parts, "RETRY", 0.0)
    screen = Screen()
    await screen.watch(parts, ref(board))
    await board.begun()
    board.failing, board.text = True, "second"
    changed(parts)
    for _ in range(3):
        await board.begun()
    assert "part board:en could not be read" in caplog.text
    assert screen.text(ref(board)) == "first"
    board.failing = False
    async with asyncio.timeout(20):
        while screen.text(ref(board)) != "second":
            await board.begun()
            await settled(parts)


async def test_failed_read_fails_its_callers_only(parts: LiveParts, board: Board) -> None:
    board.failing = True
    errors = await asyncio.gather(*(parts.current(ref(board)) for _ in range(5)), return_exceptions=True)
    assert [str(error) for error in errors] == ["the read failed"] * 5
    assert board.reads == 1
    board.failing = False
    assert "first" in (await parts.current(ref(board))).data


async def test_cancelled_caller_does_not_end_the_read_of_others(parts: LiveParts, board: Board) -> None:
    board.open.clear()
    leaving, staying = (asyncio.create_task(parts.current(ref(board))) for _ in range(2))
    await board.begun()
    leaving.cancel()
    await asyncio.wait([leaving])
    board.open.set()
    assert "first" in (await staying).data
    assert board.reads == 1


async def test_parts_without_sockets_are_evicted(
    parts: LiveParts, board: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_parts, "IDLE_LIMIT", 10)
    screen = Screen()
    shown = await screen.watch(parts, ref(board, 0))
    for number in range(1, 200):
        await parts.current(ref(board, number))
    assert len(parts.live) <= 10
    assert parts.live[ref(board, 0).key] is shown
    bus: Any = parts.bus
    assert len(bus.listeners["board"]) == len(parts.live)
    assert len(bus.listeners) == len(parts.live) + 2, "the topics of all parts: the board and the default pictures"
    board.text = "second"
    changed(parts, "board.0")
    await settled(parts)
    assert screen.text(ref(board, 0)) == "second"


async def test_check_reads_shown_parts_and_evicts_unused_ones(parts: LiveParts, board: Board) -> None:
    screen = Screen()
    await screen.watch(parts, ref(board, 0))
    await parts.current(ref(board, 1))
    board.text = "changed without an event"
    parts.check()
    await settled(parts)
    assert screen.text(ref(board, 0)) == "changed without an event"
    assert len(parts.live) == 2, "requested since the last check"
    assert parts.complete_if_fresh([ref(board, 1).key])
    parts.check()
    await settled(parts)
    assert len(parts.live) == 2
    parts.check()
    await settled(parts)
    assert list(parts.live) == [ref(board, 0).key]
    bus: Any = parts.bus
    assert "board.1" not in bus.listeners


async def test_failed_part_does_not_delay_other_parts(parts: LiveParts, board: Board) -> None:
    """Its next read may be slow and fail again, for example because its table is locked."""
    screen, other = Screen(), Board()
    slow = Ref(PublicPart("other", other.markup, lambda: ("board",)), (), "en")
    for part in (ref(board), slow):
        await screen.watch(parts, part)
    other.failing, board.text = True, "second"
    changed(parts)
    await settled(parts)
    await other.begun()
    await other.begun()
    other.open.clear()
    for text in ("third", "fourth"):
        board.text = text
        changed(parts)
        await until(lambda text=text: screen.text(ref(board)) == text)  # type: ignore[misc]
    await other.begun()
    other.failing, other.text = False, "recovered"
    changed(parts)
    other.open.set()
    await settled(parts)
    assert screen.text(slow) == "recovered"
