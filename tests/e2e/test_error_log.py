"""Browser errors arrive in the site's error log, from live pages and from plain pages."""

import json
import time

from playwright.async_api import Page, Route

from apps.core.selectors import LoggedError, error_list
from tests.e2e.conftest import Site
from tests.e2e.windows import PATIENCE, Windows

FAILS = "setTimeout(function () { throw new Error('No lamp in row %s') }, 300);"


async def logged(site: Site, page: Page, words: str) -> LoggedError:
    """Wait for the logged error with these words and return it."""
    until = time.monotonic() + PATIENCE / 1000
    while not (found := [each for each in site.desk.do(error_list) if words in each.message]):
        assert time.monotonic() < until, f"no {words!r} in the error log"
        await page.evaluate("() => new Promise(requestAnimationFrame)")
    [one] = found
    return one


async def failing(page: Page, row: str) -> None:
    """Make one of the site's scripts fail shortly after it has loaded."""

    async def spoiled(route: Route) -> None:
        answer = await route.fetch()
        await route.fulfill(response=answer, body=f"{await answer.text()}\n{FAILS % row}")

    await page.route("**/lights*.js", spoiled)


async def test_script_error_of_a_live_page_is_logged(site: Site, windows: Windows) -> None:
    page = await windows.open(session=site.sign_in("pedal-point"), tolerated=["No lamp in row A"])
    await failing(page, "A")
    await page.goto("/sessions?filter=past#list")
    found = await logged(site, page, "No lamp in row A")
    assert (found.message, found.severity, found.page_url) == ("Browser: No lamp in row A", "error", "/sessions")
    assert found.user_id is not None
    assert "Chrome" in found.user_agent
    assert "lights" in json.loads(found.error_details or "")["stack"]


async def test_script_error_of_the_sign_in_page_is_logged(site: Site, windows: Windows) -> None:
    page = await windows.open(tolerated=["No lamp in row B"])
    await failing(page, "B")
    await page.goto("/login?next=/profile")
    found = await logged(site, page, "No lamp in row B")
    assert (found.page_url, found.user_id) == ("/login", None)
