"""Taking a seat: registering, confirming the address, and the first sign-in."""

import re

from playwright.async_api import expect

from tests.e2e.conftest import Site
from tests.e2e.doors import OFF, PASSWORD, account, expect_signed_in, expect_stranger, fill, register, send, sign_in
from tests.e2e.letters import link, mail
from tests.e2e.windows import ABSENT, Windows

REGISTERED = "Registration successful! Please check your email for verification and then log in."


async def test_seat_is_taken_with_two_windows(site: Site, windows: Windows) -> None:
    """One registers at a desk, and opens the mail on the phone."""
    address, desk = "new-listener@example.org", await windows.open("/register", wait_live=False)
    await register(desk, address, "new-listener")
    await expect(desk).to_have_url(re.compile(r"/login"))
    await expect(desk.get_by_role("status").filter(has_text=REGISTERED)).to_be_visible()
    await desk.reload()
    await expect(desk.get_by_text(REGISTERED)).to_have_count(0)  # it is said once

    phone = await windows.open(await link(site.server, address, "/verify-email"), width=360, wait_live=False)
    await expect(phone.locator("main")).to_contain_text(address)
    await expect_stranger(phone)
    await send(phone, "Confirm")
    await expect(phone).to_have_url(re.compile(r"/login"))

    await sign_in(desk, address)
    await expect_signed_in(desk)


async def test_nobody_sits_down_before_the_address_is_confirmed(site: Site, windows: Windows) -> None:
    address = "hasty@example.org"
    page = await windows.open("/register", wait_live=False)
    await register(page, address, "hasty")
    await expect(page).to_have_url(re.compile(r"/login"))
    await link(site.server, address, "/verify-email")
    await sign_in(page, address)
    await expect(page.locator("h1")).to_have_text("Check your mail")
    await expect_stranger(page)


async def test_seat_is_taken_without_a_script(site: Site, windows: Windows) -> None:
    address = "quiet@example.org"
    page = await windows.open("/register", wait_live=False, **OFF)
    await register(page, address, "quiet")
    await expect(page.get_by_text(REGISTERED)).to_be_visible()
    await page.goto(await link(site.server, address, "/verify-email"))
    await send(page, "Confirm")
    await sign_in(page, address)
    await expect_signed_in(page, scripts=False)


async def test_mistakes_are_told_at_their_fields_and_what_was_typed_stays(site: Site, windows: Windows) -> None:
    page = await windows.open("/register", wait_live=False)
    await register(page, "careful@example.org", "7th_row", "short")
    password, username = page.get_by_label("Password", exact=True), page.get_by_label("Username")
    await expect(page.locator("#password1-error")).to_have_text("Password must be at least 6 characters")
    await expect(page.locator("#username-error")).to_have_text("Username must start with a letter")
    await expect(password).to_be_focused()
    await expect(password).to_have_value("")
    await expect(username).to_have_value("7th_row")
    await expect(page.get_by_label("E-mail")).to_have_value("careful@example.org")
    await expect(username).to_have_attribute("aria-invalid", "true")
    await fill(page, {"Password": PASSWORD, "Username": "careful"})
    await send(page, "Register")
    await expect(page.get_by_text(REGISTERED)).to_be_visible()


async def test_known_address_is_answered_alike_and_its_owner_is_told(site: Site, windows: Windows) -> None:
    address = account(site, "already-here")
    page = await windows.open("/register", wait_live=False)
    await register(page, address, "somebody-else")
    await expect(page.get_by_text(REGISTERED)).to_be_visible()
    assert "/verify-email" not in await mail(site.server, address, "already")


async def test_link_that_was_used_offers_another(site: Site, windows: Windows) -> None:
    page = await windows.open("/verify-email?key=not-a-key", wait_live=False, tolerated=[ABSENT])
    await expect(page.locator("h1")).to_have_text("Verify e-mail")
    await expect(page.get_by_label("E-mail")).to_be_visible()
    await expect(page.get_by_role("button", name="Confirm")).to_have_count(0)


async def test_another_link_is_sent_on_demand(site: Site, windows: Windows) -> None:
    address = "patient@example.org"
    page = await windows.open("/register", wait_live=False, tolerated=[ABSENT])
    await register(page, address, "patient")
    await link(site.server, address, "/verify-email")
    await page.goto("/verify-email?key=old")
    await fill(page, {"E-mail": "no address"})
    await send(page, "Send a new link")
    await expect(page.locator("#email-error")).to_have_text("Please enter a valid e-mail address")
    await expect(page.get_by_label("E-mail")).to_have_value("no address")
    await fill(page, {"E-mail": address})
    await send(page, "Send a new link")
    await expect(page).to_have_url(f"{site.server.address}/verify-email/sent")
    await expect(page.locator("h1")).to_have_text("Check your mail")
