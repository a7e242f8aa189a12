"""The session page during a session: ratings beside the video, and changes while the viewer types."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import transaction
from playwright.async_api import Locator, Page, expect

from apps.accounts.models import User
from apps.core.events import publish
from apps.live.events import CommentsChanged
from apps.live.models import SessionComment
from tests.e2e.accounts import LISTENER
from tests.e2e.conftest import PERFORMING, Site
from tests.e2e.layout import SHIFTS, shifted
from tests.e2e.rating import COMMENT, RATER, SUBMITTED, item_opened, scripted, stored, unrated
from tests.e2e.windows import Windows, becomes, live

HAS_FOCUS = "(selector) => !!document.activeElement?.matches(selector)"
TABS = 300  # maximum Tab presses to any element of a page
TOP = "(element) => element.getBoundingClientRect().top"
PHONE = {"width": 360, "has_touch": True, "is_mobile": True}
# Returns the positions of the elements in view outside the list of comments.
OUTSIDE = """() => [...document.querySelectorAll(
    "header, .stand__stage, .stand__tabs, #comments form, .feed__line, .comments__more, footer"
  )].map((one) => [one.className, one.getBoundingClientRect().top]).filter(([, top]) => top < innerHeight)"""
FRESH = ".feed__line button"
TO_LIST = "(list) => scrollBy(0, list.getBoundingClientRect().top - 200)"
CHANGE = 0.01  # allowed layout shift of a change: the requirement is 0.05, the measured value 0


@pytest.fixture
def stage(site: Site) -> Iterator[str]:
    """Yield the live session's address with nine comments; the rater has no ratings."""

    def comments(*, there: bool) -> None:
        SessionComment.objects.all().delete()
        if there:
            says(site, *(f"Early {number}" for number in range(9)))

    site.desk.do(comments, there=True)
    for _ in unrated(site):
        yield f"/sessions/{site.appearances.live}"
    site.desk.do(comments, there=False)


@transaction.atomic
def says(site: Site, *texts: str) -> None:
    """Store these comments of another account and publish the change."""
    author, session_id = User.objects.get(username=LISTENER), site.appearances.live
    for text in texts:
        SessionComment.objects.create(session_id=session_id, user=author, content=text)
    publish(CommentsChanged(session_ids=(session_id,)))


def row_of(page: Page, site: Site, index: int) -> Locator:
    """Return the running order's row at this place, from 0."""
    return page.locator(f"#appearance-{site.appearances.performers[index]}")


async def tab_to(page: Page, selector: str) -> None:
    """Press Tab until this element has the focus."""
    for _ in range(TABS):
        await page.keyboard.press("Tab")
        if await page.evaluate(HAS_FOCUS, selector):
            return
    raise AssertionError(f"{selector} cannot be reached by keyboard")


async def strike(page: Page, mark: Locator, number: int) -> None:
    """Set this mark to `number` by a tap."""
    await mark.evaluate("(range) => range.scrollIntoView({ block: 'center' })")
    box = await mark.bounding_box()
    assert box
    await page.touchscreen.tap(box["x"] + box["width"] * (number + 0.5) / 26, box["y"] + box["height"] / 2)
    await expect(mark).to_have_value(str(number))


async def test_performer_is_rated_beside_the_video_on_a_phone(site: Site, windows: Windows, stage: str) -> None:
    page = await windows.open(stage, session=site.sign_in(RATER), **PHONE)
    await scripted(page)
    video = await page.wait_for_selector("#stage-video")
    row = row_of(page, site, PERFORMING)
    form, piece = row.locator("form.rating"), row.locator(".items > li").first
    audience = piece.locator(".marks__heard [data-slot^='piece_figures']")
    await expect(piece.locator(".marks__heard")).to_contain_text("mark")
    await expect(audience).to_be_hidden()  # blind until the viewer has rated
    await strike(page, await item_opened(form), 23)
    await expect(audience).to_be_visible()
    await expect(page.locator("#stage-video")).to_be_in_viewport(ratio=1)  # docked at the top
    await form.locator("label", has=page.get_by_role("radio", name="4 of 5")).tap()
    await form.get_by_label("Your comment").fill(COMMENT)
    await form.get_by_role("button", name="Submit ratings").tap()
    await expect(form.get_by_role("status").filter(has_text=SUBMITTED)).to_be_visible()
    await expect(page.locator("#stage-video")).to_be_in_viewport(ratio=1)
    assert stored(site) == ([23], [(4, COMMENT, "")])
    await expect(page.locator(".stage__audience")).to_have_attribute("data-own", "23.0")  # in the ranking too
    assert await video.evaluate("(frame) => frame.isConnected"), "the player was taken from the viewer"


