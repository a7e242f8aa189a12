"""A server crash: pages keep the viewer's input, video and content, reconnect, and store each text once."""

import asyncio
from collections.abc import Iterator
from datetime import timedelta

import psycopg
import pytest
from django.db import transaction
from django.utils import timezone
from playwright.async_api import Locator, Page, expect

from apps.accounts.models import User
from apps.community.events import PostsChanged
from apps.community.models import Post, Report
from apps.core.events import publish
from apps.core.models import RateLimitUse
from apps.live.events import CommentsChanged
from apps.live.models import SessionComment
from tests.e2e.accounts import LISTENER
from tests.e2e.conftest import Site
from tests.e2e.rating import COMMENT, RATER, SUBMITTED, filled, form_of, stored, unrated
from tests.e2e.windows import LIVE, SERVERLESS, Windows, live
from tests.waiting import until

STATUS = "[data-connection-status]"
CARET = "() => [document.activeElement.id, document.activeElement.value, document.activeElement.selectionStart]"
WAITING = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%piece_ratings%'"
REPORTER = "NightTrain"  # a member
TEXT = "Written while the server restarts."
VALUES = "(form) => [...form.querySelectorAll('input[type=range], textarea')].map(({ value }) => value)"


@pytest.fixture
def reported_post(site: Site) -> Iterator[int]:
    """Yield the id of a post; accounts are 30 days old and have no rate limits, and the rater has no ratings."""

    @transaction.atomic
    def clear() -> None:
        Post.objects.filter(content__in=(TEXT, "To be reported")).delete()
        SessionComment.objects.filter(content=TEXT).delete()
        RateLimitUse.objects.all().delete()
        publish(PostsChanged())
        publish(CommentsChanged(session_ids=(site.appearances.live,)))

    def begin() -> int:
        clear()
        User.objects.update(created_at=timezone.now() - timedelta(days=30))
        return Post.objects.create(user=User.objects.get(username=LISTENER), content="To be reported").pk

    for _ in unrated(site):
        yield site.desk.do(begin)
        site.desk.do(clear)


async def killed_during_submit(site: Site, ratings: Page) -> None:
    """Kill the server while it stores this page's ratings."""
    database = site.server.environment["OWNER_DATABASE_URL"]
    # autocommit, because a transaction always sees the same snapshot of PostgreSQL's activity
    with psycopg.connect(database) as lock, psycopg.connect(database, autocommit=True) as observer:
        lock.execute("LOCK TABLE piece_ratings IN ACCESS EXCLUSIVE MODE")
        await form_of(ratings).get_by_role("button", name="Submit ratings").click()
        await expect(form_of(ratings).get_by_role("button", name="Submitting...")).to_be_disabled()
        await until(lambda: observer.execute(WAITING).fetchone() != (0,), "the query that waits for the lock")
        await asyncio.to_thread(site.server.kill)


async def sent_without_a_server(page: Page, text: Locator, button: str) -> None:
    """Write the text and press the button: the text stays, and the page says that it is not sent."""
    await text.fill(TEXT)
    await page.get_by_role("button", name=button, exact=True).click()
    await expect(page.get_by_text("This is not sent yet. It is sent as soon as that is possible.")).to_be_visible()
    await expect(text).to_have_value(TEXT)


async def test_pages_keep_input_video_and_content_through_a_crash_and_store_each_text_once(
    site: Site, windows: Windows, reported_post: int
) -> None:
    member, crash = site.sign_in(LISTENER), {"tolerated": [SERVERLESS]}
    ratings = await windows.open(f"/participants/{site.appearances.participant}", session=site.sign_in(RATER), **crash)
    stage = await windows.open(f"/sessions/{site.appearances.live}#comments", session=member, **crash)
    foyer = await windows.open("/community", session=member, **crash)
    report = await windows.open(
        f"/community/report?thing=post%3A{reported_post}", session=site.sign_in(REPORTER), **crash
    )
    search, home, visitor = [await windows.open(path, **crash) for path in ("/participants", "/", "/participants")]
    video = await stage.wait_for_selector("#stage-video")
    field = search.get_by_label("Name")
    await field.press_sequentially("wrob")
    await expect(search.locator(".cards > li")).to_have_count(1)
    await filled(ratings)
    await report.get_by_label("Insult").check()
    await home.context.set_offline(True)
    await killed_during_submit(site, ratings)

    # without a server the pages keep what is shown and typed
    for page in (search, stage, home, visitor):
        await expect(page.locator(LIVE)).to_have_count(0)
    assert await asyncio.to_thread(stored, site) == ([], [])
    values = await form_of(ratings).evaluate(VALUES)
    assert (values[0], values[-1]) == ("23", COMMENT)
    texts = [
        (stage, stage.get_by_label("Your comment", exact=True), "Comment"),
        (foyer, foyer.get_by_label("Your post"), "Post"),
        (report, report.get_by_label("In your words"), "Report"),
    ]
    for sending in texts:
        await sent_without_a_server(*sending)
    await field.press_sequentially("levska")
    for _ in range(2):
        await field.press("ArrowLeft")
    for page in (search, stage, home):
        await expect(page.locator(STATUS)).to_have_text("Reconnecting…")
        await expect(page.locator(STATUS)).to_have_attribute("role", "status")
    name = site.perform(9)

    await asyncio.to_thread(site.server.start)
    # each text is stored once
    await expect(form_of(ratings).get_by_role("status").filter(has_text=SUBMITTED)).to_be_visible()
    await expect(stage.locator(".says").first).to_contain_text(TEXT)
    await expect(foyer.locator(".post").first).to_contain_text(TEXT)
    for _page, text, *_ in texts[:2]:
        await expect(text).to_have_value("")
    await expect(report.get_by_text("Thank you. An administrator will look at it.")).to_be_visible()
    await expect(report.get_by_text("You have reported this already.")).to_be_visible()
    assert await asyncio.to_thread(stored, site) == ([23], [(4, COMMENT, "")])
    rows = [SessionComment.objects.filter(content=TEXT), Post.objects.filter(content=TEXT)]
    rows.append(Report.objects.filter(reason="insult", words=TEXT))
    assert [await asyncio.to_thread(site.desk.do, row.count) for row in rows] == [1, 1, 1]

    # the pages reconnect; a link works whether they have or not
    await visitor.locator("#nav").get_by_role("link", name="Sessions").click()
    await expect(visitor.locator("h1")).to_have_text("Sessions")
    await home.context.set_offline(False)
    for page in (search, stage, home, visitor):
        await live(page)
        await expect(page.locator(STATUS)).to_be_empty()
    assert await search.evaluate(CARET) == ["q", "wroblevska", 8]
    await expect(search.get_by_text("No participants found matching your criteria.")).to_be_visible()
    await expect(stage.locator(".stand__said .person__name")).to_have_text(name)
    await expect(stage.locator(".order > li.is-now")).to_contain_text(name)
    await expect(home.locator(".door__name")).to_have_text(name)
    assert await video.evaluate("(frame) => frame.isConnected")
    assert len(windows.videos) == 1, "the video began again"
