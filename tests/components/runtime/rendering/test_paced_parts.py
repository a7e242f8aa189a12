"""Parts with a minimum interval between reads, and parts that expire by time."""

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Any

import pytest

from apps.core.bus.listeners import Bus
from components.runtime.markup import html
from components.runtime.rendering.live_parts import LiveParts
from components.runtime.rendering.parts import PublicPart, Ref
from tests.components.runtime.rendering.boards import Screen

EVERY = 0.15  # seconds
OLD_AFTER = 0.05


class Waiting(Screen):
    """A screen that signals each frame."""

    def __init__(self) -> None:
        super().__init__()
        self.changed = asyncio.Event()

    def apply(self, message: dict[str, Any]) -> None:
        """Apply one frame."""
        super().apply(message)
        self.changed.set()

    async def until(self, ref: Ref, text: str) -> None:
        """Wait until the part shows this text."""
        async with asyncio.timeout(20):
            while ref.key not in self.held or self.text(ref) != text:
                self.changed.clear()
                await self.changed.wait()


class Counter:
    """A part's data source: a text, the number of reads, and a number that falls with each read."""

    def __init__(self) -> None:
        self.text, self.reads, self.older, self.old_after = "first", 0, 0, OLD_AFTER

    def paced(self, *, language: str) -> Any:  # noqa: ARG002 - how parts are called
        """Return the text as markup."""
        self.reads += 1
        return html.p(self.text)

    def aging(self, *, language: str) -> Any:  # noqa: ARG002 - how parts are called
        """Return a number that falls with each read, down to 0; above 0 the markup expires."""
        self.reads += 1
        left, self.older = self.older, max(0, self.older - 1)
        return html.p({"data-refresh-after": str(self.old_after)} if left else {}, str(left))


@pytest.fixture
def counter() -> Counter:
    """Return the data source of the parts."""
    return Counter()


@pytest.fixture
async def parts() -> AsyncIterator[LiveParts]:
    """Yield a registry of live parts; its timers end with it."""

    async def in_thread(function: Any) -> Any:
        return await asyncio.to_thread(function)

    made = LiveParts(Bus(), in_thread)
    yield made
    for live in tuple(made.live.values()):
        made._forget(live)


async def test_a_long_delivery_rests_and_what_changes_meanwhile_is_one_frame(parts, counter):
    class Slow(Waiting):
        def send_latest(self, lives: Any, data: bytes) -> None:
            until = time.perf_counter() + 0.04
            while time.perf_counter() < until:
                pass
            super().send_latest(lives, data)

    ref = Ref(PublicPart("many", counter.paced, lambda: ("taps",)), (), "en")
    screen, loop = Slow(), asyncio.get_running_loop()
    await screen.watch(parts, ref)
    counter.text = "second"
    parts.bus.notify_listeners("taps")
    await screen.until(ref, "second")
    reads, rests_until = counter.reads, parts.rests_until
    assert rests_until - loop.time() > 0.02
    for text in ("third", "fourth", "fifth"):
        counter.text = text
        parts.bus.notify_listeners("taps")
        await asyncio.to_thread(str)  # let other tasks run
    await screen.until(ref, "fifth")
    assert loop.time() >= rests_until
    assert counter.reads == reads + 1


async def test_quick_changes_are_shown_together_and_the_last_one_is_not_lost(parts, counter):
    ref = Ref(PublicPart("paced", counter.paced, lambda: ("taps",), EVERY), (), "en")
    screen, loop = Waiting(), asyncio.get_running_loop()
    live = await screen.watch(parts, ref)
    begun = loop.time()
    live.next_read = begun + EVERY  # as directly after a read
    for number in range(50):
        counter.text = f"tap {number}"
        parts.bus.notify_listeners("taps")
    assert (await parts.current(ref)).model["children"] == ["first"]  # page views get the last read
    assert counter.reads == 1
    await screen.until(ref, "tap 49")
    assert counter.reads == 2
    assert loop.time() >= begun + EVERY


async def test_parts_that_always_change_share_a_frame(parts, counter, monkeypatch):
    """Their reads meet at multiples of the pace, although their changes come one after the other."""
    loop, now = asyncio.get_running_loop(), asyncio.get_running_loop().time()
    monkeypatch.setattr(loop, "time", lambda: now)  # on a busy machine the pace would end between two changes
    names = ("one", "other")
    refs = [Ref(PublicPart(name, counter.paced, lambda name=name: (name,), EVERY), (), "en") for name in names]
    screen = Waiting()
    for ref in refs:
        await screen.watch(parts, ref)
        now += EVERY / 100
    for number in range(8):
        counter.text, screen.writes = f"change {number}", 0
        for name in names:
            parts.bus.notify_listeners(name)
            await asyncio.to_thread(str)  # in turns of the loop of their own
        assert screen.writes == 0, "both wait for the end of the pace"
        now += EVERY
        for ref in refs:
            await screen.until(ref, counter.text)
        assert screen.writes == 1


async def test_a_change_after_a_rest_is_read_at_once(parts, counter):
    ref = Ref(PublicPart("paced", counter.paced, lambda: ("taps",), EVERY), (), "en")
    screen = Waiting()
    live = await screen.watch(parts, ref)
    live.next_read = asyncio.get_running_loop().time()  # the interval is over
    counter.text = "second"
    parts.bus.notify_listeners("taps")
    assert live.timer is None
    assert live.refresh is not None
    await screen.until(ref, "second")


async def test_a_part_that_grows_old_is_read_again_until_it_says_no_more(parts, counter):
    ref = Ref(PublicPart("aging", counter.aging, lambda: ("taps",)), (), "en")
    screen = Waiting()
    counter.older = 3
    live = await screen.watch(parts, ref)
    await screen.until(ref, "0")
    assert counter.reads == 4
    assert live.timer is None


async def test_a_part_that_nobody_shows_is_read_again_only_when_it_is_asked_for(parts, counter):
    ref = Ref(PublicPart("aging", counter.aging, lambda: ("taps",)), (), "en")
    counter.older = 2
    live = await parts.current(ref)
    assert live.timer is not None
    live.timer.cancel()
    parts._timer_end(live)  # as the timer does
    assert (live.is_stale, counter.reads) == (True, 1)
    assert (await parts.current(ref)).model["children"] == ["1"]


async def test_a_forgotten_part_waits_for_nothing(parts, counter):
    ref = Ref(PublicPart("aging", counter.aging, lambda: ("taps",)), (), "en")
    counter.older = 1
    live = await parts.current(ref)
    parts.check()
    parts.check()
    assert ref.key not in parts.live
    assert live.timer is not None
    assert live.timer.cancelled()


async def test_a_part_that_was_read_meanwhile_grows_old_from_then_on(parts, counter):
    ref = Ref(PublicPart("aging", counter.aging, lambda: ("taps",)), (), "en")
    screen = Waiting()
    counter.older, counter.old_after = 5, 60.0
    live = await screen.watch(parts, ref)
    before = live.timer
    parts.bus.notify_listeners("taps")
    await screen.until(ref, "4")
    assert before.cancelled()
    assert live.timer.when() > before.when()
