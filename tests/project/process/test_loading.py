"""Concurrent callers with the same key share one run."""

import asyncio

import pytest

from project.process.web_process import _running, once


class Work:
    """Work that takes until an event is set."""

    def __init__(self, *, failing: bool = False) -> None:
        self.runs, self.failing = 0, failing
        self.may_end = asyncio.Event()

    async def __call__(self) -> int:
        """Wait for the event."""
        self.runs += 1
        await self.may_end.wait()
        if self.failing:
            raise LookupError(str(self.runs))
        return self.runs


async def begun(number: int, key: str, work: Work) -> list["asyncio.Task[int]"]:
    """Start this many callers and let them wait."""
    callers = [asyncio.create_task(once(key, work)) for _ in range(number)]
    await asyncio.wait(callers, timeout=0)
    return callers


async def test_concurrent_callers_share_a_run() -> None:
    work = Work()
    callers = await begun(100, "key", work)
    other = await begun(1, "other", work)
    work.may_end.set()
    assert await asyncio.gather(*callers) == [work.runs] * 100
    await asyncio.gather(*other)
    assert work.runs == 2
    await once("key", work)
    assert work.runs == 3
    assert "key" not in _running


async def test_cancelled_caller_does_not_end_a_shared_run() -> None:
    work = Work()
    leaving, staying = await begun(2, "key", work)
    leaving.cancel()
    await asyncio.wait([leaving])
    work.may_end.set()
    assert await staying == 1


async def test_failure_reaches_all_callers_and_is_not_cached() -> None:
    work = Work(failing=True)
    callers = await begun(3, "key", work)
    work.may_end.set()
    assert [str(error) for error in await asyncio.gather(*callers, return_exceptions=True)] == ["1"] * 3
    with pytest.raises(LookupError, match="2"):
        await once("key", work)
    assert "key" not in _running
