"""Drafts when a session ends: the input stays in the browser and returns after the next sign-in."""

import asyncio

import pytest
from playwright.async_api import expect

from apps.accounts.models import AuthSession
from apps.accounts.selectors.sessions import viewer_get
from apps.accounts.services.sessions import session_end_own
from tests.e2e.accounts import ADMINISTRATOR, LISTENER
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


async def test_drafts_are_deleted_when_another_account_signs_in(site: Site, windows: Windows) -> None:
    session = site.sign_in(LISTENER)
    page = await windows.open("/community", session=session)
    await page.get_by_label("Your post").fill("Only mine")
    await becomes(page, DRAFTS, 1)
    await asyncio.to_thread(end_elsewhere, site, session)
    await expect(page.get_by_text(ENDED)).to_be_visible()
    assert await page.evaluate(DRAFTS) == 1
    await page.context.add_cookies(
        [{"name": "session", "value": site.sign_in(ADMINISTRATOR), "url": site.server.address}]
    )
    await page.reload()
    await live(page)
    await expect(page.get_by_label("Your post")).to_have_value("")
    assert await page.evaluate(DRAFTS) == 0


@pytest.mark.parametrize(
    ("who", "path", "label"),
    [(LISTENER, "/profile", "Username"), (ADMINISTRATOR, "/admin/pieces", "Name of the piece")],
)
async def test_unsaved_changes_are_restored_and_can_be_discarded(
    site: Site, windows: Windows, who: str, path: str, label: str
) -> None:
    page = await windows.open(path, session=site.sign_in(who))
    name = page.get_by_label(label)
    before = await name.input_value()
    await name.fill("another_name")
    await becomes(page, DRAFTS, 1)
    await page.goto("/sessions")
    await page.goto(path)
    await live(page)
    await expect(name).to_have_value("another_name")
    await expect(page.get_by_text("Your unsaved changes of")).to_be_visible()
    await page.get_by_role("button", name="Start over").click()
    await expect(name).to_have_value(before)
