"""Live reactions in browser windows: taps by mouse, touch and keyboard, and animations in other windows."""

import json
from collections.abc import Iterator

import pytest
from django.db import transaction
from playwright.async_api import Locator, Page, expect

from apps.core.events import publish
from apps.live.events import ReactionsChanged
from apps.live.models import ReactionTotal, SessionReaction
from tests.e2e.accounts import ADMINISTRATOR, LISTENER
from tests.e2e.conftest import Site
from tests.e2e.doors import account, sign_in
from tests.e2e.windows import Windows, becomes, live

# Counts the animations of each type since the page's start.
COUNT = """
window.risen = {};
new MutationObserver((records) => {
  for (const { addedNodes } of records) {
    for (const node of addedNodes) {
      if (node.nodeName === "svg" && node.parentNode?.matches?.(".floaters")) {
        const kind = [...document.querySelectorAll("[data-react]")].find((button) =>
          button.querySelector("svg").innerHTML === node.innerHTML).dataset.react;
        window.risen[kind] = (window.risen[kind] || 0) + 1;
      }
    }
  }
}).observe(document, { subtree: true, childList: true });
"""
RISEN = "() => JSON.stringify(window.risen)"
FINGER = 44  # pixels


@pytest.fixture
def session(site: Site) -> Iterator[str]:
    """Yield the live session's address without reactions."""

    @transaction.atomic
    def empty() -> None:
        SessionReaction.objects.all().delete()
        ReactionTotal.objects.all().delete()
        publish(ReactionsChanged(session_ids=(site.appearances.live,)))

    site.desk.do(empty)
    yield f"/sessions/{site.appearances.live}"
    site.desk.do(empty)


async def ready(windows: Windows, path: str, **options: object) -> Page:
    """Open a window and wait until it is live and shows the overlay of reactions."""
    page = await windows.open(**{"reduced_motion": "no-preference", **options})
    await page.add_init_script(COUNT)
    await page.goto(path)
    await expect(page.locator(".floaters")).to_be_attached()
    await live(page)
    return page


def bar(page: Page) -> Locator:
    """Return the reaction bar."""
    return page.locator("#reactions")


def totals(**more: int) -> str:
    """Return the bar's expected total of taps; unlike its counts, the total does not expire after 30 s."""
    return json.dumps([more.get(kind, 0) for kind in ("heart", "thumbsUp", "thumbsDown")])


async def test_reaction_is_animated_at_once_and_in_other_windows(site: Site, windows: Windows, session: str) -> None:
    own = await ready(windows, session, session=site.sign_in(LISTENER))
    other = await ready(windows, session, session=site.sign_in(ADMINISTRATOR), width=360)
    await own.get_by_role("button", name="Heart, 0").click()
    await becomes(own, RISEN, '{"heart":1}')
    await expect(other.get_by_role("button", name="Heart, 1")).to_be_visible()
    await own.get_by_role("button", name="Thumbs down").press("Enter")
    await own.get_by_role("button", name="Thumbs down").press("Space")
    await expect(other.get_by_role("button", name="Thumbs down, 2")).to_be_visible()
    for page in (own, other):
        await expect(bar(page)).to_have_attribute("data-totals", totals(heart=1, thumbsDown=2))
        await becomes(page, RISEN, '{"heart":1,"thumbsDown":2}')
        await expect(page.locator(".floaters svg")).to_have_count(0)
    assert site.desk.do(SessionReaction.objects.count) == 3

    # the heart beside the small player of a phone counts the same
    heart = other.locator(".react-docked")
    await expect(heart).to_be_hidden()
    await other.locator(".order > li").last.scroll_into_view_if_needed()
    await expect(heart).to_be_in_viewport()
    box = await heart.bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= FINGER
    await heart.click()
    assert await other.evaluate(RISEN) == '{"heart":2,"thumbsDown":2}'
    await expect(bar(other)).to_have_attribute("data-totals", totals(heart=2, thumbsDown=2))
    assert site.desk.do(SessionReaction.objects.count) == 4
    await other.evaluate("scrollTo(0, 0)")
    await expect(heart).to_be_hidden()


async def test_visitor_who_reacts_is_sent_to_the_sign_in_and_back(site: Site, windows: Windows, session: str) -> None:
    page = await ready(windows, session)
    await expect(page.get_by_role("link", name="Sign in to react")).to_be_visible()
    await page.get_by_role("button", name="Heart").click()
    await expect(page).to_have_url(
        f"{site.server.address}/login?next=%2Fsessions%2F{site.appearances.live}%23reactions"
    )
    assert site.desk.do(SessionReaction.objects.count) == 0
    await sign_in(page, account(site, "tapping"))
    await page.wait_for_url(f"**{session}*")
    await expect(page.get_by_text("Your heart was added.")).to_be_visible()
    assert site.desk.do(SessionReaction.objects.count) == 1
