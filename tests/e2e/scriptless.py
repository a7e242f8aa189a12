"""Somebody whose browser runs no script, and who does not wait for an answer before pressing again."""

import re
from urllib.parse import parse_qs, urlsplit

from playwright.async_api import Locator, Page, expect

OFF = {"java_script_enabled": False, "wait_live": False}


async def sent_twice(page: Page, button: Locator) -> None:
    """Press the button in two windows of the same page at once, by the browser's own posts."""
    posted: list[tuple[str, str]] = []

    async def again(route, request) -> None:
        if request.method == "POST":
            posted.append((request.url, request.post_data))
            headers = {name: value for name, value in request.headers.items() if name != "content-length"}
            answer = await route.fetch(headers=headers, max_redirects=0)
            assert answer.status == 303
        await route.continue_()

    await page.route("**/do/*", again)
    await button.click()
    await expect(page).to_have_url(re.compile("answer="))
    await page.unroute("**/do/*", again)
    assert posted


async def says(page: Page, words: str) -> None:
    """Wait until this stands above the page."""
    await expect(page.locator(".posted").get_by_text(words)).to_be_in_viewport()


async def answered(page: Page, words: str) -> None:
    """The same, and a reload sends nothing and does not repeat it."""
    await says(page, words)
    await page.reload()
    await expect(page).not_to_have_url(re.compile("answer="))
    await expect(page.locator("h1")).to_be_visible()
    await expect(page.locator(".posted")).to_have_count(0)


def button(page: Page, name: str, *, exact: bool = True) -> Locator:
    """The page's first button of this name."""
    return page.get_by_role("button", name=name, exact=exact).first


def query(page: Page) -> dict[str, str]:
    """The address's fields but for the answer's."""
    return {name: value for name, (value,) in parse_qs(urlsplit(page.url).query).items() if name != "answer"}
