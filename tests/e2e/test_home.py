"""The title page during a session: no layout shift on phone and desktop, and the viewer's own marks."""

from collections.abc import Iterator
from datetime import datetime

import pytest
from django.db.models import Count
from django.db.transaction import atomic
from playwright.async_api import Locator, Page, expect

from apps.accounts.actors import OPERATOR
from apps.competition.models import Session
from apps.competition.services.live import performer_clear, session_end, session_set_live
from apps.core.bus.topics import publish_topics
from apps.ratings.enums import RatingKind
from apps.ratings.models import PieceRating
from apps.ratings.services.moderation import mark_approve
from tests.e2e.accounts import LISTENER
from tests.e2e.barriers import barriers
from tests.e2e.conftest import PERFORMING, Site
from tests.e2e.layout import layout_faults
from tests.e2e.rating import RATER, ranges_of, unrated
from tests.e2e.windows import Windows, resize

MOST = 0.01  # layout shift of a change; the issue allows 0.05
WATCH_SHIFTS = """() => {
  window.shifts = [];
  new PerformanceObserver((list) => list.getEntries().forEach(({ value }) => window.shifts.push(value)))
    .observe({ type: "layout-shift", buffered: false });
}"""
SHIFTED = """() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() =>
  resolve(window.shifts.splice(0).reduce((sum, value) => sum + value, 0)))))"""
# Makes each key in turn the most frequent mark; returns the keys with a covered number.
COVERED = """() => {
  const keys = [...document.querySelectorAll(".hero .keys i")];
  const number = document.querySelector(".hero .keys b");
  document.querySelector(".hero .keys").scrollIntoView({ block: "end" });
  return keys.filter((key) => {
    for (const each of keys) each.className = each === key ? "n-100" : "n-50";
    key.append(number);
    const { left, top, width, height } = number.getBoundingClientRect();
    return document.elementFromPoint(left + width / 2, top + height / 2) !== number;
  }).map((key) => keys.indexOf(key) + 1);
}"""
HEIGHT = "(element, pseudo) => parseFloat(getComputedStyle(element, pseudo).height)"
COLOUR = "(element, pseudo) => getComputedStyle(element, pseudo).backgroundColor"
UNCOVERED = """(input) => {
  const { left, top, width, height } = input.closest(".score__board").getBoundingClientRect();
  const seen = document.elementFromPoint(left + width / 2, top + height / 2);
  return !!seen && input.closest(".score").contains(seen);
}"""
HEIGHTS = "() => [document.querySelector('.door').getBoundingClientRect().height, document.body.scrollHeight]"
SCREENS = 4  # of a phone
PHONE = 800  # pixels


@pytest.fixture
def rater(site: Site) -> Iterator[str]:
    """Yield an account without marks."""
    for _ in unrated(site):
        yield RATER


@pytest.fixture(autouse=True)
def renewed(site: Site) -> None:
    """Read all parts again: other tests delete rows behind the site, which would see it at the next minute only."""

    @atomic
    def renew() -> None:
        publish_topics("clock.minute")

    site.desk.do(renew)


async def moved(page: Page) -> float:
    """Return the layout shift since the last call."""
    return float(await page.evaluate(SHIFTED))


async def test_title_page_moves_nothing_and_has_no_barriers_during_a_session(site: Site, windows: Windows) -> None:
    pages: dict[tuple[str, int], Page] = {}
    for username, width in (("", 360), ("", 1280), (LISTENER, 360), (LISTENER, 820)):
        page = await windows.open("/", width=width, session=site.sign_in(username) if username else "")
        await page.wait_for_load_state("networkidle")
        pages[username, width] = page
    heights = {}
    for (_username, width), page in pages.items():
        await page.evaluate(WATCH_SHIFTS)
        heights[page] = await page.evaluate(HEIGHTS)
        assert heights[page][1] <= SCREENS * PHONE or width != 360, f"{heights[page][1] / PHONE} screens"
    live = site.appearances.live
    steps = (
        (lambda: site.perform(7), site.appearances.names[7]),
        (lambda: site.desk.do(performer_clear, actor=OPERATOR, session_id=live), "Ahead in this session"),
        (lambda: site.desk.do(session_end, actor=OPERATOR, session_id=live), "The order of the session"),
        (lambda: site.desk.do(session_set_live, actor=OPERATOR, session_id=live), "Ahead in this session"),
        (lambda: site.perform(8), site.appearances.names[8]),
    )
    for step, text in steps:
        step()
        for viewer, page in pages.items():
            await expect(page.locator(".door")).to_contain_text(text)
            shift = await moved(page)
            assert shift < MOST, (text, viewer)
            assert await page.evaluate(HEIGHTS) == heights[page], (text, viewer)
    await marks_counted(site, pages["", 360])
    # the interval and the end have no barriers and break no line
    for change, text, viewer in (
        (performer_clear, "Ahead in", (LISTENER, 820)),
        (session_end, "The order of", ("", 1280)),
    ):
        site.desk.do(change, actor=OPERATOR, session_id=live)
        await expect(pages[viewer].locator(".door")).to_contain_text(text)
        assert await layout_faults(pages[viewer]) == ""
        assert await barriers(pages[viewer]) == ""


async def marks_counted(site: Site, page: Page) -> None:
    """Approve a mark, and check that this title page counts it without a layout shift."""
    count = page.locator(".hero__note span").last
    before = int((await count.inner_text()).partition(" ")[0])
    site.desk.do(approve_one)
    await expect(count).to_contain_text(f"{before + 1} marks so far")
    assert await moved(page) < MOST