async def test_earlier_performance_is_opened_and_rated_by_keyboard(site: Site, windows: Windows, stage: str) -> None:
    page = await windows.open(stage, session=site.sign_in(RATER))
    await scripted(page)
    row = row_of(page, site, 2)
    name = f"#{await row.get_attribute('id')}"
    await expect(row).to_be_hidden()  # folded with the others before the performer
    await tab_to(page, ".order__before summary")
    await page.keyboard.press("Enter")
    await expect(row.locator(".order__few")).to_be_visible()
    await expect(row.locator(".order__means .blind")).to_be_hidden()
    await tab_to(page, f"{name} .order__row")
    await page.keyboard.press("Enter")
    await expect(row.locator("form.rating")).to_be_visible()
    await tab_to(page, f"{name} .items__name")
    await page.keyboard.press("Enter")
    await tab_to(page, f"{name} .score input")
    await page.keyboard.type("23")
    await expect(row.locator(".marks__heard [data-slot^='piece_figures']").first).to_be_visible()
    await tab_to(page, f"{name} [name=score]")
    await page.keyboard.press("Space")
    for _ in range(3):
        await page.keyboard.press("ArrowRight")
    await tab_to(page, f"{name} textarea")
    await page.keyboard.type(COMMENT)
    await tab_to(page, f"{name} [type=submit]")
    await page.keyboard.press("Enter")
    await expect(row.get_by_role("status").filter(has_text=SUBMITTED)).to_be_visible()
    assert stored(site) == ([23], [(4, COMMENT, "")])
    await expect(row.locator(".order__means")).to_have_attribute("data-own", "23.0")
    await expect(row.locator(".order__means .blind")).to_be_visible()
    await expect(page.locator("#stage-video")).to_be_in_viewport(ratio=1)


# The field has not moved for 60 frames: what follows the own mark has arrived.
STILL = """() => {
  const { top } = document.activeElement.getBoundingClientRect();
  window.framesStill = top === window.topBefore ? window.framesStill + 1 : 0;
  window.topBefore = top;
  return window.framesStill > 60;
}"""


async def test_performer_change_keeps_typed_text_marks_and_scroll_position(
    site: Site, windows: Windows, stage: str
) -> None:
    page = await windows.open(session=site.sign_in(RATER), **PHONE)
    await page.add_init_script(SHIFTS)
    await page.goto(stage)
    await live(page)
    await scripted(page)
    row, following = row_of(page, site, PERFORMING), site.appearances.names[PERFORMING + 1]
    await strike(page, await item_opened(row.locator("form.rating")), 19)
    words = row.get_by_label("Your comment")
    await words.press_sequentially("The left hand")
    await words.evaluate("(field) => field.scrollIntoView({ block: 'end' })")  # the next performer is below
    await expect(row_of(page, site, PERFORMING + 1)).not_to_be_in_viewport()
    await becomes(page, STILL, True)
    before, top = await shifted(page), await words.evaluate(TOP)
    site.perform(PERFORMING + 1)
    line = page.locator(".stand__bring")
    await expect(line).to_have_text(f"Now: {following}")
    await expect(line).to_be_visible()
    await expect(page.locator(".stand__dock")).to_contain_text(following)
    assert await shifted(page) - before < CHANGE
    assert abs(await words.evaluate(TOP) - top) < 1  # pixels
    await expect(words).to_be_focused()
    await page.keyboard.type(" alone.")
    await expect(words).to_have_value("The left hand alone.")
    await expect(row.locator(".score input").first).to_have_value("19")
    await line.tap()
    await expect(row_of(page, site, PERFORMING + 1).locator(".order__row")).to_be_focused()
    await expect(row_of(page, site, PERFORMING + 1)).to_be_in_viewport()
    await expect(line).to_be_hidden()
    await expect(words).to_have_value("The left hand alone.")


