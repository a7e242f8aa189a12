"""Behind proxies that block websockets, users rate, comment, post and moderate, and see the current performer."""

from collections.abc import Iterator

import pytest
from django.db import transaction
from playwright.async_api import Page, expect

from apps.accounts.models import User
from apps.community.models import Post
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
SAID = "Behind a wall, and heard all the same."


@pytest.fixture
def address(site: Site) -> Iterator[str]:
    """Yield a participant's page; the rater has no ratings and no rate limit."""

    @transaction.atomic
    def clear() -> None:
        Post.objects.filter(content=SAID).delete()
        SessionComment.objects.filter(content=SAID).delete()
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


@pytest.mark.parametrize("blocking", Blocking)
async def test_everything_can_be_done_where_no_socket_lasts(
    site: Site, windows: Windows, address: str, blocking: Blocking
) -> None:
    async with blocking_proxy(blocking, site.server.port) as proxy:
        await _journey(site, windows, address, proxy)
    assert proxy.tunnels > 3, "sockets were tried, and all of them through the proxy"


async def _journey(site: Site, windows: Windows, address: str, proxy: Proxy) -> None:
    behind = {"proxy": {"server": proxy.address, "bypass": "<-loopback>"}, "wait_live": False}
    behind["tolerated"] = (SERVERLESS, "ERR_TUNNEL_CONNECTION_FAILED|ERR_PROXY")
    member = site.sign_in(RATER)
    rates = await windows.open(address, session=member, **behind)
    comments = await windows.open(f"/sessions/{site.appearances.live}#comments", session=member, **behind)
    posts = await windows.open("/community", session=member, **behind)
    moderates = await windows.open("/admin?tab=performances", session=site.sign_in(ADMINISTRATOR), **behind)
    looks = await windows.open(f"/sessions/{site.appearances.live}", width=360, **behind)
    everybody = (rates, comments, posts, moderates, looks)
    for page in everybody:
        await polls(page)
        await page.evaluate("window.wasHere = true")
    assert await barriers(looks) == ""

    # permanent content only; tests/client/polling.test.js tests the temporary messages
    await filled(rates)
    await rates.get_by_role("button", name="Submit ratings").first.click()
    await expect(rates.get_by_text(SUBMITTED)).to_be_visible()
    assert stored(site)[0] == [23]

    await comments.get_by_label("Your comment", exact=True).fill(SAID)
    await comments.get_by_role("button", name="Comment", exact=True).click()
    await expect(comments.locator(".says").filter(has_text=SAID)).to_be_visible()
    await expect(comments.get_by_role("button", name="Delete “Behind")).to_be_visible()

    await posts.get_by_label("Your post").fill(SAID)
    await posts.get_by_role("button", name="Post", exact=True).click()
    await expect(posts.locator(".post").first).to_contain_text(SAID)

    row = moderates.locator(".queue > li").filter(has_text=f" by {RATER}, ")
    await expect(row).to_be_visible()
    await row.get_by_role("button", name="Approve").click()
    await expect(row).to_have_count(0)
    mine = PerformanceRating.objects.filter(user__username=RATER, comment=COMMENT, approved=True)
    assert site.desk.do(mine.count) == 1

    asked: list[str] = []
    looks.on("requestfinished", lambda request: asked.append(request.url) if "parts=1" in request.url else None)
    name = site.perform(8)
    await expect(looks.locator(".stand__said .person__name")).to_have_text(name)
    await expect(looks.locator(".order > li.is-now .person__name")).to_have_text(name)
    assert len(asked) <= MOST, asked
    for page in everybody:
        await polls(page)
        assert await page.evaluate("window.wasHere"), f"{page.url} was left"
