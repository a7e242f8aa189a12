"""Behind proxies that block websockets, users rate, comment and moderate, and see the current performer."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import transaction
from playwright.async_api import Page, expect

from apps.accounts.models import User
from apps.core.models import RateLimitUse
from apps.live.models import SessionComment
from apps.ratings.models import PerformanceRating
from tests.e2e.accounts import ADMINISTRATOR
from tests.e2e.barriers import barriers
from tests.e2e.blocking_proxy import Blocking, Proxy, blocking_proxy
from tests.e2e.conftest import Site
from tests.e2e.rating import COMMENT, RATER, SUBMITTED, filled, stored, unrated
from tests.e2e.windows import SERVERLESS, Windows

SENTENCE = "Live updates are not available on this network."
POLLS = "#app[data-connection=polling]"
MOST = 2  # polls until a change is visible: the poll in flight and the next, at most 15 s later
TEXT = "Behind a proxy that blocks sockets."


@pytest.fixture
def address(site: Site) -> Iterator[str]:
    """Yield a participant's page; the rater has no ratings and no rate limit."""

    @transaction.atomic
    def clear() -> None:
        SessionComment.objects.filter(content=TEXT).delete()
        RateLimitUse.objects.all().delete()
        User.objects.filter(username=RATER).update(created_at="2020-01-01T00:00Z")

    for page in unrated(site):
        site.desk.do(clear)
        yield page
        site.desk.do(clear)


async def polls(page: Page) -> None:
    """Wait until the page shows that it polls."""
    await expect(page.locator(POLLS)).to_be_attached()
    await expect(page.locator("[data-connection-status]")).to_have_text(f"{SENTENCE}Reload")


def behind(proxy: Proxy) -> dict[str, Any]:
    """Return the options of a window behind this proxy."""
    tolerated = (SERVERLESS, "ERR_TUNNEL_CONNECTION_FAILED|ERR_PROXY")
    return {"proxy": {"server": proxy.address, "bypass": "<-loopback>"}, "wait_live": False, "tolerated": tolerated}


async def expect_performer_change(site: Site, page: Page) -> None:
    """Change the performer, and wait until the page of the live session shows it after at most MOST polls."""
    polled: list[str] = []
    page.on("requestfinished", lambda request: polled.append(request.url) if "parts=1" in request.url else None)
    name = site.perform(8)
    await expect(page.locator(".stand__said .person__name")).to_have_text(name)
    await expect(page.locator(".order > li.is-now .person__name")).to_have_text(name)
    assert len(polled) <= MOST, polled


async def expect_stayed(*pages: Page) -> None:
    """Check that these pages still poll and were not loaded again."""
    for page in pages:
        await polls(page)
        assert await page.evaluate("window.wasHere"), f"{page.url} was left"


async def test_marks_and_live_changes_need_no_lasting_socket(site: Site, windows: Windows, address: str) -> None:
    async with blocking_proxy(Blocking.REFUSES, site.server.port) as refuses:
        rates = await windows.open(address, session=site.sign_in(RATER), **behind(refuses))
        async with blocking_proxy(Blocking.CUTS, site.server.port) as cuts:
            watches = await windows.open(f"/sessions/{site.appearances.live}", width=360, **behind(cuts))
            await expect_polling(rates, watches)
            await submit(rates)
            assert stored(site)[0] == [23]
            await expect_performer_change(site, watches)
            await expect_stayed(rates, watches)
    for proxy in (refuses, cuts):
        assert proxy.tunnels > 1, f"the browser requested no sockets through the proxy that {proxy.blocking.value}"


async def expect_polling(*pages: Page) -> None:
    """Wait until these pages poll, and mark their documents."""
    for page in pages:
        await polls(page)
        await page.evaluate("window.wasHere = true")


async def submit(page: Page) -> None:
    """Fill in and submit the form of marks."""
    # permanent content only; tests/client/polling.test.js tests the temporary messages
    await filled(page)
    await page.get_by_role("button", name="Submit ratings").first.click()
    await expect(page.get_by_text(SUBMITTED)).to_be_visible()


async def test_members_and_administrators_need_no_socket(site: Site, windows: Windows, address: str) -> None:
    async with blocking_proxy(Blocking.SWALLOWS, site.server.port) as proxy:
        await _journey(site, windows, address, behind(proxy))
    assert proxy.tunnels > 3, "the browser requested sockets through the proxy"


async def _journey(site: Site, windows: Windows, address: str, options: dict[str, Any]) -> None:
    member = site.sign_in(RATER)
    rates = await windows.open(address, session=member, **options)
    comments = await windows.open(f"/sessions/{site.appearances.live}#comments", session=member, **options)
    moderates = await windows.open("/admin?tab=performances", session=site.sign_in(ADMINISTRATOR), **options)
    watches = await windows.open(f"/sessions/{site.appearances.live}", width=360, **options)
    pages = (rates, comments, moderates, watches)
    await expect_polling(*pages)
    assert await barriers(watches) == ""

    await submit(rates)
    assert stored(site)[0] == [23]

    await comments.get_by_label("Your comment", exact=True).fill(TEXT)
    await comments.get_by_role("button", name="Comment", exact=True).click()
    await expect(comments.locator(".says").filter(has_text=TEXT)).to_be_visible()
    await expect(comments.get_by_role("button", name="Delete “Behind")).to_be_visible()

    row = moderates.locator(".queue > li").filter(has_text=f" by {RATER}, ")
    await expect(row).to_be_visible()
    await row.get_by_role("button", name="Approve").click()
    await expect(row).to_have_count(0)
    approved = PerformanceRating.objects.filter(user__username=RATER, comment=COMMENT, approved=True)
    assert site.desk.do(approved.count) == 1

    await expect_performer_change(site, watches)
    await expect_stayed(*pages)
