"""Live reactions in browser windows: taps by mouse, touch and keyboard, and animations in other windows."""

import asyncio
import json
from collections.abc import Iterator

import pytest
from django.db import transaction
from playwright.async_api import Locator, Page, WebSocketRoute, expect

from apps.core.events import publish
from apps.live.events import ReactionsChanged
from apps.live.models import ReactionTotal, SessionReaction
from tests.e2e.accounts import ADMINISTRATOR, LISTENER
from tests.e2e.conftest import Site
from tests.e2e.doors import account, sign_in
from tests.e2e.windows import PATIENCE, SERVERLESS, Windows, becomes, live

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
TAP = "(times) => { for (; times; times -= 1) document.querySelector('[data-react=heart]').click(); }"


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


def sent(windows: Windows, page: Page) -> list[tuple[str, list[str]]]:
    """Return the tap messages of this page as idempotency key and types, including retries."""
    messages = [json.loads(text)["data"][0] for text in windows.sent[page] if "onTaps" in text]
    return [(message["key"], message["types"]) for message in messages]


def taps(windows: Windows, page: Page) -> list[list[str]]:
    """Return the types of each tap message, without retries."""
    return list(dict(sent(windows, page)).values())


async def test_reaction_is_animated_at_once_and_in_other_windows(site: Site, windows: Windows, session: str) -> None:
    own = await ready(windows, session, session=site.sign_in(LISTENER))
    other = await ready(windows, session, session=site.sign_in(ADMINISTRATOR), width=360)
    heart = own.get_by_role("button", name="Heart, 0")
    await heart.click()
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


async def test_heart_beside_the_small_player_of_a_phone_counts_the_same(
    site: Site, windows: Windows, session: str
) -> None:
    page = await ready(windows, session, session=site.sign_in(LISTENER), width=360)
    heart = page.locator(".react-docked")
    await expect(heart).to_be_hidden()
    await page.locator(".order > li").last.scroll_into_view_if_needed()
    await expect(heart).to_be_in_viewport()
    box = await heart.bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= FINGER
    await heart.click()
    assert await page.evaluate(RISEN) == '{"heart":1}'
    await expect(heart).to_have_accessible_name("Heart, 1")
    await expect(bar(page)).to_have_attribute("data-totals", totals(heart=1))
    assert site.desk.do(SessionReaction.objects.count) == 1
    await page.evaluate("scrollTo(0, 0)")
    await expect(heart).to_be_hidden()


async def test_many_quick_taps_are_one_message_a_second(site: Site, windows: Windows, session: str) -> None:
    page = await ready(windows, session, session=site.sign_in(LISTENER))
    await page.evaluate(TAP, 1)
    async with asyncio.timeout(PATIENCE / 1000):
        while not taps(windows, page):
            await page.evaluate("() => new Promise(requestAnimationFrame)")
    await page.evaluate(TAP, 5)
    await expect(bar(page)).to_have_attribute("data-totals", totals(heart=6))
    assert taps(windows, page) == [["heart"], ["heart"] * 5]


async def test_reduced_motion_shows_counts_only(site: Site, windows: Windows, session: str) -> None:
    own = await ready(windows, session, session=site.sign_in(LISTENER))
    calm = await ready(windows, session, reduced_motion="reduce")
    await own.get_by_role("button", name="Thumbs up").click()
    await expect(calm.get_by_role("button", name="Thumbs up, 1")).to_be_visible()
    assert await calm.evaluate(RISEN) == "{}"


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


async def test_reaction_without_an_answer_is_stored_once(site: Site, windows: Windows, session: str) -> None:
    page = await windows.open(session=site.sign_in(LISTENER), tolerated=[SERVERLESS])
    deaf, sockets = [False], []

    def through(ours: WebSocketRoute) -> None:
        server = ours.connect_to_server()
        server.on_message(lambda text: None if deaf[0] and "session_reactions" not in str(text) else ours.send(text))

        def asked(text: str | bytes) -> None:
            windows.sent[page].append(str(text))  # Playwright reports no frames of routed sockets
            server.send(text)

        ours.on_message(asked)
        sockets.append(ours)

    await page.route_web_socket("**/live/**", through)
    await page.goto(session)
    await live(page)
    await expect(page.locator(".floaters")).to_be_attached()
    deaf[0] = True
    await page.get_by_role("button", name="Heart").click()
    await expect(bar(page)).to_have_attribute("data-totals", totals(heart=1))  # stored, but the answer is lost
    deaf[0] = False
    await sockets[-1].close(code=1001)
    async with asyncio.timeout(PATIENCE / 1000):
        while len(sent(windows, page)) < 2:
            await page.evaluate("() => new Promise(requestAnimationFrame)")
    await live(page)  # taps need a live socket
    await page.get_by_role("button", name="Thumbs up").click()  # sent after the answer to the first
    await expect(bar(page)).to_have_attribute("data-totals", totals(heart=1, thumbsUp=1))
    assert taps(windows, page) == [["heart"], ["thumbsUp"]]
    assert site.desk.do(SessionReaction.objects.count) == 2
