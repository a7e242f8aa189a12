"""Password reset: request the link, set a new password, and sign in with it."""

import re

from playwright.async_api import Page, expect

from tests.e2e.barriers import barriers
from tests.e2e.conftest import Site
from tests.e2e.doors import OFF, account, expect_signed_in, expect_stranger, fill, send, sign_in
from tests.e2e.mails import link, mail
from tests.e2e.windows import ABSENT, Windows, live

NEW = "tre corde e una corda"
CHANGED = "Password updated successfully! Please log in with your new password."
USELESS = "Failed to verify reset token. Please request a new password reset."


async def request_link(page: Page, address: str) -> None:
    """Ask for a link to a new password."""
    await page.goto("/forgot-password")
    await fill(page, {"E-mail": address})
    await send(page, "Send the link")
    await expect(page.locator("h1")).to_have_text("Check your mail")


async def test_new_password_replaces_the_old_one_and_ends_other_sessions(site: Site, windows: Windows) -> None:
    address = account(site, "two-left-hands")
    other = await windows.open("/login?next=/profile", wait_live=False)
    await sign_in(other, address)
    await expect_signed_in(other)
    page = await windows.open("/login", wait_live=False)
    await page.get_by_role("link", name="Forgot password").click()
    await request_link(page, address)
    reset_link = await link(site.server, address, "/reset-password")
    await page.goto(reset_link)
    await fill(page, {"New password": NEW, "Confirm password": "something else"})
    await send(page, "Reset password")
    await expect(page.locator("#password2-error")).to_have_text("Passwords do not match")
    await expect(page.get_by_label("Confirm password")).to_be_focused()
    assert await barriers(page) == ""
    await fill(page, {"New password": "short", "Confirm password": "short"})
    await send(page, "Reset password")
    await expect(page.locator("#password1-error")).to_have_text("Password must be at least 6 characters long")
    await fill(page, {"New password": NEW, "Confirm password": NEW})
    await send(page, "Reset password")
    await expect(page.get_by_text(CHANGED)).to_be_visible()
    await expect(page).to_have_url(re.compile(r"/login$"))  # automatic, after two seconds

    await expect(other).to_have_url(re.compile(r"/login\?next="))  # automatic redirect
    await other.goto("/")
    await expect_stranger(other)
    await live(other)

    await sign_in(page, address)
    await expect(page.get_by_role("alert")).to_be_visible()
    await sign_in(page, address, NEW)
    await expect_signed_in(page)
    await mail(site.server, address, "password")

    again = await windows.open(reset_link, wait_live=False, tolerated=[ABSENT])
    await expect(again.get_by_role("alert")).to_have_text(USELESS)


async def test_new_password_needs_no_script(site: Site, windows: Windows) -> None:
    address = account(site, "unscripted")
    page = await windows.open(wait_live=False, **OFF)
    await request_link(page, address)
    await page.goto(await link(site.server, address, "/reset-password"))
    await fill(page, {"New password": NEW, "Confirm password": NEW})
    await send(page, "Reset password")
    await expect(page).to_have_url(re.compile(r"/login$"))
    await sign_in(page, address, NEW)
    await expect_signed_in(page, scripts=False)
