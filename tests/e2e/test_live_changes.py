"""Live updates: a change appears within a second on every open page that shows it, and on no other page."""

import time
from datetime import timedelta
from functools import partial

from django.utils import timezone
from playwright.async_api import Page, expect

from apps.accounts.actors import OPERATOR
from apps.competition.services.live import session_end, session_set_live
from apps.competition.services.planned_times import planned_times_clear, planned_times_set
from apps.news.services import post_create, post_delete
from tests.e2e.conftest import Site
from tests.e2e.layout import SHIFTS
from tests.e2e.moves import hold
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
    await news.evaluate(SHIFTS)
    changed = news.get_by_role("button", name="The list has changed. Show it")
    held = await hold(news)
    post_id = publish(site, "The interval")
    await expect(home.get_by_role("heading", name="The interval")).to_be_visible()
    await expect(changed).to_be_visible()
    assert await held.faults() == []
    await changed.click()
    await expect(news.get_by_role("heading", name="The interval")).to_be_visible()
    assert [frame for frame in windows.frames[news][heard:] if "news_list" not in frame] == []
    held = await hold(news)
    site.desk.do(post_delete, actor=OPERATOR, post_id=post_id)
    await expect(home.get_by_role("heading", name="The interval")).to_have_count(0)
    await expect(changed).to_be_visible()
    assert await held.faults() == []
    await changed.click()
    await expect(news.get_by_role("heading", name="The interval")).to_have_count(0)


async def test_lists_and_times_move_nothing_when_a_session_ends_or_is_planned(site: Site, windows: Windows) -> None:
    pages: dict[str, Page] = {}
    for path, scroll in (("/sessions", 0), ("/sessions?show=all", 0), ("/schedule", 400), ("/", 0)):
        for width in (360, 1280):
            page = pages[f"{path} {width}"] = await windows.open(path, width=width, timezone_id="Europe/Warsaw")
            await page.evaluate(SHIFTS)
            await page.evaluate(f"scrollTo(0, {scroll})")
    live = site.appearances.live
    planned = partial(planned_times_set, actor=OPERATOR, session_id=live, minutes=10, intervals={10: 20})
    steps = (
        ("/schedule", planned, "then an interval, 20 minutes"),
        ("/sessions", partial(session_end, actor=OPERATOR, session_id=live), "The session has ended."),
        ("/", lambda: None, "The order of the session"),
        ("/sessions", partial(session_set_live, actor=OPERATOR, session_id=live), "LIVE NOW"),
    )
    try:
        for path, change, text in steps:
            held = {name: await hold(page) for name, page in pages.items()}
            site.desk.do(change)
            for name, page in pages.items():
                if name.partition("?")[0].split()[0] == path:
                    await expect(page.locator("main")).to_contain_text(text)
            faults = {name: found for name, each in held.items() if (found := await each.faults())}
            assert faults == {}, text
    finally:
        site.desk.do(planned_times_clear, actor=OPERATOR, session_id=live)


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
