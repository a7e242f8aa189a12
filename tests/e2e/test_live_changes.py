"""Live updates: a change appears within a second on every open page that shows it, and on no other page."""

import time
from datetime import timedelta

from django.utils import timezone
from playwright.async_api import Page, expect

from apps.accounts.actors import OPERATOR
from apps.news.services import post_create, post_delete
from tests.e2e.conftest import Site
from tests.e2e.windows import Windows
from tests.timing import took_at_most

AT_ONCE = 1.0  # seconds from the command to the visible change
# Records the time at which the text first appears in an element.
LOOK_OUT = """([selector, text]) => {
  window.seen = new Promise((resolve) => {
    const look = () => {
      if (![...document.querySelectorAll(selector)].some((one) => one.textContent.includes(text))) return;
      watcher.disconnect();
      resolve(Date.now() / 1000);
    };
    const watcher = new MutationObserver(look);
    watcher.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
    look();
  });
}"""
SEEN = "() => window.seen"
KEEP_ROWS = "() => { window.rows = [...document.querySelectorAll('.order > li')]; }"
SAME_ROWS = "() => [...document.querySelectorAll('.order > li')].every((row, index) => row === window.rows[index])"


async def seconds_until_seen(page: Page, since: float) -> float:
    """Return the seconds from `since` until the text of LOOK_OUT appeared."""
    return float(await page.evaluate(SEEN)) - since


async def test_performer_change_appears_within_a_second_and_on_no_other_page(site: Site, windows: Windows) -> None:
    stage, home, news = [await windows.open(path) for path in (f"/sessions/{site.appearances.live}", "/", "/news")]
    heard = len(windows.frames[news])
    await stage.evaluate(KEEP_ROWS)
    name = site.appearances.names[8]
    await stage.evaluate(LOOK_OUT, [".order > li.is-now .person__name", name])
    await home.evaluate(LOOK_OUT, [".door__name", name])
    begun = time.time()
    site.perform(8)
    took_at_most(AT_ONCE, await seconds_until_seen(stage, begun), "the way to the stage's page")
    took_at_most(AT_ONCE, await seconds_until_seen(home, begun), "the way to the title page")
    await expect(stage.locator(".stand__said .person__name")).to_have_text(name)
    await expect(stage.locator(".order .badge--now")).to_have_count(1)
    now = stage.locator(".order > li").nth(8)
    await expect(now.locator(".badge--now")).to_have_text("Now Performing")
    assert await stage.evaluate(SAME_ROWS)
    # A later frame on the same socket proves that no other frame was in flight.
    post_id = publish(site, "The interval")
    for page in (news, home):
        await expect(page.get_by_role("heading", name="The interval")).to_be_visible()
    assert [frame for frame in windows.frames[news][heard:] if "news_list" not in frame] == []
    site.desk.do(post_delete, actor=OPERATOR, post_id=post_id)
    for page in (news, home):
        await expect(page.get_by_role("heading", name="The interval")).to_have_count(0)


def publish(site: Site, title: str) -> int:
    """Publish an article as the newest and return its id."""
    post = site.desk.do(
        post_create,
        actor=OPERATOR,
        author_id=1,
        title=title,
        excerpt="As told from row G.",
        content="It was very quiet.",
        is_published=True,
        published_at=timezone.now() + timedelta(seconds=1),
    )
    return int(post.pk)
