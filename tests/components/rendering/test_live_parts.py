"""Shared parts at work: one read for all, no change lost, nothing kept that nobody shows."""

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any

import pytest

from apps.core.bus import Bus
from components.markup import html
from components.rendering import live_parts
from components.rendering.live_parts import LivePart, LiveParts, frame
from components.rendering.parts import PublicPart, Ref
from components.rendering.tree import patched


class Board:
    """What the part reads: a text that tests change, with a door that holds reads up."""

    def __init__(self) -> None:
        self.text, self.reads, self.failing = "first", 0, False
        self.open = threading.Event()
        self.open.set()
        self.entered = threading.Semaphore(0)

    def markup(self, *_parameters: Any, language: str) -> Any:  # noqa: ARG002 - how parts are called
        """The part's markup; what is read is what the text was when the read began."""
        self.reads += 1
        text = self.text
        self.entered.release()
        assert self.open.wait(10)
        if self.failing:
            raise RuntimeError("the read failed")
        return html.p({"class": "board"}, text, html.span("x" * 200))

    async def begun(self) -> None:
        """Wait until one more read has begun."""
        assert await asyncio.to_thread(self.entered.acquire, timeout=10)


class Screen:
    """A socket that keeps its part as the browser does."""

    def __init__(self) -> None:
        self.writes = 0
        self.frames: list[dict[str, Any]] = []
        self.held: dict[str, tuple[str, Any]] = {}

    def send_latest(self, lives: Sequence[LivePart], data: bytes) -> None:
        """Apply the frames; a change must start from what is held."""
        self.writes += 1
        for _ in lives:
            content, data = unframed(data)
            self.apply(json.loads(content))
        assert not data

    def apply(self, message: dict[str, Any]) -> None:
        """Apply one frame."""
        self.frames.append(message)
        model = message.get("model")
        if model is None:
            version, model = self.held[message["key"]]
            assert version == message["from"]
            for operation in message["operations"]:
                model = patched(model, operation)
        self.held[message["key"]] = (message["to"], model)

    def text(self, ref: Ref) -> str:
        """What the part says."""
        return str(self.held[ref.key][1]["children"][0])


def unframed(data: bytes) -> tuple[bytes, bytes]:
    """The content of the first whole text frame, and what follows it."""
    assert data[0] == 0x81
    size, start = data[1], 2
    if size > 125:
        start = 4 if size == 126 else 10
        size = int.from_bytes(data[2:start], "big")
    assert len(data) >= start + size
    return data[start : start + size], data[start + size :]


async def settled(parts: LiveParts) -> None:
    """Wait until nothing is being read."""
    async with asyncio.timeout(10):
        while running := [live.refreshing for live in parts.live.values() if live.refreshing]:
            await asyncio.wait(running)


@pytest.fixture
def board() -> Board:
    """What is read."""
    return Board()


@pytest.fixture
async def parts(board: Board) -> AsyncIterator[LiveParts]:
    """The registry of one process."""

    async def in_thread(function: Callable[[], Any]) -> Any:
        return await asyncio.to_thread(function)

    made = LiveParts(Bus(), in_thread)  # type: ignore[arg-type]
    yield made
    board.open.set()
    tasks = [live.refreshing for live in made.live.values() if live.refreshing]
    await asyncio.gather(*tasks, return_exceptions=True)


def ref(board: Board, *parameters: Any) -> Ref:
    """One part of this board."""
    return Ref(
        PublicPart("board", board.markup, lambda *values: ("board", *(f"board.{v}" for v in values))), parameters, "en"
    )


def changed(parts: LiveParts, topic: str = "board") -> None:
    """Tell the registry."""
    parts.bus.changed(topic)  # type: ignore[attr-defined]


async def test_any_number_of_callers_cost_one_read(parts: LiveParts, board: Board) -> None:
    found = await asyncio.gather(*(parts.current(ref(board)) for _ in range(200)))
    assert board.reads == 1
    assert len({id(live) for live in found}) == 1
    await parts.current(ref(board))
    assert board.reads == 1


