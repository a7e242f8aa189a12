"""Drafts when a session ends: the input stays in the browser and returns after the next sign-in."""

import asyncio
import re

from playwright.async_api import expect

from apps.accounts.models import AuthSession
from apps.accounts.selectors.sessions import viewer_get
from apps.accounts.services.sessions import session_end_own
from tests.e2e.accounts import LISTENER
from tests.e2e.conftest import Site
from tests.e2e.windows import Windows, becomes, live

ENDED = "You were signed out. What you typed is kept in this browser for a day: sign in to go on."
DRAFTS = "() => Object.keys(localStorage).filter((key) => key.startsWith('draft:')).length"


def end_elsewhere(site: Site, session: str) -> None:
    """End this session from another browser of its account."""

    def end() -> None:
        row = AuthSession.objects.get(key=session)
        session_end_own(actor=viewer_get(user_id=row.user_id), handle=str(row.handle))

    site.desk.do(end)


async def test_draft_survives_the_end_of_its_session_and_the_next_sign_in(site: Site, windows: Windows) -> None:
    session = site.sign_in(LISTENER)
    page = await windows.open("/community", session=session)
    other = await page.context.new_page()
    windows.watch(other)
    await other.goto("/sessions")
    await live(other)
    await page.get_by_label("Your post").fill("Who played the étude?")
    await becomes(page, DRAFTS, 1)
    await asyncio.to_thread(end_elsewhere, site, session)
    await expect(page.get_by_text(ENDED)).to_be_visible()
    await expect(page.get_by_label("Your post")).to_have_count(0)
    await expect(other.locator("#nav").get_by_role("link", name="Log in")).to_be_visible()

    again = site.sign_in(LISTENER)
    await page.context.add_cookies([{"name": "session", "value": again, "url": site.server.address}])
    await other.reload()
    await live(other)
    composer = page.locator("form[data-draft=post]")
    await expect(composer.get_by_label("Your post")).to_have_value("Who played the étude?")
    await expect(composer.get_by_text("Your unsaved changes of")).to_be_visible()
    await composer.get_by_role("button", name="Start over").click()
    await expect(composer.get_by_label("Your post")).to_have_value("")
    await expect(composer.get_by_role("button", name="Start over")).to_have_count(0)
    assert await page.evaluate(DRAFTS) == 0


async def test_unsaved_input_stays_after_a_sign_out_and_is_sent_after_the_next_sign_in(
    site: Site, windows: Windows
) -> None:
    page = await windows.open("/community", session=site.sign_in(LISTENER))
    other = await page.context.new_page()
    windows.watch(other)
    await other.goto("/sessions")
    await live(other)
    composer = page.locator("form[data-draft=post]").get_by_label("Your post")
    await composer.fill("Who played the nocturne?")
    await other.get_by_role("button", name=re.compile("^Sign out")).first.click()
    await expect(other.locator("#nav").get_by_role("link", name="Log in")).to_be_visible()
    line = page.get_by_role("status").filter(has_text="You have been signed out. What you typed is not saved yet;")
    await expect(line.get_by_role("link", name="Sign in in a new window")).to_have_attribute("href", "/login")
    await expect(composer).to_have_value("Who played the nocturne?")
    again = site.sign_in(LISTENER)
    await page.context.add_cookies([{"name": "session", "value": again, "url": site.server.address}])
    await other.goto("/sessions")
    await live(page)
    await expect(composer).to_have_value("Who played the nocturne?")
    await page.get_by_role("button", name="Post", exact=True).click()
    await expect(page.locator("main p").get_by_text("Who played the nocturne?")).to_be_visible()
    await expect(composer).to_have_value("")
