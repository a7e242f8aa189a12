"""The watchdog reports a blocked event loop and too much memory, in real processes."""

import asyncio
import re
import resource
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.conf import settings
from pytest_django.fixtures import Settings

from project.launcher.serve import FILES
from project.observability import watchdog as module
from project.observability.watchdog import EXIT_CODE, Watchdog, watchdog
from tests.project.small import Small
from tests.servers import request

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, django_db_setup: None) -> Iterator[Small]:
    """A process that was started with a low limit of open files."""
    now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    made = Small(tmp_path_factory.mktemp("watched"), "", "LOOP_BLOCKED_SECONDS=2", "LOOP_DEAD_SECONDS=8")
    resource.setrlimit(resource.RLIMIT_NOFILE, (512, most))
    try:
        made.start()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (now, most))
    yield made
    made.leave()


def test_limit_of_open_files_is_raised(site: Small) -> None:
    assert site.process
    limits = Path(f"/proc/{site.process.pid}/limits").read_text()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    assert int(re.findall(r"Max open files +(\d+)", limits)[0]) == (FILES if most < 0 else min(FILES, most))


async def test_blocked_loop_is_logged_once_and_a_dead_one_ends_the_process(site: Small) -> None:
    response = asyncio.create_task(request(site, "/blocked"))
    await asyncio.to_thread(site.until, "# on the event loop")
    site.release()
    assert (await response)[0] == 200
    stacks = re.split(r"^Thread ", site.text, flags=re.MULTILINE)[1:]
    assert stacks[0].startswith("MainThread (the loop):")
    assert "os.read(0, 1)  # on the event loop" in stacks[0]
    status, numbers = await request(site, "/metrics")
    assert status == 200
    assert b"\nparterre_loop_blocked_total 1.0\n" in numbers
    assert site.text.count("has stood still") == 1
    response = asyncio.create_task(request(site, "/blocked?again"))
    assert await asyncio.to_thread(site.ended) == EXIT_CODE
    assert (await response)[0] == 0
    assert re.search(r" CRITICAL .*stood still for \d+\.\d s: the end", site.text)


def test_process_above_its_memory_limit_drains_once(tmp_path: Path) -> None:
    site = Small(tmp_path, MEMORY_LIMIT_MB="1", DRAIN_SECONDS="0")
    try:
        site.start(awaited=False)
        assert site.ended() == 0
    finally:
        site.leave()
    assert site.text.count("memory: ") == 1
    assert "MB of 1 MB are in use: draining" in site.text


def test_watchdog_ends_no_process_during_debugging(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    assert watchdog().dead == settings.LOOP_DEAD_SECONDS == 10.0
    settings.DEBUG = True
    assert (watchdog().dead, watchdog().blocked) == (0.0, 1.0)
    settings.DEBUG = False
    monkeypatch.setitem(sys.modules, "debugpy", module)
    assert (watchdog().dead, watchdog().blocked) == (0.0, 1.0)


async def test_suspended_process_is_not_reported_as_blocked(monkeypatch: pytest.MonkeyPatch) -> None:
    """An hour passes between two checks of the watchdog, and the loop has not run yet."""
    guard = Watchdog(blocked=1.0, dead=10.0, memory_limit=0.0)
    looks = iter([False, False, True])
    moments = iter([0.0, 0.25, 3600.0])
    guard.beats = 1
    monkeypatch.setattr(guard.ending, "wait", lambda _: next(looks))
    monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: next(moments)))
    monkeypatch.setattr(module, "_log_write", lambda *_: pytest.fail("the suspended process was reported as blocked"))
    guard._run()
    assert settings.MEMORY_LIMIT_MB == 0.0
