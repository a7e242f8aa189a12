"""Admission of first renders when many browsers connect at once."""

import asyncio
from contextlib import AsyncExitStack
from types import SimpleNamespace

import pytest

from project.limits import render_admission as module
from project.limits.rates import COME_BACK_MOST
from project.limits.render_admission import RECENT, RenderAdmission


class Clock:
    """A clock that the test sets."""

    now = 1000.0


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clock of the estimates."""
    made = Clock()
    monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: made.now))
    return made


async def rendered(render_admission: RenderAdmission, clock: Clock, seconds: float, times: int = 1) -> None:
    """Run this many first renders, each of this duration."""
    for _ in range(times):
        clock.now -= seconds
        async with render_admission.admission():
            clock.now += seconds


async def together(render_admission: RenderAdmission, clock: Clock, seconds: float) -> None:
    """Run a first render of this duration in every slot at once."""
    async with AsyncExitStack() as inside:
        for _ in range(render_admission.slots):
            await inside.enter_async_context(render_admission.admission())
        clock.now += seconds


async def first_render(
    render_admission: RenderAdmission, inside: list[int], most: list[int], release: asyncio.Event
) -> None:
    async with render_admission.admission():
        inside.append(1)
        most.append(len(inside))
        await release.wait()
        inside.pop()


async def turns() -> None:
    """Let every task that can run do so."""
    for _ in range(100):
        await asyncio.sleep(0)


async def test_only_so_many_render_at_a_time_and_all_get_their_turn() -> None:
    render_admission, inside, most, release = RenderAdmission(slots=3), [], [], asyncio.Event()
    work = [asyncio.create_task(first_render(render_admission, inside, most, release)) for _ in range(20)]
    await turns()
    assert render_admission.waiting == 17
    release.set()
    await asyncio.gather(*work)
    assert max(most) == 3
    assert len(most) == 20
    assert render_admission.waiting == 0


async def test_whoever_leaves_while_waiting_takes_no_turn() -> None:
    render_admission, inside, most, release = RenderAdmission(slots=1), [], [], asyncio.Event()
    first, second, third = (
        asyncio.create_task(first_render(render_admission, inside, most, release)) for _ in range(3)
    )
    await turns()
    second.cancel()
    await asyncio.gather(second, return_exceptions=True)
    assert render_admission.waiting == 1
    release.set()
    await asyncio.gather(first, third)
    assert len(most) == 2


async def test_whoever_would_wait_too_long_is_told_when_there_will_be_room(clock: Clock) -> None:
    render_admission = RenderAdmission(slots=2)
    await rendered(render_admission, clock, 0.1, times=50)
    render_admission.waiting = 399
    assert render_admission.come_back() == 0  # a wait of twenty seconds is accepted
    render_admission.waiting = 499
    assert render_admission.come_back() == 5
    render_admission.waiting = 5000
    assert render_admission.come_back() == COME_BACK_MOST


async def test_nobody_is_sent_away_for_what_took_long_some_time_ago(clock: Clock) -> None:
    """Old slow renders do not count: once, a process sent browsers away for 42 s while it was idle."""
    render_admission = RenderAdmission(slots=4)
    await rendered(render_admission, clock, 0.5, times=200)
    render_admission.waiting = 400
    assert render_admission.come_back() == COME_BACK_MOST, "as long as it lasts"
    clock.now += RECENT
    assert render_admission.come_back() == 0
    await rendered(render_admission, clock, 0.005, times=40)
    assert render_admission.come_back() == 0


async def test_a_render_that_fails_is_measured_too(clock: Clock) -> None:
    render_admission = RenderAdmission(slots=1)

    async def fails() -> None:
        async with render_admission.admission():
            clock.now += 0.105
            raise RuntimeError

    with pytest.raises(RuntimeError):
        await fails()
    assert render_admission.semaphore._value == 1, "a failed render gives its turn back"
    await rendered(render_admission, clock, 1.0)
    assert render_admission.usual_seconds == pytest.approx(0.105), "the slowest round does not count"


async def test_what_holds_everybody_up_once_sends_nobody_away(clock: Clock) -> None:
    render_admission = RenderAdmission(slots=4)
    await together(render_admission, clock, 3.0)  # slow imports of a new process
    render_admission.waiting = 1000
    assert render_admission.come_back() == 0
    render_admission.waiting = 0
    for _ in range(3):  # renders stay slow
        await together(render_admission, clock, 3.0)
    render_admission.waiting = 1000
    assert render_admission.come_back() == COME_BACK_MOST
