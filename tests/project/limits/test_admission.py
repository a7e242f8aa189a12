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


async def render(render_admission: RenderAdmission, clock: Clock, seconds: float, times: int = 1) -> None:
    """Run this many first renders, each of this duration."""
    for _ in range(times):
        clock.now -= seconds
        async with render_admission.admission():
            clock.now += seconds


async def render_in_all_slots(render_admission: RenderAdmission, clock: Clock, seconds: float) -> None:
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


async def tasks_run() -> None:
    """Let every task that can run do so."""
    for _ in range(100):
        await asyncio.sleep(0)


async def test_renders_are_limited_and_all_run_in_the_end() -> None:
    render_admission, inside, most, release = RenderAdmission(slots=3), [], [], asyncio.Event()
    work = [asyncio.create_task(first_render(render_admission, inside, most, release)) for _ in range(20)]
    await tasks_run()
    assert render_admission.waiting == 17
    release.set()
    await asyncio.gather(*work)
    assert max(most) == 3
    assert len(most) == 20
    assert render_admission.waiting == 0


async def test_cancelled_render_takes_no_slot() -> None:
    render_admission, inside, most, release = RenderAdmission(slots=1), [], [], asyncio.Event()
    first, second, third = (
        asyncio.create_task(first_render(render_admission, inside, most, release)) for _ in range(3)
    )
    await tasks_run()
    second.cancel()
    await asyncio.gather(second, return_exceptions=True)
    assert render_admission.waiting == 1
    release.set()
    await asyncio.gather(first, third)
    assert len(most) == 2


async def test_browser_comes_back_later_if_the_wait_is_too_long(clock: Clock) -> None:
    render_admission = RenderAdmission(slots=2)
    await render(render_admission, clock, 0.1, times=50)
    render_admission.waiting = 399
    assert render_admission.come_back() == 0  # a wait of twenty seconds is accepted
    render_admission.waiting = 499
    assert render_admission.come_back() == 5
    render_admission.waiting = 5000
    assert render_admission.come_back() == COME_BACK_MOST


async def test_old_slow_renders_do_not_count(clock: Clock) -> None:
    """Otherwise an idle process sends browsers away, once for 42 s."""
    render_admission = RenderAdmission(slots=4)
    await render(render_admission, clock, 0.5, times=200)
    render_admission.waiting = 400
    assert render_admission.come_back() == COME_BACK_MOST, "as long as it lasts"
    clock.now += RECENT
    assert render_admission.come_back() == 0
    await render(render_admission, clock, 0.005, times=40)
    assert render_admission.come_back() == 0


async def test_failed_render_is_measured_and_frees_its_slot(clock: Clock) -> None:
    render_admission = RenderAdmission(slots=1)

    async def fails() -> None:
        async with render_admission.admission():
            clock.now += 0.105
            raise RuntimeError

    with pytest.raises(RuntimeError):
        await fails()
    assert render_admission.semaphore._value == 1, "a failed render gives its turn back"
    await render(render_admission, clock, 1.0)
    assert render_admission.usual_seconds == pytest.approx(0.105), "the slowest round does not count"


async def test_single_slow_round_sends_no_browser_away(clock: Clock) -> None:
    render_admission = RenderAdmission(slots=4)
    await render_in_all_slots(render_admission, clock, 3.0)  # slow imports of a new process
    render_admission.waiting = 1000
    assert render_admission.come_back() == 0
    render_admission.waiting = 0
    for _ in range(3):  # renders stay slow
        await render_in_all_slots(render_admission, clock, 3.0)
    render_admission.waiting = 1000
    assert render_admission.come_back() == COME_BACK_MOST
