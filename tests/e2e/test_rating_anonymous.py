"""Anonymous visitors who rate: they sign in, return to the form, and keep or discard their input."""

from collections.abc import Iterator

import pytest
from playwright.async_api import expect

from tests.e2e.conftest import Site
from tests.e2e.doors import sign_in
from tests.e2e.rating import (
    ASKED,
    COMMENT,
    RATER,
    SUBMITTED,
    filled,
    form_of,
    keys_opened,
    ranges_of,
    stored,
    taken_over,
    unrated,
)
from tests.e2e.windows import Windows, becomes, live


@pytest.fixture
def address(site: Site) -> Iterator[str]:
    """Yield a participant's page; the rater has an account and no ratings."""
    yield from unrated(site)


async def test_visitor_finds_the_marks_after_the_sign_in(site: Site, windows: Windows, address: str) -> None:
    page = await windows.open(address)
    await keys_opened(page)
    await filled(page)
    await form_of(page).get_by_role("button", name="Submit ratings").click()
    await expect(page.locator("h1")).to_have_text("Register")
    await page.locator("main").get_by_role("link", name="Log in").click()
    await expect(page.get_by_text("Sign in to rate. Your marks are kept.")).to_be_visible()
    await sign_in(page, f"{RATER}@example.org")
    await page.wait_for_url(f"**{address}*#rating-*")
    await live(page)
    await taken_over(page)
    await expect(ranges_of(form_of(page)).first).to_have_value("23")
    await expect(form_of(page).locator(".items > li").first).to_be_in_viewport()
    await form_of(page).get_by_role("button", name="Submit ratings").click()
    await expect(form_of(page).get_by_role("status").filter(has_text=SUBMITTED)).to_be_visible()
    assert stored(site) == ([23], [(4, COMMENT, "")])


async def test_member_discards_marks_of_a_visitor_in_a_shared_browser(
    site: Site, windows: Windows, address: str
) -> None:
    page = await windows.open(address, width=360, has_touch=True)
    await keys_opened(page)
    await filled(page)
    await page.goto(f"/login?next={address}")
    await sign_in(page, f"{RATER}@example.org")
    await page.wait_for_url(f"**{address}")
    await live(page)
    question = page.get_by_role("status").filter(has_text=ASKED)
    await expect(question).to_be_in_viewport(ratio=1)
    assert await page.evaluate("document.documentElement.scrollWidth") == 360
    await expect(ranges_of(form_of(page)).first).to_have_value("0")
    await page.locator("a.wordmark").tap()
    await page.wait_for_url("**/")
    await expect(question).to_be_in_viewport(ratio=1)  # until it is answered
    await question.get_by_role("button", name="Discard").tap()
    await expect(question).to_be_hidden()
    await becomes(page, "() => Object.keys(localStorage).filter((key) => key.includes('rating')).length", 0)
    await page.goto(address)
    await live(page)
    await expect(ranges_of(form_of(page)).first).to_have_value("0")
    await expect(question).to_have_count(0)
    assert stored(site) == ([], [])
