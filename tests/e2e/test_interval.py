"""Intervals in a browser: their tab in the flow of the page, two windows at once, and that nothing moves."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import transaction
from playwright.async_api import Page, expect

from apps.accounts.actors import OPERATOR
from apps.competition.events import SessionChanged
from apps.competition.models import Session
from apps.competition.services.live import performer_clear
from apps.core.events import publish
from apps.notifications.models import CallAlert
from tests.e2e.barriers import barriers
from tests.e2e.conftest import PERFORMING, Site
from tests.e2e.doors import account, sign_in
from tests.e2e.layout import SHIFTS, shifted
from tests.e2e.rating import RATER, unrated
from tests.e2e.scriptless import OFF
from tests.e2e.windows import Windows, live, resize

DESK, TABLET, PHONE = {"width": 1280}, {"width": 820}, {"width": 360, "has_touch": True, "is_mobile": True}
CHANGE = 0.01  # allowed layout shift of a change
# Returns the top edges of what keeps its place: the title, the seat of the video, the reactions, and the pane.
PLACES = """() => [".stand__head h1", ".stand__seat", ".stage__below", ".stand__now", ".stand__tabs"]
  .map((name) => Math.round(document.querySelector(name).getBoundingClientRect().top))"""

# Returns whether something scrolls within the page, or the page sideways.
SCROLLS = """() => document.documentElement.scrollWidth > innerWidth
  || [".stand__stage", ".stand__now", ".interval__heard", "#interval", ".pause", ".pause__bit"].some((name) =>
    [...document.querySelectorAll(name)].some((box) => getComputedStyle(box).overflowY !== "visible"
      && (box.scrollHeight > box.clientHeight || box.scrollWidth > box.clientWidth)))"""


@transaction.atomic
def video_set(site: Site, youtube_id: str) -> str:
    """Give the live session this video and publish the change. Return the former video."""
    session = Session.objects.get(pk=site.appearances.live)
    former, session.youtube_id = session.youtube_id, youtube_id
    session.save()
    publish(SessionChanged(session_id=session.pk))
    return former


@pytest.fixture
def address(site: Site) -> Iterator[str]:
    """Yield the live session's address; the rater has no ratings, and the session its video afterwards."""
    former = site.desk.do(lambda: Session.objects.get(pk=site.appearances.live).youtube_id)
    for _ in unrated(site):
        yield f"/sessions/{site.appearances.live}"
    site.desk.do(video_set, site, former)


async def opened(windows: Windows, address: str, **options: Any) -> Page:
    page = await windows.open(**options)
    await page.add_init_script(SHIFTS)
    await page.goto(address)
    await live(page)
    return page


async def test_interval_begins_and_ends_without_a_layout_shift(site: Site, windows: Windows, address: str) -> None:
    session = site.sign_in(RATER)
    pages = [await opened(windows, address, session=session, **options) for options in (DESK, TABLET, PHONE)]
    # the stage at the top, and the pane below it in view; then without a video
    for scroll, has_video in ((0, True), (330, True), (0, False), (330, False)):
        if not scroll and not has_video:
            site.desk.do(video_set, site, "")
        before, places = {}, {}
        for page in pages:
            await expect(page.locator(".stand__said")).to_contain_text("Now Performing")
            await expect(page.locator("#stage-video")).to_have_count(int(has_video))
            await page.evaluate(f"scrollTo(0, {scroll})")
            docked = 1 if scroll and page is pages[-1] else 0
            await expect(page.locator(".stand[data-docked]")).to_have_count(docked)
            before[page], places[page] = await shifted(page), await page.evaluate(PLACES)
        site.desk.do(performer_clear, actor=OPERATOR, session_id=site.appearances.live)
        for page in pages:
            await expect(page.locator("#interval-tab")).to_be_visible()
            await expect(page.locator(".order .is-now")).to_have_count(0)
            assert await shifted(page) - before[page] < CHANGE, page.viewport_size
            assert await page.evaluate(PLACES) == places[page], page.viewport_size
            before[page] = await shifted(page)
        site.perform(PERFORMING)
        for page in pages:
            await expect(page.locator(".stand__said")).to_contain_text("Now Performing")
            await expect(page.locator("#interval-tab")).to_be_hidden()
            assert await shifted(page) - before[page] < CHANGE, page.viewport_size
            assert await page.evaluate(PLACES) == places[page], page.viewport_size
    for page in pages:
        await page.evaluate("scrollTo(0, 0)")
        await page.locator(".stand__head").evaluate("(head) => { head.style.marginBlockStart = '6rem'; }")
        assert await shifted(page) > CHANGE  # control: a real shift is measured


