"""A member's marks are kept the moment they are struck: after a reload, on two devices, and through a cut line."""

from collections.abc import Iterator

import pytest
from playwright.async_api import Page, expect

from tests.e2e.barriers import barriers
from tests.e2e.conftest import Site
from tests.e2e.rating import (
    COMMENT,
    RATER,
    SUBMITTED,
    filled,
    form_of,
    item_opened,
    ranges_of,
    scripted,
    stored,
    unrated,
)
from tests.e2e.windows import SERVERLESS, Windows, becomes, live

UNSENT = "() => Object.keys(localStorage).filter((key) => key.startsWith('draft:')).length"
PHONE = {"width": 360, "has_touch": True}


@pytest.fixture
def address(site: Site) -> Iterator[str]:
    """Yield a participant's page; the rater has an account and no marks."""
    yield from unrated(site)


async def strike(page: Page, piece: int, mark: str) -> None:
    """Mark a piece of the newest performance, by its place in the program."""
    await scripted(page)
    await (await item_opened(form_of(page), piece)).focus()
    await page.keyboard.type(mark)


async def acknowledged(page: Page) -> None:
    """Wait until the server has acknowledged every mark of this browser."""
    await becomes(page, UNSENT, 0)


async def filled_by_links(page: Page) -> None:
    """Fill in the form by the links that name what is missing."""
    form, needs = form_of(page), form_of(page).locator(".marks__needs")
    await scripted(page)
    await expect(needs).to_have_text("Still missing: a piece, the whole performance, a comment")
    await needs.get_by_role("link", name="a piece").tap()
    await expect(form.get_by_role("slider").first).to_be_focused()
    await expect(form.get_by_role("slider").first).to_be_in_viewport()
    await page.keyboard.type("23")
    await expect(needs).to_have_text("Still missing: the whole performance, a comment")
    await needs.get_by_role("link", name="the whole performance").tap()
    await page.keyboard.press("Space")
    await expect(form.get_by_role("radio", name="1 of 5")).to_be_checked()
    await needs.get_by_role("link", name="a comment").tap()
    await page.keyboard.type(COMMENT)
    await expect(form.get_by_role("button", name="Submit ratings")).to_be_enabled()


async def test_marks_of_a_phone_are_kept_sent_changed_and_reset_on_all_devices(
    site: Site, windows: Windows, address: str
) -> None:
    page = await windows.open(address, session=site.sign_in(RATER), **PHONE)
    form = form_of(page)
    await filled_by_links(page)
    await acknowledged(page)

    # the other device and a reload show them
    other = await windows.open(address, session=site.sign_in(RATER))
    await page.reload()
    await live(page)
    for window in (page, other):
        await expect(ranges_of(form_of(window)).first).to_have_value("23")
        await expect(form_of(window).get_by_role("radio", name="1 of 5")).to_be_checked()
        await expect(form_of(window).get_by_label("Your comment")).to_have_value(COMMENT)
        await expect(form_of(window).locator(".restored")).to_have_count(0)
        await expect(form_of(window).get_by_role("button", name="Submit ratings")).to_be_enabled()
    assert stored(site) == ([], [])
    await form_of(other).get_by_role("button", name="Submit ratings").click()
    await expect(form_of(other).get_by_role("status").filter(has_text=SUBMITTED)).to_be_visible()
    await expect(form.get_by_role("button", name="Submit ratings")).to_be_disabled()
    assert stored(site) == ([23], [(1, COMMENT, "")])

    # changes are sent
    await strike(page, 0, "21")
    for window in (page, other):
        await expect(form_of(window).get_by_role("button", name="Send changes")).to_be_enabled()
        await expect(form_of(window).locator(".marks__changed")).to_be_visible()
    await form.get_by_role("button", name="Send changes").tap()
    await expect(form.get_by_role("status").filter(has_text=SUBMITTED)).to_be_visible()
    await expect(form_of(other).get_by_role("button", name="Submit ratings")).to_be_disabled()
    await expect(form_of(other).locator(".marks__changed")).to_be_hidden()
    assert stored(site) == ([21], [(1, COMMENT, "")])

    # or reset to what was submitted
    await strike(page, 0, "7")
    await strike(page, 1, "9")
    await form.get_by_label("Your comment").fill("Loud.")
    await expect(ranges_of(form_of(other)).nth(1)).to_have_value("9")
    assert await barriers(page, "form.rating") == ""
    await form.get_by_role("button", name="Back to what I sent").tap()
    for window in (page, other):
        await expect(ranges_of(form_of(window)).first).to_have_value("21")
        await expect(ranges_of(form_of(window)).nth(1)).to_have_value("0")
        await expect(form_of(window).get_by_label("Your comment")).to_have_value(COMMENT)
        await expect(form_of(window).locator(".marks__changed")).to_be_hidden()
        await expect(form_of(window).get_by_role("button", name="Back to what I sent")).to_be_hidden()
    await expect(form.locator(".marks__answer")).to_be_focused()
    await acknowledged(page)
    await (await item_opened(form)).focus()
    await page.keyboard.press("Delete")
    await expect(form.locator(".marks__answer")).to_contain_text("taken back under “My Ratings” only")
    await expect(ranges_of(form).first).to_have_value("21")
    assert stored(site) == ([21], [(1, COMMENT, "")])


async def test_marks_set_without_a_connection_merge_by_field_and_the_later_mark_wins(
    site: Site, windows: Windows, address: str
) -> None:
    phone = await windows.open(address, session=site.sign_in(RATER), tolerated=[SERVERLESS], **PHONE)
    laptop = await windows.open(address, session=site.sign_in(RATER))
    await filled(phone)
    await expect(ranges_of(form_of(laptop)).first).to_have_value("23")
    await phone.context.set_offline(True)
    await strike(phone, 0, "3")
    await strike(phone, 1, "17")
    await scripted(laptop)
    await strike(laptop, 0, "25")
    await acknowledged(laptop)
    await phone.close()
    again = await phone.context.new_page()
    windows.watch(again, [SERVERLESS])
    await phone.context.set_offline(False)
    await again.goto("/participants")  # a page without the form
    await live(again)
    await acknowledged(again)
    await expect(ranges_of(form_of(laptop)).first).to_have_value("25")
    await expect(ranges_of(form_of(laptop)).nth(1)).to_have_value("17")
    await expect(form_of(laptop).get_by_label("Your comment")).to_have_value(COMMENT)
