"""Every page can be used by everybody: axe finds nothing, and a phone's page does not scroll sideways."""

import asyncio
from pathlib import Path

import pytest
from playwright.async_api import Browser

from tests.e2e.accounts import ADMINISTRATOR
from tests.e2e.barriers import barriers
from tests.e2e.conftest import Site
from tests.e2e.places import EVERY, PLAIN, STATUS
from tests.e2e.server import Server
from tests.e2e.windows import ABSENT, Windows


@pytest.mark.parametrize("pattern", EVERY)
async def test_page_has_no_barrier(pattern: str, site: Site, windows: Windows) -> None:
    page = await windows.open(
        site.places.at(pattern),
        session="" if pattern in PLAIN else site.sign_in(ADMINISTRATOR),
        tolerated=[ABSENT] if pattern in STATUS else [],
        wait_live=pattern not in PLAIN,
        reduced_motion="reduce",
    )
    assert await barriers(page) == ""


async def test_styleguide_has_no_barrier(site: Site, browser: Browser, tmp_path: Path) -> None:
    server = Server(tmp_path, site.server.environment["DATABASE_URL"], DEBUG="1")
    windows = Windows(browser, server.address)
    try:
        await asyncio.to_thread(server.start)
        page = await windows.open("/styleguide", reduced_motion="reduce")
        assert await barriers(page) == ""
        await windows.end()
    finally:
        server.kill()
