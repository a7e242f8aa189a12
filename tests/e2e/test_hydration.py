"""Hydration keeps the viewer's input, focus, scroll position, open rows and player."""

import asyncio

from django.db import transaction
from playwright.async_api import Page, Route, expect

from apps.competition.selectors.public.sessions import session_appearances
from apps.core.events import publish
from apps.live.events import CommentsChanged
from apps.live.models import SessionComment
from tests.e2e.accounts import LISTENER
from tests.e2e.conftest import Site
from tests.e2e.windows import Windows, becomes, live

SCRIPT = "**/build/client*.js"


async def held_back(page: Page, path: str) -> asyncio.Event:
    """Open `path` and delay the client's script until the returned event is set."""
    release = asyncio.Event()

    async def hold(route: Route) -> None:
        await release.wait()
        await route.continue_()

    await page.route(SCRIPT, hold)
    await page.goto(path, wait_until="commit")
    return release


async def test_hydration_keeps_typed_text_focus_and_caret(site: Site, windows: Windows) -> None:
    page = await windows.open()
    release = await held_back(page, "/participants")
    field = page.get_by_label("Name")
    await field.press_sequentially("wroblewska")
    await field.press("Home")
    await field.press("ArrowRight")
    node = await field.element_handle()
    release.set()
    await live(page)
    await expect(page.locator(".cards > li")).to_have_count(1)  # input from before the script counts
    assert await node.evaluate("(one) => [one.isConnected, one === document.activeElement, one.value]") == [
        True, True, "wroblewska",
    ]  # fmt: skip
    assert await node.evaluate("(one) => one.selectionStart") == 1
    await page.wait_for_url("**/participants?q=wroblewska", wait_until="commit")


async def test_form_sent_before_hydration_is_stored_once_and_answered(site: Site, windows: Windows) -> None:
    page = await windows.open(session=site.sign_in(LISTENER))
    second = site.desk.do(session_appearances, session_id=site.appearances.live)[1]
    release = await held_back(page, f"/sessions/{site.appearances.live}?open={second.id}")
    await page.get_by_label("Your comment", exact=True).fill("Sent early")
    send = page.get_by_role("button", name="Comment", exact=True)
    await send.evaluate("(button) => { button.click(); button.click(); }")
    await page.wait_for_url("**answer=*", wait_until="commit")
    release.set()
    await live(page)
    await expect(page.get_by_text("Comment added successfully")).to_be_visible()
    found = SessionComment.objects.filter(content="Sent early")
    assert site.desk.do(found.count) == 1

    @transaction.atomic
    def clear() -> None:
        found.delete()
        publish(CommentsChanged(session_ids=(site.appearances.live,)))  # otherwise a cached page still contains it

    site.desk.do(clear)


async def test_hydration_keeps_elements_player_open_rows_and_scroll_position(site: Site, windows: Windows) -> None:
    page = await windows.open()
    second = site.desk.do(session_appearances, session_id=site.appearances.live)[1]
    release = await held_back(page, f"/sessions/{site.appearances.live}?open={second.id}")
    await page.wait_for_selector("#stage-video")
    await page.wait_for_selector("footer")
    row = page.locator(".order > li").nth(1)
    await expect(row.locator(".order__inside")).to_be_visible()
    await page.evaluate("() => { window.before = [...document.querySelectorAll('#app *')]; scrollTo(0, 350); }")
    release.set()
    await live(page)
    assert await page.evaluate("() => window.before.filter((one) => !one.isConnected).length") == 0
    assert len(windows.videos) == 1, "the player was loaded again"
    await becomes(page, "() => Math.round(scrollY)", 350)
    await expect(row.locator(".order__row")).to_have_attribute("aria-expanded", "true")
    await expect(row.locator(".order__inside")).to_be_visible()
