"""Sign-in with Google in a browser, with a local test provider in place of Google."""

import os
import re
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, Route, expect
from pytest_django.plugin import DjangoDbBlocker

from apps.accounts.models import User
from tests import provider
from tests.conftest import PREFIX
from tests.e2e import content
from tests.e2e.barriers import barriers
from tests.e2e.conftest import Site
from tests.e2e.doors import expect_signed_in, expect_stranger
from tests.e2e.server import Server, demo_database
from tests.e2e.windows import Windows

PICTURE = "https://pictures.example/ewa.png"
PEOPLE = ({"sub": "1001", "email": "ewa@example.org", "email_verified": True, "picture": PICTURE},)
ELSEWHERE = (r"asks another origin: (http://127\.0\.0\.1:|https://cdn\.jsdelivr\.net/|https://pictures\.example/)",)


@pytest.fixture(scope="module")
def google() -> Iterator[str]:
    with provider.provider(PEOPLE) as address:
        yield address


@pytest.fixture(scope="module")
def google_site(
    google: str, tmp_path_factory: pytest.TempPathFactory, django_db_blocker: DjangoDbBlocker
) -> Iterator[Site]:
    """Run a site with client credentials at the provider."""
    folder: Path = tmp_path_factory.mktemp("google")
    name = f"{PREFIX}{os.getpid()}_google"
    with demo_database(name) as address:
        server = Server(folder, address, VENUE_ADDRESSES="127.0.0.1", **provider.environment(google))
        desk = content.Desk(name, django_db_blocker.unblock)
        try:
            server.start()
            yield Site(server, desk, None)  # these journeys need no row ids
        finally:
            desk.leave()
            server.kill()


@pytest_asyncio.fixture(loop_scope="session")
async def windows(browser: Browser, google_site: Site) -> AsyncIterator[Windows]:
    opened = Windows(browser, google_site.server.address)
    yield opened
    await opened.end()
    said = google_site.server.said()
    assert "Traceback" not in said, said
    assert " ERROR " not in said, said


async def picture(route: Route) -> None:
    await route.fulfill(path=Path(__file__).parents[2] / "components" / "static" / "og.png")


async def stays(route: Route) -> None:
    """Answer 204, so that a page with an automatic redirect stays."""
    await route.fulfill(status=204)


async def entrance(windows: Windows, path: str = "/login", **options: Any) -> Page:
    """Open a window on the site that tolerates requests to the provider and the picture's origin."""
    page = await windows.open(tolerated=ELSEWHERE, wait_live=False, **options)
    await page.context.route(PICTURE, picture)
    await page.context.route("https://cdn.jsdelivr.net/**", lambda route: route.fulfill(body=""))
    await page.goto(path)
    return page


async def choose(page: Page, words: str = "Sign in with Google") -> None:
    """Press the button and choose the identity on the provider's page."""
    await page.get_by_role("button", name=words).click()
    await page.get_by_role("button", name="1001", exact=True).click()


def accounts(site: Site) -> list[tuple[str, str]]:
    found = User.objects.filter(email="ewa@example.org").values_list("username", "avatar_url")
    return site.desk.do(list, found)


async def test_first_google_sign_in_creates_an_account_and_the_second_uses_it(
    google_site: Site, windows: Windows
) -> None:
    page = await entrance(windows, "/login?next=/profile")
    await choose(page)
    await expect(page).to_have_url(f"{google_site.server.address}/profile")
    await expect_signed_in(page)
    [(username, address)] = accounts(google_site)
    assert re.fullmatch(r"chopin\d{4}", username)
    assert address == PICTURE
    await expect(page.get_by_label("Username")).to_have_value(username)
    await expect(page.get_by_label("E-mail")).to_have_value("ewa@example.org")
    await page.get_by_role("button", name="Sign out", exact=True).click()
    await expect_stranger(page)
    await page.goto("/register")
    await choose(page, "Sign up with Google")
    await expect(page).to_have_url(f"{google_site.server.address}/")
    await expect_signed_in(page)
    assert accounts(google_site) == [(username, PICTURE)]


async def test_pages_during_and_after_a_denied_google_sign_in_have_no_barriers(
    google_site: Site, windows: Windows
) -> None:
    page = await entrance(windows)
    await page.route("**/auth/callback?*finish=1", stays)  # block the final redirect
    await choose(page)
    await expect(page.locator("h1")).to_have_text("Finalizing login...")
    assert await barriers(page) == ""
    await page.unroute("**/auth/callback?*finish=1")
    await page.goto("/login")
    await page.route("**/login", stays)
    await page.get_by_role("button", name="Sign in with Google").click()
    await page.get_by_role("button", name="Deny").click()
    await expect(page.get_by_role("alert")).to_have_text("Error during login. Please try again.")
    await expect(page.get_by_role("link", name="Return to login")).to_have_attribute("href", "/login")
    assert await barriers(page) == ""
    await expect_stranger(page)