async def test_a_change_is_read_once_and_reaches_every_socket(parts: LiveParts, board: Board) -> None:
    screens = [Screen() for _ in range(50)]
    for screen in screens:
        await parts.watch(ref(board), screen, "")
    board.text = "second"
    changed(parts)
    await settled(parts)
    assert board.reads == 2
    assert {screen.text(ref(board)) for screen in screens} == {"second"}
    assert [list(message) for message in screens[0].frames] == [
        ["type", "key", "to", "model"],
        ["type", "key", "from", "to", "operations"],
    ]


async def test_a_socket_gets_what_one_commit_changes_in_one_write(parts: LiveParts, board: Board) -> None:
    both, one = Screen(), Screen()
    first, second = ref(board, 1), ref(board, 2)
    for part in (first, second):
        await parts.watch(part, both, "")
    await parts.watch(second, one, "")
    board.text, both.writes, one.writes = "second", 0, 0
    changed(parts, "board.1")
    changed(parts, "board.2")
    await settled(parts)
    assert (both.writes, one.writes) == (1, 1)
    assert (both.text(first), both.text(second), one.text(second)) == ("second", "second", "second")


async def test_a_part_that_fails_takes_no_other_of_its_commit_along(parts: LiveParts, board: Board) -> None:
    other, screen = Board(), Screen()
    await parts.watch(ref(board, 1), screen, "")
    failing = Ref(PublicPart("other", other.markup, lambda: ("board",)), (), "en")
    await parts.watch(failing, screen, "")
    board.text, other.failing = "second", True
    changed(parts)
    await settled(parts)
    assert screen.text(ref(board, 1)) == "second"
    assert screen.text(failing) == "first"


async def test_a_change_during_a_read_is_never_lost(parts: LiveParts, board: Board) -> None:
    screen = Screen()
    await parts.watch(ref(board), screen, "")
    await board.begun()
    board.open.clear()
    board.text = "second"
    changed(parts)
    await board.begun()
    board.text = "third"  # the running read has taken "second" already
    changed(parts)
    changed(parts)
    board.open.set()
    await settled(parts)
    assert screen.text(ref(board)) == "third"
    assert board.reads == 3


async def test_a_change_during_the_first_read_is_never_lost(parts: LiveParts, board: Board) -> None:
    screen = Screen()
    board.open.clear()
    watching = asyncio.create_task(parts.watch(ref(board), screen, ""))
    await board.begun()
    board.text = "second"
    changed(parts)
    board.open.set()
    await watching
    assert screen.text(ref(board)) == "second"


async def test_a_part_that_nobody_shows_is_read_when_it_is_asked_for(parts: LiveParts, board: Board) -> None:
    await parts.current(ref(board))
    board.text = "second"
    changed(parts)
    changed(parts)
    await settled(parts)
    assert board.reads == 1
    assert "second" in (await parts.current(ref(board))).html
    assert board.reads == 2


async def test_an_unchanged_part_sends_nothing(parts: LiveParts, board: Board) -> None:
    screen = Screen()
    await parts.watch(ref(board), screen, "")
    changed(parts)
    await settled(parts)
    assert board.reads == 2
    assert len(screen.frames) == 1


async def test_who_holds_the_version_gets_nothing_and_who_holds_another_the_whole(
    parts: LiveParts, board: Board
) -> None:
    knows, knows_not = Screen(), Screen()
    version = (await parts.current(ref(board))).version
    await parts.watch(ref(board), knows, version)
    await parts.watch(ref(board), knows_not, "older")
    assert knows.frames == []
    assert [message["to"] for message in knows_not.frames] == [version]


