"""Somebody whose browser runs no script, and who does not wait for an answer before pressing again."""

import re

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