async def test_title_page_before_the_first_session_has_at_most_four_screens_of_a_phone(
    site: Site, windows: Windows
) -> None:
    site.desk.do(session_end, actor=OPERATOR, session_id=site.appearances.live)
    ended = site.desk.do(forget_ends)
    try:
        for username in ("", LISTENER):
            page = await windows.open("/", width=360, session=site.sign_in(username) if username else "")
            await expect(page.locator(".door")).to_contain_text("Listen to a performance, live or later.")
            assert (await page.evaluate(HEIGHTS))[1] <= SCREENS * PHONE
        assert await layout_faults(page) == ""
        assert await barriers(page) == ""
    finally:
        site.desk.do(restore_ends, ended)


def forget_ends() -> dict[int, datetime | None]:
    """Remove the times at which sessions ended, and return them by session."""
    ended = dict(Session.objects.filter(ended_at__isnull=False).values_list("pk", "ended_at"))
    Session.objects.update(ended_at=None)
    with atomic():
        publish_topics("sessions")
    return ended


def restore_ends(ended: dict[int, datetime | None]) -> None:
    """Store these times again."""
    for pk, at in ended.items():
        Session.objects.filter(pk=pk, is_live=False).update(ended_at=at)
    with atomic():
        publish_topics("sessions")


async def test_link_leads_to_the_keys_of_the_current_performer(site: Site, windows: Windows) -> None:
    name = site.perform(PERFORMING)
    page = await windows.open("/", width=360, session=site.sign_in(LISTENER))
    way = page.get_by_role("link", name="Listen and rate")
    await expect(way).to_be_in_viewport(ratio=1)
    await way.click()
    await expect(page.locator(".order > li:has(.rating)")).to_contain_text(name)
    await at_a_key(page, page.locator(".order > li:has(.rating)"))


def approve_one() -> int:
    """Approve one pending mark of the live session; return the number of pending marks before."""
    waiting = PieceRating.objects.filter(approved=False, appearance__session__is_live=True)
    mark = waiting.first()
    assert mark is not None
    mark_approve(actor=OPERATOR, kind=RatingKind.PIECE, mark_id=mark.pk)
    return waiting.count() + 1


async def test_title_page_of_a_visitor_has_no_barriers_and_breaks_no_line(site: Site, windows: Windows) -> None:
    page = await windows.open("/")  # test_every_page.py tests that of an administrator
    await expect(page.get_by_role("heading", level=1)).to_have_text("Take your seat.")
    assert await layout_faults(page) == ""
    assert await barriers(page) == ""
    for width in (1024, 1200, 1280, 1600):
        await resize(page, width, 900)
        assert await page.evaluate(COVERED) == [], width


async def test_own_marks_are_drawn_beside_those_of_the_audience(site: Site, windows: Windows) -> None:
    raters = PieceRating.objects.values_list("user__username").annotate(marks=Count("pk")).order_by("-marks")
    page = await windows.open("/", session=site.sign_in(site.desk.do(raters.first)[0]))  # others may have lost theirs
    await expect(page.locator(".you .ask")).to_contain_text("than the audience: ")
    await expect(page.locator(".you__scale")).to_contain_text("of yours")
    own = page.locator(".you u.n-100").first
    audience = page.locator(".you i.n-100").first
    heights = await own.evaluate(HEIGHT), await audience.evaluate(HEIGHT, "::after")
    assert heights[0] == heights[1] > 50, "the longest of both"
    assert await own.evaluate(COLOUR) != await audience.evaluate(COLOUR, "::after")


async def test_link_leads_from_a_past_performance_to_its_keys(site: Site, windows: Windows) -> None:
    page = await windows.open("/", session=site.sign_in(LISTENER))
    await expect(page.locator("main").get_by_role("link", name="Register")).to_have_count(0)
    await expect(page.locator(".todo li:visible")).to_have_count(3)
    await page.evaluate("() => { window.isSame = true; }")
    row = page.locator(".todo li:visible").first
    name = await row.locator("h3").inner_text()
    await row.locator(".button").click()
    await expect(page.locator(".order > li:has(.rating)")).to_contain_text(name)
    await at_a_key(page, page.locator(".order > li:has(.rating)"))
    assert await page.evaluate("() => window.isSame"), "the page was loaded"


async def at_a_key(page: Page, row: Locator) -> None:
    """Wait until the first key without a mark, else the first one, has the focus and is seen below the player."""
    sliders = ranges_of(row)
    await expect(row.locator("input:focus")).to_be_visible()
    values = [await each.input_value() for each in await sliders.all()]
    key = sliders.nth(values.index("0") if "0" in values else 0)
    await expect(key).to_be_focused()
    await expect(key).to_be_in_viewport()
    assert await key.evaluate(UNCOVERED)


async def test_link_leads_in_the_interval_to_the_keys_of_the_last_performer(
    site: Site, windows: Windows, rater: str
) -> None:
    name = site.perform(PERFORMING)
    live = site.appearances.live
    site.desk.do(performer_clear, actor=OPERATOR, session_id=live)
    page = await windows.open(f"/sessions/{live}", width=360, session=site.sign_in(rater))
    row = page.locator(f"#appearance-{site.appearances.performers[PERFORMING]}")
    await page.evaluate("() => { window.isSame = true; }")
    await page.get_by_role("tab", name="Comments").click()
    way = page.get_by_role("link", name=f"Rate {name}", exact=True).first
    await way.click()  # the row is open
    await at_a_key(page, row)
    await page.keyboard.type("17")
    way = page.get_by_role("link", name=f"Finish {name}", exact=True).first
    await expect(way).to_be_visible()
    await row.locator(".order__row").click()
    await expect(row.locator(".order__inside")).to_have_count(0)
    await way.click()
    await at_a_key(page, row)
    await expect(ranges_of(row).nth(1)).to_be_focused()
    assert await page.evaluate("() => window.isSame"), "the page was loaded"