async def test_a_failing_read_is_tried_again_while_somebody_watches(
    parts: LiveParts, board: Board, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(live_parts, "RETRY", 0.0)
    screen = Screen()
    await parts.watch(ref(board), screen, "")
    await board.begun()
    board.failing, board.text = True, "second"
    changed(parts)
    for _ in range(3):
        await board.begun()
    assert "part board:en could not be read" in caplog.text
    assert screen.text(ref(board)) == "first"
    board.failing = False
    async with asyncio.timeout(10):
        while screen.text(ref(board)) != "second":
            await board.begun()
            await settled(parts)


async def test_a_failing_read_fails_its_callers_and_only_them(parts: LiveParts, board: Board) -> None:
    board.failing = True
    found = await asyncio.gather(*(parts.current(ref(board)) for _ in range(5)), return_exceptions=True)
    assert [str(error) for error in found] == ["the read failed"] * 5
    assert board.reads == 1
    board.failing = False
    assert "first" in (await parts.current(ref(board))).html


async def test_a_caller_that_leaves_does_not_end_the_read_of_others(parts: LiveParts, board: Board) -> None:
    board.open.clear()
    leaving, staying = (asyncio.create_task(parts.current(ref(board))) for _ in range(2))
    await board.begun()
    leaving.cancel()
    await asyncio.wait([leaving])
    board.open.set()
    assert "first" in (await staying).html
    assert board.reads == 1


async def test_parts_that_nobody_shows_are_forgotten(
    parts: LiveParts, board: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_parts, "IDLE_LIMIT", 10)
    screen = Screen()
    shown = await parts.watch(ref(board, 0), screen, "")
    for number in range(1, 200):
        await parts.current(ref(board, number))
    assert len(parts.live) <= 10
    assert parts.live[ref(board, 0).key] is shown
    bus: Any = parts.bus
    assert len(bus.listeners["board"]) == len(parts.live)
    assert len(bus.listeners) == len(parts.live) + 2, "the topics that all share: the board and the default pictures"
    board.text = "second"
    changed(parts, "board.0")
    await settled(parts)
    assert screen.text(ref(board, 0)) == "second"


async def test_a_look_reads_what_is_shown_and_forgets_what_nobody_asked_for(parts: LiveParts, board: Board) -> None:
    screen = Screen()
    await parts.watch(ref(board, 0), screen, "")
    await parts.current(ref(board, 1))
    board.text = "told to nobody"
    parts.check()
    await settled(parts)
    assert screen.text(ref(board, 0)) == "told to nobody"
    assert len(parts.live) == 2, "asked for since the look before"
    assert parts.fresh([ref(board, 1).key])
    parts.check()
    await settled(parts)
    assert len(parts.live) == 2
    parts.check()
    await settled(parts)
    assert list(parts.live) == [ref(board, 0).key]
    bus: Any = parts.bus
    assert "board.1" not in bus.listeners


async def test_every_socket_ends_at_the_truth_whenever_it_came(parts: LiveParts, board: Board) -> None:
    """Sockets arrive between the changes; each one's chain of versions is whole (`apply` asserts it)."""
    screens: list[Screen] = []
    for number in range(60):
        board.text = f"change {number}"
        changed(parts)
        screen = Screen()
        screens.append(screen)
        await parts.watch(ref(board), screen, "")
    await settled(parts)
    assert {screen.text(ref(board)) for screen in screens} == {"change 59"}
    assert {screen.held[ref(board).key][0] for screen in screens} == {parts.live[ref(board).key].version}


@pytest.mark.parametrize("size", [0, 100, 125, 126, 65_535, 65_536, 200_000])
def test_frames_are_whole_websocket_frames(size: int) -> None:
    message = {"type": "x" * size}
    content, rest = unframed(frame(message))
    assert (json.loads(content), rest) == (message, b"")


async def test_a_part_that_grows_is_sent_whole_when_that_is_shorter(parts: LiveParts, board: Board) -> None:
    screen = Screen()
    await parts.watch(ref(board), screen, "")
    live = parts.live[ref(board).key]
    board.text = "second"
    changed(parts)
    await settled(parts)
    assert len(json.dumps(screen.frames[-1])) < len(live.whole)
    assert live.html == f'<p class="board">second<span>{"x" * 200}</span></p>'
    assert json.loads(live.data) == live.model
