"""Password reset: request the link, set a new password, and sign in with it."""

import re

import pytest
from playwright.async_api import expect

from tests.e2e.conftest import Site
from tests.e2e.doors import OFF, account, expect_signed_in, expect_stranger, fill, send, sign_in
from tests.e2e.mails import link, mail, mails
from tests.e2e.windows import ABSENT, Windows, live

NEW = "tre corde e una corda"
CHANGED = "Password updated successfully! Please log in with your new password."
USELESS = "Failed to verify reset token. Please request a new password reset."
MISSING = "Invalid or missing reset tokens. Please request a new password reset."


async def ask(page, address: str) -> None:
    await page.goto("/forgot-password")
    await fill(page, {"E-mail": address})
    await send(page, "Send the link")
    await expect(page.locator("h1")).to_have_text("Check your mail")


async def test_new_password_opens_the_door_and_the_old_one_does_not(site: Site, windows: Windows) -> None:
    address = account(site, "absent-minded")
    page = await windows.open("/login", wait_live=False)
    await page.get_by_role("link", name="Forgot password").click()
    await ask(page, address)
    where = await link(site.server, address, "/reset-password")
    await page.goto(where)
    await fill(page, {"New password": NEW, "Confirm password": NEW})
    await send(page, "Reset password")
    await expect(page.get_by_text(CHANGED)).to_be_visible()
    await expect(page).to_have_url(re.compile(r"/login$"))  # automatic, after two seconds
    await sign_in(page, address)
    await expect(page.get_by_role("alert")).to_be_visible()
    await sign_in(page, address, NEW)
    await expect_signed_in(page)
    await mail(site.server, address, "password")

    again = await windows.open(where, wait_live=False, tolerated=[ABSENT])
    await expect(again.get_by_role("alert")).to_have_text(USELESS)


async def test_it_works_without_a_script(site: Site, windows: Windows) -> None:
    address = account(site, "unscripted")
    page = await windows.open(wait_live=False, **OFF)
    await ask(page, address)
    await page.goto(await link(site.server, address, "/reset-password"))
    await fill(page, {"New password": NEW, "Confirm password": NEW})
    await send(page, "Reset password")
    await expect(page).to_have_url(re.compile(r"/login$"))
    await sign_in(page, address, NEW)
    await expect_signed_in(page, scripts=False)


async def test_mistakes_are_told_and_the_link_still_works(site: Site, windows: Windows) -> None:
    address = account(site, "two-left-hands")
    page = await windows.open(wait_live=False)
    await ask(page, address)
    await page.goto(await link(site.server, address, "/reset-password"))
    await fill(page, {"New password": NEW, "Confirm password": "something else"})
    await send(page, "Reset password")
    await expect(page.locator("#password2-error")).to_have_text("Passwords do not match")
    await expect(page.get_by_label("Confirm password")).to_be_focused()
    await fill(page, {"New password": "short", "Confirm password": "short"})
    await send(page, "Reset password")
    await expect(page.locator("#password1-error")).to_have_text("Password must be at least 6 characters long")
    await fill(page, {"New password": NEW, "Confirm password": NEW})
    await send(page, "Reset password")
    await expect(page.get_by_text(CHANGED)).to_be_visible()


async def test_other_windows_of_this_person_are_signed_out(site: Site, windows: Windows) -> None:
    address = account(site, "stolen-seat")
    thief = await windows.open("/login?next=/profile", wait_live=False)
    await sign_in(thief, address)
    await expect_signed_in(thief)
    page = await windows.open(wait_live=False)
    await ask(page, address)
    await page.goto(await link(site.server, address, "/reset-password"))
    await fill(page, {"New password": NEW, "Confirm password": NEW})
    await send(page, "Reset password")
    await expect(page.get_by_text(CHANGED)).to_be_visible()
    await expect(thief).to_have_url(re.compile(r"/login\?next="))  # automatic redirect
    await thief.goto("/")
    await expect_stranger(thief)
    await live(thief)


async def test_unknown_address_is_answered_alike(site: Site, windows: Windows) -> None:
    page = await windows.open(wait_live=False)
    await ask(page, "never.was.here@example.org")
    assert not [each for each in mails(site.server, "never.was.here@example.org") if "key=" in each]


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("", MISSING),
        ("?key=not-a-key", USELESS),
        ("?access_token=a&refresh_token=b", USELESS),
    ],
)
async def test_link_that_is_none_says_so_and_leads_to_a_new_one(
    query: str, words: str, site: Site, windows: Windows
) -> None:
    page = await windows.open(f"/reset-password{query}", wait_live=False, tolerated=[ABSENT])
    await expect(page.get_by_role("alert")).to_have_text(words)
    await page.get_by_role("link", name="Request a new link").click()
    await expect(page.locator("h1")).to_have_text("Forgot password")
