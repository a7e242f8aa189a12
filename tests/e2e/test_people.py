"""The page of accounts on a phone: appoint and dismiss administrators, close and open accounts, live updates."""

import re

from playwright.async_api import Page, expect

from apps.accounts.actors import OPERATOR
from apps.accounts.selectors.sessions import account_id_get
from apps.accounts.services.roles import account_deactivate
from tests.e2e.accounts import ADMINISTRATOR
from tests.e2e.conftest import Site
from tests.e2e.doors import account, expect_signed_in, expect_stranger, sign_in
from tests.e2e.layout import SIDEWAYS, small_targets
from tests.e2e.windows import Windows, live

PEOPLE, AUDIT = "/admin/people", "/admin?tab=audit"


async def find(page: Page, username: str) -> None:
    """Search for this username and wait until the list contains only it."""
    await page.get_by_label("Name or address begins with").fill(username)
    await expect(page.locator(".entries__row h2")).to_have_text([username])


async def decide(page: Page, label: str, username: str, question: str) -> None:
    """Press this account's button and confirm its question."""
    await page.get_by_role("button", name=f"{label}: {username}", exact=True).tap()
    dialog = page.get_by_role("dialog", name=question)
    await expect(dialog.locator("p")).to_be_visible()
    await dialog.get_by_role("button", name=label, exact=True).tap()


async def expect_answer(page: Page, words: str) -> None:
    """Wait until the line above the list has this text."""
    await expect(page.locator(".listed > .answer-line")).to_have_text(words)


async def test_account_is_appointed_dismissed_closed_and_reopened_on_a_phone(site: Site, windows: Windows) -> None:
    address = account(site, "balcony")
    name = address.partition("@")[0]
    phone = await windows.open(PEOPLE, width=360, has_touch=True, session=site.sign_in(ADMINISTRATOR))
    session, closed = site.sign_in(name), phone.locator(".entries .badge", has_text="Closed")
    profile = await windows.open("/profile", session=session, tolerated=["status of 403"])
    foyer = await windows.open("/community", session=session)
    way = foyer.locator("#nav").get_by_role("link", name="Admin")
    await find(phone, name)
    assert await phone.evaluate(SIDEWAYS) <= 0
    assert await small_targets(phone) == []

    # the Admin link appears and disappears in an open window
    await expect(way).to_have_count(0)
    await decide(phone, "Make administrator", name, f"Make {name} an administrator?")
    await expect_answer(phone, "Administrator appointed.")
    await expect(way).to_be_visible()
    await live(foyer)
    await decide(phone, "Dismiss", name, f"Take the administration from {name}?")
    await expect_answer(phone, "Administrator dismissed.")
    await expect(way).to_have_count(0)
    await live(foyer)
    await live(profile)

    # canceling the question changes no data
    await phone.get_by_role("button", name=f"Close account: {name}").tap()
    asked = phone.get_by_role("dialog", name=f"Close the account of {name}?")
    await expect(asked).to_contain_text("All their windows are signed out")
    await expect(asked.get_by_role("button").first).to_be_focused()
    await asked.get_by_role("button").first.tap()
    await expect(asked).to_be_hidden()
    await expect(closed).to_have_count(0)

    # closed: both windows are signed out, and a sign-in is refused
    await decide(phone, "Close account", name, f"Close the account of {name}?")
    await expect(profile).to_have_url(re.compile(r"/login\?next=(/|%2F)profile$"))
    await expect_stranger(profile)
    await expect_stranger(foyer)
    await expect_answer(phone, "Account closed.")
    await expect(closed).to_be_visible()
    await sign_in(profile, address)
    await expect(profile.locator("h1")).to_have_text("Account closed")

    # reopened
    await decide(phone, "Open account", name, f"Open the account of {name} again?")
    await expect_answer(phone, "Account opened again.")
    await expect(closed).to_have_count(0)
    await profile.goto("/login?next=/profile")
    await sign_in(profile, address)
    await expect(profile).to_have_url(re.compile(r"/profile$"))
    await expect_signed_in(profile)

    # closed by another administrator while the question is open
    await phone.get_by_role("button", name=f"Close account: {name}").tap()
    await expect(asked).to_be_visible()
    site.desk.do(account_deactivate, actor=OPERATOR, account_id=site.desk.do(account_id_get, username=name))
    await expect_stranger(profile)
    await expect(closed).to_be_visible()
    await asked.get_by_role("button", name="Close account").tap()
    await expect_answer(phone, "This account is closed already.")
