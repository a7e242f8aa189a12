"""Registration, confirmation of the e-mail address, and the first sign-in."""

import re
from urllib.parse import urlencode

import pytest
from playwright.async_api import expect

from tests.e2e.barriers import barriers
from tests.e2e.conftest import Site
from tests.e2e.doors import (
    OFF,
    PASSWORD,
    expect_signed_in,
    expect_stranger,
    fill,
    onward,
    register,
    send,
    sign_in,
)
from tests.e2e.mails import link
from tests.e2e.rating import COMMENT, SUBMITTED, filled, form_of, item_opened, keys_opened, ranges_of
from tests.e2e.windows import ABSENT, Windows, becomes


@pytest.fixture
def keys(site: Site) -> str:
    """Return a participant's page with a rating form."""
    return f"/participants/{site.appearances.participant}"


REGISTERED = "Registration successful! Please check your email for verification and then log in."


async def test_registration_on_a_desktop_is_confirmed_on_a_phone(site: Site, windows: Windows) -> None:
    """The user registers on a desktop and opens the mail on a phone."""
    address, desk = "new-listener@example.org", await windows.open("/register", wait_live=False)
    await register(desk, address, "new-listener")
    await expect(desk).to_have_url(re.compile(r"/register/sent"))
    await expect(desk.get_by_text("We sent a link to n…@example.org")).to_be_visible()
    await onward(desk)
    await expect(desk.get_by_role("status").filter(has_text=REGISTERED)).to_be_visible()
    await desk.reload()
    await expect(desk.get_by_text(REGISTERED)).to_have_count(0)  # the message appears once

    phone = await windows.open(await link(site.server, address, "/verify-email"), width=360, wait_live=False)
    await expect(phone.get_by_text("Please enter the password that was chosen there.")).to_be_visible()
    await expect(phone.get_by_label("E-mail")).to_have_value(address)
    await expect_stranger(phone)
    assert await barriers(phone) == ""
    await fill(phone, {"Password": PASSWORD})
    await send(phone, "Confirm")
    await expect_signed_in(phone)

    await sign_in(desk, address)
    await expect_signed_in(desk)


async def test_registration_without_scripts_is_corrected_and_leads_back(
    site: Site, windows: Windows, keys: str
) -> None:
    """The user mistypes the address, corrects it on the page after the registration, and has the mail sent again."""
    mistyped, address = "quite@example.org", "quiet@example.org"
    way_in = urlencode({"next": f"{keys}#rating-1"})
    page = await windows.open(f"/login?{way_in}", wait_live=False, width=360, **OFF)
    await expect(page.get_by_text("Sign in to rate.")).to_be_visible()
    await expect(page.get_by_text("Your marks are kept.")).to_be_hidden()
    await page.locator("main").get_by_role("link", name="Register").click()
    await register(page, mistyped, "quiet")
    former = await link(site.server, mistyped, "/verify-email")
    await expect(page.get_by_text("We sent a link to q…@example.org")).to_be_visible()
    await page.get_by_text("Wrong address? Change it").click()
    await fill(page, {"New e-mail address": address, "Password": "not-the-password"})
    await send(page, "Change the address")
    await expect(page.get_by_text("Incorrect password.")).to_be_visible()
    await expect(page.get_by_label("New e-mail address")).to_have_value(address)
    await fill(page, {"Password": PASSWORD})
    await send(page, "Change the address")
    await expect(page.get_by_text("The address is changed. Former links no longer work.")).to_be_visible()
    await send(page, "Send it again")
    await expect(page.get_by_text("We sent it once more.")).to_be_visible()
    await page.goto(former)
    await expect(page.get_by_text("This link has been used")).to_be_visible()
    await page.goto(await link(site.server, address, "/verify-email"))
    await send(page, "Confirm")
    await page.wait_for_url(f"**{keys}#rating-*")
    await expect_signed_in(page, scripts=False)


async def test_marks_of_a_visitor_are_kept_when_the_mail_opens_in_a_new_tab(
    site: Site, windows: Windows, keys: str
) -> None:
    address = "marks@example.org"
    page = await windows.open(keys, width=360)
    await keys_opened(page)
    await filled(page)
    await form_of(page).get_by_role("button", name="Submit ratings").click()
    await expect(page.get_by_text("Register to send your ratings. Your marks are kept.")).to_be_visible()
    await expect(page.locator("main").get_by_role("link", name="Log in")).to_be_in_viewport()
    assert await barriers(page) == ""
    await register(page, address, "keeps_marks")
    await expect(page.get_by_text("Your marks are kept.")).to_be_visible()
    await onward(page)
    await expect(page.get_by_text(REGISTERED)).to_be_visible()
    await expect(page.get_by_label("E-mail")).to_have_value(address)

    tab = await page.context.new_page()
    windows.watch(tab)
    await tab.goto(await link(site.server, address, "/verify-email"))
    await send(tab, "Confirm")
    await tab.wait_for_url(f"**{keys}*#rating-*")
    await expect_signed_in(tab)
    await expect(ranges_of(form_of(tab)).first).to_have_value("23")
    await expect(form_of(tab).locator(".items > li").first).to_be_in_viewport()
    await expect(form_of(tab).get_by_label("Your comment")).to_have_value(COMMENT)
    await form_of(tab).get_by_role("button", name="Submit ratings").click()
    await expect(form_of(tab).get_by_role("status").filter(has_text=SUBMITTED)).to_be_visible()

    await page.goto(f"/login?next={keys}")
    await page.wait_for_url(f"**{keys}")
    await expect_signed_in(page)
    await tab.close()


