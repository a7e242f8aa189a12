"""The watchdog reports a blocked event loop and too much memory, in real processes."""

import asyncio
import re
import resource
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.conf import settings
from django.db import connection
from pytest_django.fixtures import Settings

from project.launcher.serve import FILES
from project.observability import watchdog as module
from project.observability.watchdog import EXIT_CODE, Watchdog, watchdog
from tests.e2e import content
from tests.project.small import Small
from tests.servers import request

pytestmark = pytest.mark.django_db(transaction=True)
Start = Callable[..., Small]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Return a function that starts processes. They are ended after the test."""
    begun: list[Small] = []

    def small(*changes: str, awaited: bool = True, **environment: str) -> Small:
        begun.append(Small(tmp_path, content.address(connection.settings_dict["NAME"]), *changes, **environment))
        begun[-1].start(awaited=awaited)
        return begun[-1]

    yield small
    for each in begun:
        each.leave()


async def test_a_loop_that_stands_still_is_written_down_once_and_goes_on(start: Start) -> None:
    site = await asyncio.to_thread(start, "LOOP_BLOCKED_SECONDS=2")
    asked = asyncio.create_task(request(site, "/blocked"))
    await asyncio.to_thread(site.until, "# on the event loop")
    site.release()
    assert (await asked)[0] == 200
    stacks = re.split(r"^Thread ", site.text, flags=re.MULTILINE)[1:]
    assert stacks[0].startswith("MainThread (the loop):")
    assert "os.read(0, 1)  # on the event loop" in stacks[0]
    status, numbers = await request(site, "/metrics")
    assert status == 200
    assert b"\nparterre_loop_blocked_total 1.0\n" in numbers
    assert site.text.count("has stood still") == 1
    assert await asyncio.to_thread(site.end_quietly) == 0


async def test_a_loop_that_stands_still_for_long_ends_the_process(start: Start) -> None:
    site = await asyncio.to_thread(start, "LOOP_BLOCKED_SECONDS=1", "LOOP_DEAD_SECONDS=3", LOG_FORMAT="json")
    asked = asyncio.create_task(request(site, "/blocked"))
    assert await asyncio.to_thread(site.ended) == EXIT_CODE
    assert (await asked)[0] == 0
    assert re.search(r'"level": "CRITICAL".*stood still for \d+\.\d s: the end".*"stacks"', site.text)


async def test_a_process_that_uses_too_much_drains_itself_once(start: Start) -> None:
    site = await asyncio.to_thread(start, awaited=False, MEMORY_LIMIT_MB="1", DRAIN_SECONDS="0")
    assert await asyncio.to_thread(site.ended) == 0
    assert site.text.count("memory: ") == 1
    assert "MB of 1 MB are in use: draining" in site.text


def test_a_shells_limit_of_open_files_is_none_of_viewers(start: Start) -> None:
    now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (512, most))
    try:
        site = start()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (now, most))
    assert site.process
    limits = Path(f"/proc/{site.process.pid}/limits").read_text()
    assert int(re.findall(r"Max open files +(\d+)", limits)[0]) == (FILES if most < 0 else min(FILES, most))


@pytest.mark.parametrize("how", ["DEBUG", "debugger"])
def test_nothing_is_ended_while_somebody_debugs(settings: Settings, monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    assert watchdog().dead == settings.LOOP_DEAD_SECONDS == 10.0
    if how == "DEBUG":
        settings.DEBUG = True
    else:
        monkeypatch.setitem(sys.modules, "debugpy", module)
    guard = watchdog()
    assert (guard.dead, guard.blocked) == (0.0, 1.0)


async def test_a_process_that_was_itself_stopped_has_not_hung(monkeypatch: pytest.MonkeyPatch) -> None:
    """An hour passes between two checks of the watchdog, and the loop has not run yet."""
    guard = Watchdog(blocked=1.0, dead=10.0, memory_limit=0.0)
    looks = iter([False, False, True])
    moments = iter([0.0, 0.25, 3600.0])
    guard.beats = 1
    monkeypatch.setattr(guard.ending, "wait", lambda _: next(looks))
    monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: next(moments)))
    monkeypatch.setattr(module, "_log_write", lambda *_: pytest.fail("it was taken for hanged"))
    guard._run()
    assert settings.MEMORY_LIMIT_MB == 0.0
