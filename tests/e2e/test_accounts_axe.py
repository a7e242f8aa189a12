"""Accessibility of account pages after a form is submitted: errors, answers and refusals."""

from playwright.async_api import Page, expect

from tests.e2e.accounts import LISTENER
from tests.e2e.barriers import barriers
from tests.e2e.conftest import Site
from tests.e2e.doors import REFUSED, account, fill, onward, register, send, sign_in
from tests.e2e.mails import link
from tests.e2e.windows import Windows

STILL = {"wait_live": False, "reduced_motion": "reduce"}
NEW = "tre corde e una corda"


async def nothing_in_the_way(page: Page, heading: str) -> None:
    """Wait for the page with this heading and check that it has no barriers."""
    await expect(page.locator("h1")).to_have_text(heading)
    assert await barriers(page) == "", heading


async def test_errors_and_answers_of_sign_in_and_registration_have_no_barriers(site: Site, windows: Windows) -> None:
    page = await windows.open("/login", **STILL)
    await sign_in(page, "nobody.at.all@example.org", "wrong")
    await expect(page.get_by_role("alert")).to_be_visible()
    await nothing_in_the_way(page, "Log in")
    await page.goto("/register")
    await register(page, "no address", "7th_row", "short")
    await expect(page.locator("#username-error")).to_be_visible()
    await nothing_in_the_way(page, "Register")
    await register(page, "accessible@example.org", "accessible")
    await nothing_in_the_way(page, "Check your mail")
    await page.get_by_text("Wrong address? Change it").click()
    await fill(page, {"New e-mail address": "corrected@example.org", "Password": "not-the-password"})
    await send(page, "Change the address")
    await expect(page.get_by_text("Incorrect password.")).to_be_visible()
    await nothing_in_the_way(page, "Check your mail")
    await onward(page)
    await expect(page.get_by_role("status").filter(has_text="Registration successful!")).to_be_visible()
    await nothing_in_the_way(page, "Log in")
    await page.goto(await link(site.server, "accessible@example.org", "/verify-email"))
    await nothing_in_the_way(page, "Verify e-mail")


async def test_screens_of_a_new_password_have_no_barriers(site: Site, windows: Windows) -> None:
    page = await windows.open("/forgot-password", **STILL)
    address = account(site, "unhindered")
    await fill(page, {"E-mail": address})
    await send(page, "Send the link")
    await nothing_in_the_way(page, "Check your mail")
    await page.goto(await link(site.server, address, "/reset-password"))
    await fill(page, {"New password": NEW, "Confirm password": "another"})
    await send(page, "Reset password")
    await expect(page.locator("#password2-error")).to_be_visible()
    await nothing_in_the_way(page, "Reset password")
    await page.route("**/login", lambda way_on: way_on.fulfill(status=204))  # blocks the automatic redirect
    await fill(page, {"New password": NEW, "Confirm password": NEW})
    await send(page, "Reset password")
    await expect(page.get_by_text("Password updated successfully!")).to_be_visible()
    await nothing_in_the_way(page, "Reset password")


async def test_reauthentication_and_refusals_have_no_barriers(site: Site, windows: Windows) -> None:
    page = await windows.open("/reauthenticate?next=/profile", session=site.sign_in(LISTENER), **STILL)
    await fill(page, {"Password": "wrong"})
    await send(page, "Confirm")
    await expect(page.get_by_label("Password")).to_be_focused()
    await nothing_in_the_way(page, "Confirm that it is you")
    refused = await windows.open("/account-closed", tolerated=[REFUSED], **STILL)
    await nothing_in_the_way(refused, "Account closed")
    await refused.goto("/login")
    await refused.context.clear_cookies()
    await sign_in(refused, "nobody.at.all@example.org", "wrong")
    await nothing_in_the_way(refused, "Please try again")