async def test_marks_of_a_registration_are_kept_when_another_browser_confirms(
    site: Site, windows: Windows, keys: str
) -> None:
    address, phone = "travelling-marks@example.org", {"width": 360, "has_touch": True}
    page = await windows.open(keys, **phone)
    await keys_opened(page)
    await filled(page)
    await (await item_opened(form_of(page), 1)).focus()
    await page.keyboard.type("17")
    await form_of(page).get_by_role("button", name="Submit ratings").click()
    await register(page, address, "travelling")
    await onward(page)
    await expect(page.get_by_text(REGISTERED)).to_be_visible()

    other = await windows.open(await link(site.server, address, "/verify-email"), wait_live=False, **phone)
    await fill(other, {"Password": PASSWORD})
    await send(other, "Confirm")
    await other.wait_for_url(f"**{keys}*#rating-*")
    await expect_signed_in(other)
    form = form_of(other)
    await expect(ranges_of(form).first).to_have_value("23")
    await expect(ranges_of(form).nth(1)).to_have_value("17")
    await expect(form.get_by_role("radio", name="4 of 5")).to_be_checked()
    await expect(form.get_by_label("Your comment")).to_have_value(COMMENT)
    await form.get_by_role("button", name="Submit ratings").tap()
    await expect(form.get_by_role("status").filter(has_text=SUBMITTED)).to_be_visible()
    await expect(form.get_by_text("Waits for approval").first).to_be_visible()

    await sign_in(page, address)
    await expect_signed_in(page)
    await becomes(page, "() => Object.keys(localStorage).filter((key) => key.includes('rating')).length", 0)
    await expect(page.get_by_text("before you signed in")).to_have_count(0)


async def test_registration_with_mistakes_is_corrected_and_waits_for_the_confirmation(
    site: Site, windows: Windows
) -> None:
    address = "careful@example.org"
    page = await windows.open("/register", wait_live=False, tolerated=[ABSENT])
    await register(page, address, "7th_row", "short")
    password, username = page.get_by_label("Password", exact=True), page.get_by_label("Username")
    await expect(page.locator("#password1-error")).to_have_text("Password must be at least 6 characters")
    await expect(page.locator("#username-error")).to_have_text("Username must start with a letter")
    await expect(password).to_be_focused()
    await expect(password).to_have_value("")
    await expect(username).to_have_value("7th_row")
    await expect(page.get_by_label("E-mail")).to_have_value(address)
    await expect(username).to_have_attribute("aria-invalid", "true")
    assert await barriers(page) == ""
    await fill(page, {"Password": PASSWORD, "Username": "careful"})
    await send(page, "Register")
    await link(site.server, address, "/verify-email")
    await page.get_by_text("Wrong address? Change it").click()
    await fill(page, {"New e-mail address": "corrected@example.org", "Password": "not-the-password"})
    await send(page, "Change the address")
    await expect(page.get_by_text("Incorrect password.")).to_be_visible()
    assert await barriers(page) == ""
    await onward(page)
    await expect(page.get_by_text(REGISTERED)).to_be_visible()

    await sign_in(page, address)  # the address is not confirmed
    await expect(page.locator("h1")).to_have_text("Check your mail")
    await expect(page.get_by_text("Your password is right, but your address is not confirmed yet.")).to_be_visible()
    await expect(page.get_by_label("E-mail")).to_have_value(address)
    assert await barriers(page) == ""
    await expect_stranger(page)

    await page.goto("/verify-email?key=not-a-key")
    await expect(page.locator("h1")).to_have_text("Verify e-mail")
    await expect(page.get_by_role("button", name="Confirm")).to_have_count(0)
    await fill(page, {"E-mail": "no address"})
    await send(page, "Send a new link")
    await expect(page.locator("#email-error")).to_have_text("Please enter a valid e-mail address")
    await expect(page.get_by_label("E-mail")).to_have_value("no address")
    await fill(page, {"E-mail": address})
    await send(page, "Send a new link")
    await expect(page).to_have_url(f"{site.server.address}/verify-email/sent")
    await expect(page.locator("h1")).to_have_text("Check your mail")