async def test_comment_causes_no_layout_shift_during_typing_or_reading(
    site: Site, windows: Windows, stage: str
) -> None:
    page = await windows.open(session=site.sign_in(RATER), **PHONE)
    await page.add_init_script(SHIFTS)
    await page.goto(stage)
    await live(page)
    site.desk.do(says, site, "Behind the tab")
    await expect(page.get_by_role("tab", name="Comments 10")).to_be_visible()
    await page.get_by_role("tab", name="Comments").tap()
    first, fresh = page.locator(".says").first, page.locator(FRESH)
    await expect(first).to_contain_text("Behind the tab")  # it arrived while its tab was hidden
    own = page.get_by_label("Your comment", exact=True)
    await own.scroll_into_view_if_needed()
    await own.press_sequentially("Brave")
    below_top = """() => {
      document.activeElement.blur();
      scrollBy(0, document.querySelector('.comments__newest').getBoundingClientRect().top + 20);
    }"""
    for count, leave in ((3, "() => null"), (6, below_top)):
        await page.evaluate(leave)
        before, top = await shifted(page), await first.evaluate(TOP)
        site.desk.do(says, site, *(f"Late {count - number}" for number in range(3)))
        await expect(fresh).to_have_text(f"{count} new comments")
        assert await shifted(page) == before
        assert await first.evaluate(TOP) == top
        await expect(first).to_contain_text("Behind the tab")
    await fresh.tap()
    await expect(first).to_contain_text("Late 4")
    await expect(own).to_have_value("Brave")
    await becomes(page, "() => document.querySelectorAll('.says').length", 16)
    before = await shifted(page)
    await page.locator(".comments__newest").evaluate("(list) => { list.style.marginBlockStart = '6rem'; }")
    assert await shifted(page) > before  # control: a real shift is measured


async def at_the_comments(windows: Windows, stage: str, **options: Any) -> Page:
    """Open a window that measures layout shifts and has the newest comments near its top."""
    page = await windows.open(**options)
    await page.add_init_script(SHIFTS)
    await page.goto(f"{stage}#comments")
    await live(page)
    await page.locator(".say").scroll_into_view_if_needed()
    await page.locator(".comments__newest").evaluate(TO_LIST)
    return page


async def test_comments_appear_at_the_top_without_a_layout_shift_outside_their_list(
    site: Site, windows: Windows, stage: str
) -> None:
    site.desk.do(says, site, *(f"Nr {number}" for number in range(25)))  # more than one page
    desktops = [await at_the_comments(windows, stage, width=width) for width in (1280, 1800)]
    pages = [*desktops, await at_the_comments(windows, stage, **PHONE)]
    for text in ("Short", ("Long words " * 40).strip(), "One more", "And one"):
        before = [(await shifted(page), await page.evaluate(OUTSIDE)) for page in pages]
        site.desk.do(says, site, text)
        for page, (shift, outside) in zip(pages, before, strict=True):
            await expect(page.locator(".says").first).to_contain_text(text)
            await expect(page.locator(FRESH)).to_have_count(0)
            assert await page.evaluate(OUTSIDE) == outside, page.viewport_size
            assert await shifted(page) - shift < CHANGE, page.viewport_size

    for page in desktops:
        await page.locator(".says").first.hover()
    site.desk.do(says, site, "Pointed at")
    for page in desktops:
        await expect(page.locator(FRESH)).to_have_text("1 new comment")
        await page.mouse.move(1, 1)
    for page in pages:
        await page.locator(".says__text").first.evaluate("(text) => getSelection().selectAllChildren(text)")
    site.desk.do(says, site, "Selected")
    for page in pages:
        await expect(page.locator(FRESH)).to_contain_text("new comment")
        await page.evaluate("() => getSelection().removeAllRanges()")
    site.desk.do(says, site, "Let go")
    for page in pages:
        await expect(page.locator(".says").first).to_contain_text("Let go")
        await expect(page.locator(FRESH)).to_have_count(0)
