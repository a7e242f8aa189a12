"""Steps of the tests without JavaScript: repeated posts, answers after a redirect, buttons, query fields."""

import re
from urllib.parse import parse_qs, urlsplit

from playwright.async_api import Locator, Page, expect

OFF = {"java_script_enabled": False, "wait_live": False}


async def sent_twice(page: Page, button: Locator) -> None:
    """Press the button, send the browser's own form post twice, and wait for the page with the answer.

    The address may contain an earlier answer, so that only the navigation tells them apart.
    """
    posted: list[tuple[str, str]] = []

    async def again(route, request) -> None:
        if request.method == "POST":
            posted.append((request.url, request.post_data))
            headers = {name: value for name, value in request.headers.items() if name != "content-length"}
            answer = await route.fetch(headers=headers, max_redirects=0)
            assert answer.status == 303
        await route.continue_()

    await page.route("**/do/*", again)
    async with page.expect_navigation(url=re.compile("answer=")):
        await button.click()
    await page.unroute("**/do/*", again)
    assert posted


async def says(page: Page, words: str) -> None:
    """Wait until the answer above the page contains these words."""
    await expect(page.locator(".posted").get_by_text(words)).to_be_in_viewport()


async def answered(page: Page, words: str) -> None:
    """Wait for these words in the answer, reload, and expect no repeated answer."""
    await says(page, words)
    await page.reload()
    await expect(page).not_to_have_url(re.compile("answer="))
    await expect(page.locator("h1")).to_be_visible()
    await expect(page.locator(".posted")).to_have_count(0)


def button(page: Page, name: str, *, exact: bool = True) -> Locator:
    """Return the page's first button with this name."""
    return page.get_by_role("button", name=name, exact=exact).first


def query(page: Page) -> dict[str, str]:
    """Return the address's query fields without `answer`."""
    return {name: value for name, (value,) in parse_qs(urlsplit(page.url).query).items() if name != "answer"}
