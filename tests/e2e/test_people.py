"""The page of accounts on a phone: close and open accounts, appoint and dismiss administrators, live updates."""

import re
from collections.abc import Iterator

import pytest
from playwright.async_api import Page, expect

from apps.accounts.actors import OPERATOR
from apps.accounts.selectors.sessions import account_id_get
from apps.accounts.services.roles import admin_grant, admin_revoke
from tests.e2e.accounts import ADMINISTRATOR
from tests.e2e.conftest import Site
from tests.e2e.doors import account, expect_signed_in, expect_stranger, sign_in
from tests.e2e.layout import SIDEWAYS, small_targets
from tests.e2e.windows import Windows, live

PEOPLE, AUDIT = "/admin/people", "/admin?tab=audit"
SECOND = "pedal-point"


@pytest.fixture
def second(site: Site) -> Iterator[str]:
    """Make a second account an administrator for one test."""
    pk = site.desk.do(account_id_get, username=SECOND)
    site.sign_in(SECOND)
    site.desk.do(admin_grant, actor=OPERATOR, account_id=pk)
    yield SECOND
    site.desk.do(admin_revoke, actor=OPERATOR, account_id=pk)


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


async def test_account_is_closed_and_reopened_on_a_phone(site: Site, windows: Windows) -> None:
    address = account(site, "balcony")
    name = address.partition("@")[0]
    phone = await windows.open(PEOPLE, width=360, has_touch=True, session=site.sign_in(ADMINISTRATOR))
    session, closed = site.sign_in(name), phone.locator(".entries .badge", has_text="Closed")
    profile = await windows.open("/profile", session=session, tolerated=["status of 403"])
    foyer = await windows.open("/community", session=session)
    await find(phone, name)
    assert await phone.evaluate(SIDEWAYS) <= 0
    assert await small_targets(phone) == []

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


async def test_administrator_is_appointed_and_dismissed_on_a_phone_and_audited(site: Site, windows: Windows) -> None:
    name = account(site, "usher").partition("@")[0]
    pk = site.desk.do(account_id_get, username=name)
    phone = await windows.open(PEOPLE, width=360, has_touch=True, session=site.sign_in(ADMINISTRATOR))
    window = await windows.open("/community", session=site.sign_in(name))
    way = window.locator("#nav").get_by_role("link", name="Admin")
    await find(phone, name)
    await expect(way).to_have_count(0)

    # the Admin link appears and disappears in an open window
    await decide(phone, "Make administrator", name, f"Make {name} an administrator?")
    await expect_answer(phone, "Administrator appointed.")
    await expect(way).to_be_visible()
    await live(window)
    await decide(phone, "Dismiss", name, f"Take the administration from {name}?")
    await expect_answer(phone, "Administrator dismissed.")
    await expect(way).to_have_count(0)
    await live(window)
    await decide(phone, "Close account", name, f"Close the account of {name}?")
    await expect_stranger(window)
    await decide(phone, "Open account", name, f"Open the account of {name} again?")
    await expect_answer(phone, "Account opened again.")

    # newest first: the audit keeps the order of the four decisions
    await phone.goto(AUDIT)
    await live(phone)
    rows = phone.locator(".audit__row").filter(has=phone.locator(f'a[href="{PEOPLE}?q=%23{pk}"]'))
    decided = ("Account opened again", "Account closed", "Administrator dismissed", "Administrator appointed")
    for number, words in enumerate(decided):
        await expect(rows.nth(number)).to_contain_text(words)
        await expect(rows.nth(number)).to_contain_text(ADMINISTRATOR)
    assert await phone.evaluate(SIDEWAYS) <= 0


async def test_two_administrators_decide_about_the_same_account(site: Site, windows: Windows, second: str) -> None:
    name = account(site, "usher").partition("@")[0]
    site.sign_in(name)
    halina = await windows.open(PEOPLE, width=360, has_touch=True, session=site.sign_in(ADMINISTRATOR))
    ignacy = await windows.open(PEOPLE, has_touch=True, session=site.sign_in(second))
    for page in (halina, ignacy):
        await find(page, name)

    # race condition: both see the same question, and the second decision is answered as already done
    question = f"Close the account of {name}?"
    await ignacy.get_by_role("button", name=f"Close account: {name}").tap()
    dialog = ignacy.get_by_role("dialog", name=question)
    await expect(dialog).to_be_visible()
    await decide(halina, "Close account", name, question)
    await expect_answer(halina, "Account closed.")
    await expect(ignacy.locator(".entries .badge", has_text="Closed")).to_be_visible()
    await dialog.get_by_role("button", name="Close account").tap()
    await expect_answer(ignacy, "This account is closed already.")

    # each window shows the other's decisions
    await decide(ignacy, "Open account", name, f"Open the account of {name} again?")
    await expect(halina.get_by_role("button", name=f"Close account: {name}")).to_be_visible()
    await decide(halina, "Make administrator", name, f"Make {name} an administrator?")
    await expect(ignacy.get_by_role("button", name=f"Dismiss: {name}")).to_be_visible()
    await decide(ignacy, "Dismiss", name, f"Take the administration from {name}?")
    await expect(halina.get_by_role("button", name=f"Make administrator: {name}")).to_be_visible()

    # a dismissed administrator's window loses the admin pages at once
    await find(halina, second)
    await decide(halina, "Dismiss", second, f"Take the administration from {second}?")
    await expect(ignacy.locator("#nav").get_by_role("link", name="Admin")).to_have_count(0)
    await expect(ignacy.locator(".entries__row")).to_have_count(0)
