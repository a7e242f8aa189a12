"""Live reactions in real windows: tapped by mouse, finger and keyboard, floating for everybody else."""

import asyncio
from collections.abc import Iterator

import pytest
from django.db import transaction
from playwright.async_api import Page, expect

from apps.core.events import publish
from apps.live.events import ReactionsChanged
from apps.live.models import ReactionTotal, SessionReaction
from tests.e2e.accounts import ADMINISTRATOR, LISTENER
from tests.e2e.conftest import Site
from tests.e2e.windows import SERVERLESS, Windows, becomes

# How many signs of each type have risen so far, whether they are still in the air or not.
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


@pytest.fixture
def session(site: Site) -> Iterator[str]:
    """The live session's address; nobody has reacted."""

    @transaction.atomic
    def empty() -> None:
        SessionReaction.objects.all().delete()
        ReactionTotal.objects.all().delete()
        publish(ReactionsChanged(session_ids=(site.places.live,)))

    site.desk.do(empty)
    yield f"/sessions/{site.places.live}"
    site.desk.do(empty)


async def ready(windows: Windows, path: str, **options: object) -> Page:
    """A window whose overlay is at work."""
    page = await windows.open(**options)  # type: ignore[arg-type]
    await page.add_init_script(COUNT)
    await page.goto(path)
    await expect(page.locator(".floaters")).to_be_attached()
    await expect(page.locator("#app[data-connection=live]")).to_be_attached()
    return page


async def test_a_tap_floats_here_at_once_and_there_by_push(site: Site, windows: Windows, session: str) -> None:
    own = await ready(windows, session, session=site.sign_in(LISTENER))
    other = await ready(windows, session, session=site.sign_in(ADMINISTRATOR), width=360)
    heart = own.get_by_role("button", name="Heart, 0")
    await heart.click()
    assert await own.evaluate(RISEN) == '{"heart":1}'
    await own.get_by_role("button", name="Thumbs down").press("Enter")
    await own.get_by_role("button", name="Thumbs down").press("Space")
    for page in (own, other):
        await expect(page.get_by_role("button", name="Heart, 1")).to_be_visible()
        await expect(page.get_by_role("button", name="Thumbs down, 2")).to_be_visible()
        await becomes(page, RISEN, '{"heart":1,"thumbsDown":2}')
        await expect(page.locator(".floaters svg")).to_have_count(0)
    assert site.desk.do(SessionReaction.objects.count) == 3


async def test_many_quick_taps_are_one_message_a_second(site: Site, windows: Windows, session: str) -> None:
    page = await ready(windows, session, session=site.sign_in(LISTENER))
    for _ in range(6):
        await page.get_by_role("button", name="Heart").click()
    await expect(page.get_by_role("button", name="Heart, 6")).to_be_visible()
    messages = [text for text in windows.sent[page] if "onTaps" in text]
    assert 1 <= len(messages) <= 4
    assert sum(text.count('"heart"') for text in messages) == 6


async def test_reduced_motion_shows_counts_only(site: Site, windows: Windows, session: str) -> None:
    own = await ready(windows, session, session=site.sign_in(LISTENER))
    calm = await ready(windows, session, reduced_motion="reduce")
    await own.get_by_role("button", name="Thumbs up").click()
    await expect(calm.get_by_role("button", name="Thumbs up, 1")).to_be_visible()
    assert await calm.evaluate(RISEN) == "{}"


async def test_a_stranger_is_led_to_the_door_and_back(site: Site, windows: Windows, session: str) -> None:
    page = await ready(windows, session)
    await expect(page.get_by_role("link", name="Sign in to react")).to_be_visible()
    await page.get_by_role("button", name="Heart").click()
    await expect(page).to_have_url(f"{site.server.address}/login?next=%2Fsessions%2F{site.places.live}")
    assert site.desk.do(SessionReaction.objects.count) == 0


async def test_what_was_tapped_while_the_server_went_away_is_stored_once(
    site: Site, windows: Windows, session: str
) -> None:
    page = await windows.open(session, session=site.sign_in(LISTENER), tolerated=[SERVERLESS])
    await expect(page.locator(".floaters")).to_be_attached()
    await asyncio.to_thread(site.server.kill)
    await page.get_by_role("button", name="Heart").click()
    await asyncio.to_thread(site.server.start)
    await expect(page.get_by_role("button", name="Heart, 1")).to_be_visible()
    assert site.desk.do(SessionReaction.objects.count) == 1
