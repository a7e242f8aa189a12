"""Live parts: one read for all sockets, and no lost change."""

import asyncio
import json

from components.runtime.rendering.frames import frame
from components.runtime.rendering.live_parts import LiveParts
from tests.components.runtime.rendering.boards import Board, Screen, changed, ref, settled, unframed


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


async def test_changes_of_one_commit_are_one_write(parts: LiveParts, board: Board) -> None:
    both, one = Screen(), Screen()
    first, second = ref(board, 1), ref(board, 2)
    for part in (first, second):
        await both.watch(parts, part)
    await one.watch(parts, second)
    board.text, both.writes, one.writes = "second", 0, 0
    changed(parts, "board.1")
    changed(parts, "board.2")
    await settled(parts)
    assert (both.writes, one.writes) == (1, 1)
    assert (both.text(first), both.text(second), one.text(second)) == ("second", "second", "second")


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


async def test_change_during_the_first_read_is_not_lost(parts: LiveParts, board: Board) -> None:
    screen = Screen()
    board.open.clear()
    watching = asyncio.create_task(screen.watch(parts, ref(board)))
    await board.begun()
    board.text = "second"
    changed(parts)
    board.open.set()
    await watching
    assert screen.text(ref(board)) == "second"


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


async def test_socket_with_an_older_version_gets_the_whole_part(parts: LiveParts, board: Board) -> None:
    current, outdated = Screen(), Screen()
    version = (await parts.current(ref(board))).version
    await current.watch(parts, ref(board), {ref(board).key: version})
    await outdated.watch(parts, ref(board), {ref(board).key: "older"})
    assert current.frames == []
    assert [message["to"] for message in outdated.frames] == [version]


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
