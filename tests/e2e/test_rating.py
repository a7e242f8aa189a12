"""Ratings in browser windows, by touch and by keyboard."""

import re
from collections.abc import Iterator

import pytest
from playwright.async_api import expect

from tests.e2e.conftest import Site
from tests.e2e.rating import COMMENT, RATER, SUBMITTED, form_of, item_opened, scripted, stored, unrated
from tests.e2e.windows import Windows, becomes, live


@pytest.fixture
def address(site: Site) -> Iterator[str]:
    """Yield a participant's page; the rater has an account and no ratings."""
    yield from unrated(site)


async def test_marks_are_tapped_and_slid_on_a_phone_that_still_scrolls(
    site: Site, windows: Windows, address: str
) -> None:
    page = await windows.open(address, width=360, has_touch=True, session=site.sign_in(RATER))
    form = form_of(page)
    await scripted(page)
    mark = await item_opened(form)
    await mark.scroll_into_view_if_needed()
    await expect(form.get_by_role("button", name="Submit ratings")).to_be_disabled()
    touch = await page.context.new_cdp_session(page)

    async def finger(kind: str, x: float = 0, y: float = 0) -> None:
        points = [] if kind == "touchEnd" else [{"x": x, "y": y}]
        await touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    async def where(score: int) -> tuple[float, float]:
        box = await mark.bounding_box()
        assert box
        return box["x"] + (score + 0.5) * box["width"] / 26, box["y"] + box["height"] / 2

    await page.touchscreen.tap(*await where(8))
    await expect(mark).to_have_value("8")
    x, y = await where(8)
    await finger("touchStart", x, y)
    for score in range(9, 22):
        await finger("touchMove", (await where(score))[0], y + 3)
    await expect(page.locator(".score.is-active .score__flag")).to_have_text("21")
    await finger("touchEnd")
    await expect(mark).to_have_value("21")
    await expect(form.locator(".score").first.locator("output")).to_have_text("21")

    x, y = await where(3)
    before = await page.evaluate("scrollY")
    await finger("touchStart", x, y)
    for moved in range(10, 210, 10):
        await finger("touchMove", x + moved / 8, y - moved)
    await finger("touchEnd")
    await becomes(page, f"() => scrollY > {before} + 100", True)
    await expect(mark).to_have_value("21")

    await form.get_by_role("button", name="One point more").first.tap()
    await expect(mark).to_have_value("22")
    below = form.get_by_role("button", name=re.compile("^Next: "))
    while await below.count():  # each opens the following item, and comes under the same finger
        await below.scroll_into_view_if_needed()
        finger_at = await below.bounding_box()
        assert finger_at
        await below.tap()
        await expect(form.locator(".items > .is-open")).to_have_count(1)
        then = form.locator(".items > .is-open .items__next, .items > .is-open:last-child .items__ways")
        assert await then.evaluate("(way) => way.getBoundingClientRect().top") == pytest.approx(finger_at["y"], abs=1)
    await form.locator(".five label").nth(3).tap()
    for chosen in (True, False, True):
        await form.get_by_text("Outstanding", exact=True).tap()
        await expect(form.get_by_role("radio", name="Outstanding")).to_be_checked(checked=chosen)
    await form.get_by_label("Your comment").fill(COMMENT)
    await form.get_by_role("button", name="Submit ratings").tap()
    await expect(form.get_by_role("status").filter(has_text=SUBMITTED)).to_be_visible()
    await expect(form.locator(".marks__state")).to_contain_text("Only you see your ratings until they are approved.")
    assert stored(site) == ([22], [(4, COMMENT, "outstanding")])


async def test_performance_is_rated_by_keyboard_and_the_rating_deleted_after_a_question(
    site: Site, windows: Windows, address: str
) -> None:
    page = await windows.open(address, session=site.sign_in(RATER))
    form = form_of(page)
    await scripted(page)
    mark = await item_opened(form)
    submit = form.get_by_role("button", name="Submit ratings")
    await mark.focus()
    for keys, value, says in (
        ("2", "2", "2 of 25"),
        ("3", "23", "23 of 25"),
        ("ArrowRight", "24", "24 of 25"),
        ("ArrowDown", "23", "23 of 25"),
        ("End", "25", "25 of 25"),
        ("Home", "0", "no mark yet"),
        ("ArrowUp", "1", "1 of 25"),
        ("Backspace", "0", "no mark yet"),
    ):
        await page.keyboard.press(keys)
        await expect(mark).to_have_value(value)
        await expect(mark).to_have_attribute("aria-valuetext", says)
    await page.keyboard.type("19")
    await expect(submit).to_be_disabled()
    whole = form.get_by_role("radio", name="1 of 5")
    await whole.focus()
    await page.keyboard.press("ArrowRight")
    await expect(form.get_by_role("radio", name="2 of 5")).to_be_checked()
    await expect(submit).to_be_disabled()
    await page.keyboard.press("Tab")
    await expect(form.get_by_role("radio", name="Outstanding")).to_be_focused()
    await page.keyboard.press("Tab")
    await expect(form.get_by_label("Your comment")).to_be_focused()
    await page.keyboard.type(COMMENT)
    await page.keyboard.press("Tab")
    await expect(submit).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(form.get_by_role("status").filter(has_text=SUBMITTED)).to_be_visible()
    await expect(submit).to_be_disabled()  # until the form differs from the submitted values
    assert stored(site) == ([19], [(2, COMMENT, "")])

    await page.goto("/profile?tab=ratings")
    await live(page)
    rows = page.locator(".mine > li")
    await expect(rows).to_have_count(1)
    await rows.locator("summary").click()
    await rows.get_by_role("button", name=re.compile("The whole performance")).click()
    await page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    deleted = page.get_by_role("status").filter(has_text="Rating deleted successfully")
    await expect(deleted).to_be_visible()
    await expect(rows.get_by_text(COMMENT)).to_have_count(0)
    await expect(deleted).to_be_focused()  # the only mark left has no separate delete button
    await expect(rows.get_by_role("button", name="Delete")).to_have_count(1)
    assert stored(site) == ([19], [])
