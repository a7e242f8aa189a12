"""Parts with a minimum interval between reads, and parts that expire by time."""

import asyncio
from typing import Any

import pytest

from components.runtime.markup import html
from components.runtime.rendering.parts import PublicPart, Ref
from tests.components.runtime.rendering.boards import Screen
from tests.components.runtime.rendering.mounting import settled

EVERY = 0.15  # seconds
OLD_AFTER = 0.05


class Counter:
    """A part's data source: a text, the number of reads, and a number that falls with each read."""

    def __init__(self) -> None:
        self.text, self.reads, self.older, self.old_after = "first", 0, 0, OLD_AFTER

    def paced(self, *, language: str) -> Any:  # noqa: ARG002 - how parts are called
        self.reads += 1
        return html.p(self.text)

    def aging(self, *, language: str) -> Any:  # noqa: ARG002 - how parts are called
        self.reads += 1
        left, self.older = self.older, max(0, self.older - 1)
        return html.p({"data-refresh-after": str(self.old_after)} if left else {}, str(left))


@pytest.fixture
def counter() -> Counter:
    return Counter()


async def until_shown(screen: Screen, ref: Ref, text: str) -> None:
    """Wait until the screen shows this text, by turns of the loop: a test may hold its clock."""
    await settled(lambda: ref.key in screen.held and screen.text(ref) == text)


def paced(counter: Counter, name: str = "paced", every: float = EVERY) -> Ref:
    return Ref(PublicPart(name, counter.paced, lambda: ("taps",), every), (), "en")


def aging(counter: Counter) -> Ref:
    return Ref(PublicPart("aging", counter.aging, lambda: ("taps",)), (), "en")


async def test_changes_after_a_long_delivery_are_one_frame(parts, counter, monkeypatch):
    loop, now = asyncio.get_running_loop(), asyncio.get_running_loop().time()
    monkeypatch.setattr(loop, "time", lambda: now)  # on a busy machine the rest would end between two changes

    class Slow(Screen):
        def send_latest(self, lives: Any, data: bytes) -> None:
            nonlocal now
            now += 0.04
            super().send_latest(lives, data)

    ref = paced(counter, every=0.0)
    screen = Slow()
    await screen.watch(parts, ref)
    counter.text = "second"
    parts.bus.notify_listeners("taps")
    await until_shown(screen, ref, "second")
    reads = counter.reads
    assert parts.rests_until - now > 0.02
    for text in ("third", "fourth", "fifth"):
        counter.text = text
        parts.bus.notify_listeners("taps")
        await asyncio.to_thread(str)  # let other tasks run
    assert counter.reads == reads
    now = parts.rests_until
    await until_shown(screen, ref, "fifth")
    assert counter.reads == reads + 1


async def test_quick_changes_are_read_together_up_to_the_last(parts, counter):
    ref = paced(counter)
    screen, loop = Screen(), asyncio.get_running_loop()
    live = await screen.watch(parts, ref)
    begun = loop.time()
    live.next_read = begun + EVERY  # as directly after a read
    for number in range(50):
        counter.text = f"tap {number}"
        parts.bus.notify_listeners("taps")
    assert (await parts.current(ref)).model["children"] == ["first"]  # page views get the last read
    assert counter.reads == 1
    await until_shown(screen, ref, "tap 49")
    assert counter.reads == 2
    assert loop.time() >= begun + EVERY


async def test_parts_with_constant_changes_share_a_frame(parts, counter, monkeypatch):
    """Their reads are at multiples of the interval, although their changes come one after the other."""
    loop, now = asyncio.get_running_loop(), asyncio.get_running_loop().time()
    monkeypatch.setattr(loop, "time", lambda: now)  # on a busy machine the interval would end between two changes
    names = ("one", "other")
    refs = [Ref(PublicPart(name, counter.paced, lambda name=name: (name,), EVERY), (), "en") for name in names]
    screen = Screen()
    for ref in refs:
        await screen.watch(parts, ref)
        now += EVERY / 100
    for number in range(8):
        counter.text, screen.writes = f"change {number}", 0
        for name in names:
            parts.bus.notify_listeners(name)
            await asyncio.to_thread(str)  # in different turns of the event loop
        assert screen.writes == 0, "both wait for the end of the interval"
        now += EVERY
        for ref in refs:
            await until_shown(screen, ref, counter.text)
        assert screen.writes == 1


async def test_change_after_the_interval_is_read_at_once(parts, counter):
    ref = paced(counter)
    screen = Screen()
    live = await screen.watch(parts, ref)
    live.next_read = asyncio.get_running_loop().time()  # the interval is over
    counter.text = "second"
    parts.bus.notify_listeners("taps")
    assert live.timer is None
    assert live.refresh is not None
    await until_shown(screen, ref, "second")


async def test_expiring_part_is_read_until_it_no_longer_expires(parts, counter):
    ref = aging(counter)
    screen = Screen()
    counter.older = 3
    live = await screen.watch(parts, ref)
    await until_shown(screen, ref, "0")
    assert counter.reads == 4
    assert live.timer is None


async def test_expired_part_without_sockets_is_read_on_request(parts, counter):
    ref = aging(counter)
    counter.older = 2
    live = await parts.current(ref)
    assert live.timer is not None
    live.timer.cancel()
    parts._timer_end(live)  # as the timer does
    assert (live.is_stale, counter.reads) == (True, 1)
    assert (await parts.current(ref)).model["children"] == ["1"]


async def test_evicted_part_has_no_timer(parts, counter):
    ref = aging(counter)
    counter.older = 1
    live = await parts.current(ref)
    parts.check()
    parts.check()
    assert ref.key not in parts.live
    assert live.timer is not None
    assert live.timer.cancelled()


async def test_read_restarts_the_timer_of_an_expiring_part(parts, counter):
    ref = aging(counter)
    screen = Screen()
    counter.older, counter.old_after = 5, 60.0
    live = await screen.watch(parts, ref)
    before = live.timer
    parts.bus.notify_listeners("taps")
    await until_shown(screen, ref, "4")
    assert before.cancelled()
    assert live.timer.when() > before.when()
