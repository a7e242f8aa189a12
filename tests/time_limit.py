"""A time limit for each test. A test above it fails alone, with the stacks of all threads and tasks.

The limit is LIMIT seconds, or that of the marker `limit(seconds, reason=...)`, for set-up, test and teardown each. The
signal interrupts the main thread, so it also ends a coroutine that never suspends. pytest-timeout does the same, but
prints no stacks of tasks, and counts what a run prepares for all its tests as time of the first test.
"""

import asyncio
import io
import signal
import sys
import threading
import traceback
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import pytest

LIMIT = 120.0  # seconds
PREPARATION = 600.0  # seconds: a migrated template, or one with the whole demo, on a busy machine
AGAIN = 10.0  # seconds between two attempts to end a test
FRAMES = 12  # innermost frames of a stack


def limit_of(item: pytest.Item) -> float:
    """Return the time limit of this test in seconds."""
    mark = item.get_closest_marker("limit")
    if mark is None:
        return LIMIT
    (seconds,), reason = mark.args, mark.kwargs.get("reason")
    if not reason:
        raise pytest.UsageError(f"{item.nodeid}: the marker `limit` needs a reason")
    return float(seconds)


def stacks() -> str:
    """Return the stacks of all threads, and of all tasks of the main thread's event loop."""
    written = io.StringIO()
    names = {thread.ident: thread.name for thread in threading.enumerate()}
    for ident, frame in sys._current_frames().items():
        written.write(f"\nthread {names.get(ident, ident)}:\n")
        written.writelines(traceback.format_stack(frame, FRAMES))
    for task in _tasks():
        written.write(f"\ntask {task.get_name()}:\n")
        task.print_stack(limit=FRAMES, file=written)
    return written.getvalue()


def _tasks() -> set["asyncio.Task[Any]"]:
    try:
        return asyncio.all_tasks(asyncio.get_running_loop())
    except RuntimeError:  # no event loop runs in this thread
        return set()


@contextmanager
def time_limit(item: pytest.Item) -> Iterator[None]:
    """Fail the test in the main thread when its limit has passed, and again if a task has caught that."""
    seconds = limit_of(item)

    def end(_signal: int, _frame: FrameType | None) -> None:
        pytest.fail(f"{item.nodeid} ran longer than {seconds:.0f} s{stacks()}", pytrace=False)

    before = signal.signal(signal.SIGALRM, end)
    signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def preparation() -> Iterator[None]:
    """Stop the test's clock while the run prepares what all its tests share, for at most PREPARATION seconds."""
    remaining, _ = signal.setitimer(signal.ITIMER_REAL, PREPARATION, AGAIN)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, remaining, AGAIN if remaining else 0)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None, Any, Any]:
    """Limit the fixtures before the test."""
    with time_limit(item):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, Any]:
    """Limit the test itself."""
    with time_limit(item):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item) -> Generator[None, Any, Any]:
    """Limit the fixtures after the test."""
    with time_limit(item):
        return (yield)
