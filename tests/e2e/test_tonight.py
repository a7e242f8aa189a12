"""Tonight: live control and the queue on one screen of a phone, for two moderators at once."""

import re

from playwright.async_api import Locator, Page, expect

from tests.e2e.accounts import ADMINISTRATOR
from tests.e2e.conftest import PERFORMING, Site
from tests.e2e.test_moderation import SECOND, busy_session, hears
from tests.e2e.windows import Windows

__all__ = ["busy_session"]  # a fixture
ADDRESS = "/admin/tonight?tab=performances&q=nobody+has+heard"
PHONE = {"width": 360, "has_touch": True, "is_mobile": True}
SHIFTS = """() => {
  window.shifts = 0;
  new PerformanceObserver((list) => { for (const each of list.getEntries()) window.shifts += each.value; })
    .observe({ type: "layout-shift" });
}"""


async def phone(site: Site, windows: Windows, address: str = ADDRESS) -> Page:
    """Open the page on a phone of 360 by 740."""
    page = await windows.open(address, session=site.sign_in(ADMINISTRATOR), **PHONE)
    await page.set_viewport_size({"width": 360, "height": 740})
    await hears(page)
    return page


async def box(where: Locator) -> dict[str, float]:
    """Return the bounding box."""
    found = await where.bounding_box()
    assert found is not None
    return dict(found)


def rows(page: Page) -> Locator:
    """Return the rows of the queue."""
    return page.locator(".queue > li")


async def test_phone_shows_the_next_performer_and_the_first_rating_without_scrolling(
    site: Site, windows: Windows, busy_session: None
) -> None:
    page = await phone(site, windows)
    assert await page.evaluate("document.documentElement.scrollWidth") == 360
    first, end = rows(page).first, (await box(page.locator(".areas ul")))["y"]
    heading, next_button = page.get_by_role("heading", level=1), page.locator(".cue__next")
    assert (await box(heading))["y"] >= 0
    assert (await box(next_button))["height"] >= 44
    for name in ("Reject", "Approve"):
        button = await box(first.get_by_role("button", name=re.compile(f"^{name} the")))
        assert button["height"] >= 44
        assert button["width"] >= 44
        assert button["y"] + button["height"] <= end, "the first rating is decided without scrolling"
    await expect(page.locator(".cuebar")).to_be_hidden()
    await expect(page.get_by_role("searchbox")).to_be_hidden()

    bar = (await box(page.locator(".bar")))["height"]
    words = await first.locator(".queue__words").inner_text()
    await first.get_by_role("button", name=re.compile("^Approve")).tap()
    await expect(page.locator(".toast")).to_contain_text("Performance rating approved successfully")
    await expect(page.locator(".bar [data-undo]")).to_be_visible()  # for ten minutes; the message goes before
    assert (await box(page.locator(".bar")))["height"] == bar
    await page.locator(".toast button").focus()  # the message stays while it has the focus
    await expect(page.get_by_text(words, exact=True)).to_have_count(0)
    await page.locator(".toast button").tap()
    await expect(rows(page).first).to_contain_text(words)

    await next_button.tap()
    await expect(page.locator(".toast")).to_contain_text("Current performer updated successfully")
    await page.get_by_text("Filters (1)", exact=True).tap()
    await expect(page.get_by_role("searchbox")).to_be_visible()


async def test_decision_of_another_moderator_moves_no_row(site: Site, windows: Windows, busy_session: None) -> None:
    page = await phone(site, windows)
    other = await windows.open(ADDRESS, session=site.sign_in(SECOND))
    for each in (page, other):
        await hears(each)
    button = rows(page).nth(2).get_by_role("button", name=re.compile("^Approve"))
    await button.hover()
    await page.evaluate(SHIFTS)
    before = [await box(rows(page).nth(n)) for n in range(4)]
    await rows(other).nth(1).get_by_role("button", name=re.compile("^Reject")).click()
    decided = page.locator(".queue > [data-decided]")
    await expect(decided).to_contain_text(f"Rejected by {SECOND}")
    await expect(page.locator(".bar__count")).to_have_text("59 ratings, 59 marks")
    assert [await box(rows(page).nth(n)) for n in range(4)] == before
    assert await page.evaluate("window.shifts") == 0

    await button.click()
    await expect(page.locator(".toast")).to_contain_text("Performance rating approved successfully")
    await expect(decided).to_have_count(0)


async def gaps(page: Page) -> list[float]:
    """Return the distances between what ends or replaces the session and what is pressed during an evening."""
    found: list[float] = await page.evaluate("""() => {
      const boxes = (look) => [...document.querySelectorAll(look)]
        .filter((each) => each.checkVisibility()).map((each) => each.getBoundingClientRect());
      const ends = boxes(".cue [data-command='session_end'], .cue [data-command='session_set_live']");
      const steps = boxes(".cue__next, .cue__steps button");
      return ends.flatMap((end) => steps.map((step) => Math.max(
        end.top - step.bottom, step.top - end.bottom, end.left - step.right, step.left - end.right)));
    }""")
    return found


async def test_interval_costs_one_press_and_a_call_by_mistake_two(site: Site, windows: Windows) -> None:
    page = await phone(site, windows)
    now, end = page.locator(".cue__now"), (await box(page.locator(".areas ul")))["y"]
    playing, following, *_, last = site.appearances.names[PERFORMING:]
    interval, undo = page.get_by_role("button", name="Interval", exact=True), page.locator(".cue__undo")
    for button in (page.locator(".cue__next"), interval, undo):
        place = await box(button)
        assert min(place["height"], place["width"]) >= 48
        assert place["y"] + place["height"] <= end, "it is pressed without scrolling"
    await interval.tap()
    await expect(now).to_contain_text("Interval since")
    await expect(page.locator(".cue__next")).to_contain_text("Next performer")
    await page.locator(".cue__next").tap()  # the interval ends
    await expect(now).to_contain_text(following)
    await undo.tap()
    await expect(now).to_contain_text("Interval since")
    await undo.tap()
    await expect(now).to_contain_text(playing)

    await page.goto("/admin?tab=live")
    await expect(page.locator(".toasts")).to_be_attached()
    await page.get_by_text("Other sessions", exact=True).tap()
    assert min(await gaps(page)) >= 48
    await page.get_by_role("button", name=f"Perform: {last}").tap()
    question = page.get_by_role("dialog", name=re.compile(f"^Call [0-9]+ {last} now"))
    await expect(question).to_contain_text(f"{playing} is on stage.")
    await question.get_by_role("button", name="Call", exact=True).tap()
    await expect(now).to_contain_text(last)
    await page.get_by_role("button", name=f"Has not played: take the call back ({last})").tap()
    await expect(now).to_contain_text(playing)