async def test_interval_is_the_first_tab_in_the_flow_of_the_page(site: Site, windows: Windows, address: str) -> None:
    site.desk.do(performer_clear, actor=OPERATOR, session_id=site.appearances.live)
    for options, height in ((DESK, 800), (TABLET, 1180), (PHONE, 740), (PHONE | {"width": 740}, 360)):
        page = await opened(windows, address, **options)
        await resize(page, options["width"], height)
        tab = page.locator(".stand__tabs a").first
        await expect(tab).to_have_text("Interval")
        await expect(tab).to_have_attribute("aria-selected", "true")
        await expect(page.locator("#interval h2:visible")).to_have_count(3)
        await expect(page.locator("#programme")).to_be_hidden()
        assert not await page.evaluate(SCROLLS), options
    for key, chosen in (("ArrowRight", "Program"), ("ArrowRight", "Comments"), ("ArrowLeft", "Program")):
        await page.locator("[role=tab][aria-selected=true]").press(key)
        await expect(page.locator("[role=tab][aria-selected=true]")).to_contain_text(chosen)
    await tab.click()
    site.perform(PERFORMING)
    await expect(tab).to_be_hidden()
    await expect(page.locator("#programme")).to_be_visible()


async def test_press_of_a_visitor_is_carried_out_after_the_sign_in(site: Site, windows: Windows, address: str) -> None:
    site.desk.do(performer_clear, actor=OPERATOR, session_id=site.appearances.live)
    page = await opened(windows, address, **PHONE)
    await page.get_by_role("button", name="Tell me when it begins").tap()
    await page.wait_for_url("**/login?next=*")
    await sign_in(page, account(site, "waiting"))
    await page.wait_for_url(f"**{address}*")
    own = page.locator(".alert")
    await expect(own).to_contain_text("You will be told.")
    await own.get_by_role("button", name="Undo").tap()
    await expect(own.get_by_role("button", name="Tell me when it begins")).to_be_visible()
    await expect(own).not_to_contain_text("You will be told.")
    assert not site.desk.do(CallAlert.objects.exists)
    await own.get_by_role("button").tap()
    await expect(own).to_contain_text("You will be told.")
    site.perform(PERFORMING + 1)
    site.perform(PERFORMING)


async def test_button_is_posted_without_scripts(site: Site, windows: Windows, address: str) -> None:
    site.desk.do(performer_clear, actor=OPERATOR, session_id=site.appearances.live)
    page = await windows.open(address, session=site.sign_in(RATER), **OFF, **DESK)
    await page.get_by_role("button", name="Tell me when it begins").click()
    await expect(page.locator(".alert")).to_contain_text("You will be told.")
    await page.locator(".alert").get_by_role("button", name="Undo").click()
    await expect(page.get_by_role("button", name="Tell me when it begins")).to_be_visible()
    site.perform(PERFORMING)


async def test_interval_begins_and_ends_in_two_windows(site: Site, windows: Windows, address: str) -> None:
    site.desk.do(video_set, site, "")
    names = site.appearances.names
    member = await opened(windows, address, session=site.sign_in(RATER), **DESK)
    visitor = await opened(windows, address, **PHONE)
    for page in (member, visitor):
        await expect(page.locator(".stand__said .person__name")).to_have_text(names[PERFORMING])
        await expect(page.locator("#interval-tab")).to_be_hidden()
        await expect(page.locator(".stand__head").get_by_text("Interval", exact=True)).to_be_hidden()
    site.desk.do(performer_clear, actor=OPERATOR, session_id=site.appearances.live)
    for page in (member, visitor):
        await expect(page.locator(".stand__head .live-now")).to_be_visible()
        await expect(page.locator(".stand__head").get_by_text("Interval", exact=True)).to_be_visible()
        await expect(page.locator(".stage__turn")).to_contain_text(names[PERFORMING + 1])
        await expect(page.locator(".stage__turn")).to_be_in_viewport(ratio=1)
        await page.get_by_role("tab", name="Interval").click()
        await expect(page.get_by_role("heading", name="Ahead in this session")).to_be_attached()
        await expect(page.locator(".todo .heads li").first).to_contain_text(names[PERFORMING])
    assert await barriers(visitor) == ""
    site.perform(PERFORMING + 1)
    for page in (member, visitor):
        await expect(page.locator(".stand__said .person__name")).to_have_text(names[PERFORMING + 1])
        await expect(page.locator("#interval-tab")).to_be_hidden()
    site.desk.do(performer_clear, actor=OPERATOR, session_id=site.appearances.live)
    await member.get_by_role("tab", name="Interval").click()
    row = member.locator(".todo .heads li").first
    await row.get_by_role("link", name=f"Rate {names[PERFORMING + 1]}").click()
    key = member.locator(f"#appearance-{site.appearances.performers[PERFORMING + 1]} .score input").first
    await expect(key).to_be_focused()
    await key.press("ArrowRight")
    await member.get_by_role("tab", name="Interval").click()
    await expect(row).to_contain_text("pieces left")
    await expect(row.get_by_role("link")).to_have_text(f"Finish {names[PERFORMING + 1]}")
