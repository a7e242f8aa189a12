"""The herd at the door."""

import asyncio
from types import SimpleNamespace

import pytest

from project import admission as module
from project.admission import Admission


async def first_render(admission: Admission, inside: list[int], most: list[int], release: asyncio.Event) -> None:
    async with admission.turn():
        inside.append(1)
        most.append(len(inside))
        await release.wait()
        inside.pop()


async def turns() -> None:
    """Let everything that can run do so."""
    for _ in range(100):
        await asyncio.sleep(0)


async def test_only_so_many_render_at_a_time_and_all_get_their_turn() -> None:
    admission, inside, most, release = Admission(slots=3), [], [], asyncio.Event()
    work = [asyncio.create_task(first_render(admission, inside, most, release)) for _ in range(20)]
    await turns()
    assert admission.waiting == 17
    release.set()
    await asyncio.gather(*work)
    assert max(most) == 3
    assert len(most) == 20
    assert admission.waiting == 0


async def test_whoever_leaves_while_waiting_takes_no_turn() -> None:
    admission, inside, most, release = Admission(slots=1), [], [], asyncio.Event()
    first, second, third = (asyncio.create_task(first_render(admission, inside, most, release)) for _ in range(3))
    await turns()
    second.cancel()
    await asyncio.gather(second, return_exceptions=True)
    assert admission.waiting == 1
    release.set()
    await asyncio.gather(first, third)
    assert len(most) == 2


async def test_whoever_would_wait_too_long_is_told_when_to_come_back() -> None:
    admission = Admission(slots=2)
    admission.took.extend([0.1] * len(admission.took))
    admission.waiting = 400
    assert admission.come_back() == 0  # twenty seconds are borne
    admission.waiting = 500
    assert admission.come_back() == 25


async def test_a_render_that_fails_is_measured_too(monkeypatch: pytest.MonkeyPatch) -> None:
    moments = iter([100.0, 100.105])
    monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: next(moments)))
    admission = Admission(slots=1)
    with pytest.raises(RuntimeError):
        async with admission.turn():
            raise RuntimeError
    assert admission.gate._value == 1, "a failed render gives its turn back"
    assert admission.took[-1] == pytest.approx(0.105)


async def test_what_holds_everybody_up_once_sends_nobody_away() -> None:
    admission = Admission(slots=4)
    admission.waiting = 1000
    admission.took.extend([3.0] * 4)  # the first of a process that has only begun
    assert admission.come_back() == 0
    admission.took.extend([3.0] * 16)  # it stays slow
    assert admission.come_back() > 100
