"""Fixtures of the browser tests: one server and one Chromium for each xdist worker, and windows for each test."""

import asyncio
import inspect
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Iterator
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, async_playwright
from pytest_django.plugin import DjangoDbBlocker

from apps.accounts.actors import OPERATOR
from apps.competition.services.live import performer_set, session_set_live
from apps.competition.services.stages import stage_archive
from apps.core.services import error_record
from tests import chromium
from tests.conftest import PREFIX
from tests.e2e import content
from tests.e2e.accounts import session_begin
from tests.e2e.fake_player import fake_player
from tests.e2e.fonts import FRACTIONAL, browser_environment
from tests.e2e.places import Appearances, appearances_find
from tests.e2e.server import Server, demo_database
from tests.e2e.windows import Windows
from tests.time_limit import limit_of, preparation

HERE = Path(__file__).parent
# Pages live for seconds: compiling their scripts for speed costs more than it gains, by a tenth of all CPU time.
QUIET = (
    "--js-flags=--no-opt --no-maglev",
    "--disable-background-networking", "--disable-component-update", "--disable-default-apps", "--disable-sync",
    "--no-first-run", "--no-default-browser-check", "--mute-audio",
)  # fmt: skip
SHOWN = 4_000  # characters of the server's log that a failure shows
# A browser error as the error log shows it; the address is one long word.
ERROR = "Browser: Failed to fetch http://localhost:8000/static/build/modules/client-video-player.0123456789ab.js"
PERFORMING = 6  # place in the demo's live session, from 0


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the journeys on the browser's event loop, with a time limit."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)
            if inspect.iscoroutinefunction(item.obj):
                item.obj = bounded(item.obj, limit_of(item) - 5)


def bounded(journey: Callable[..., Awaitable[None]], seconds: float) -> Callable[..., Awaitable[None]]:
    """Return the journey with a time limit that cancels it: the signal of the general limit leaves it on the loop."""

    @wraps(journey)
    async def run(**fixtures: Any) -> None:
        async with asyncio.timeout(seconds):
            await journey(**fixtures)

    return run


@dataclass(frozen=True, slots=True)
class Site:
    """The site under test: its process, its database access and the ids of its rows."""

    server: Server
    desk: content.Desk
    appearances: Appearances

    def perform(self, index: int) -> str:
        """Make the participant at this place (from 0) of the live session the performer and return the name."""
        self.desk.do(performer_set, actor=OPERATOR, appearance_id=self.appearances.performers[index])
        return self.appearances.names[index]

    def sign_in(self, username: str) -> str:
        """Create a session of this account and return its cookie."""
        return self.desk.do(session_begin, username)


@pytest.fixture(scope="session")
def whole_site(tmp_path_factory: pytest.TempPathFactory, django_db_blocker: DjangoDbBlocker) -> Iterator[Site]:
    """Run a server with the demo competition in its own database."""
    folder = tmp_path_factory.mktemp("site")
    name = f"{PREFIX}{os.getpid()}_journeys"
    with demo_database(name) as address:
        # All journeys share one address and together exceed the rate limit of one client.
        server = Server(folder, address, VENUE_ADDRESSES="127.0.0.1", DATABASE_URL=content.patient_address(address))
        desk = content.Desk(name, django_db_blocker.unblock)
        try:
            with preparation():
                server.start()
                desk.do(error_record, message=ERROR)
            appearances = desk.do(appearances_find)
            # tests add sessions to it
            desk.do(stage_archive, actor=OPERATOR, stage_id=appearances.stage, is_archived=False)
            yield Site(server, desk, appearances)
        finally:
            desk.leave()
            server.kill()


@pytest.fixture
def site(whole_site: Site, request: pytest.FixtureRequest) -> Iterator[Site]:
    """Yield the running site with its initial live session and performer; fail on logged errors."""
    begun = whole_site.server.log.stat().st_size
    request.node.stash[LOG] = (whole_site.server, begun)
    if not whole_site.server.answers():  # the previous test has killed it
        whole_site.server.start()
    whole_site.desk.do(session_set_live, actor=OPERATOR, session_id=whole_site.appearances.live)
    whole_site.perform(PERFORMING)
    yield whole_site
    said = whole_site.server.said(begun)
    assert "Traceback" not in said, said
    assert " ERROR " not in said, said


LOG = pytest.StashKey[tuple[Server, int]]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Add the end of the server's log to the report of a failed journey."""
    report = yield
    if report.failed and LOG in item.stash:
        server, begun = item.stash[LOG]
        report.sections.append(("the site's log", server.said(begun)[-SHOWN:]))
    return report


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Browser]:
    """Headless Chromium with the fonts of `tests/e2e/fonts.py`, shared by all journeys of a worker."""
    folder = tmp_path_factory.mktemp("browser")
    async with fake_player(folder) as resolution, async_playwright() as playwright:
        started = await playwright.chromium.launch(
            executable_path=chromium.executable(),
            args=[*chromium.ARGUMENTS, *QUIET, *FRACTIONAL, *resolution],
            env=browser_environment(folder),
        )
        yield started
        await started.close()


@pytest_asyncio.fixture(loop_scope="session")
async def windows(browser: Browser, site: Site) -> AsyncIterator[Windows]:
    """Yield a Windows object for the site; the test fails at its end if a window has faults."""
    opened = Windows(browser, site.server.address)
    yield opened
    await opened.end()
