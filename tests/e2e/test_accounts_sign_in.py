"""Sign-in with e-mail and password: redirects, errors, cookies, keyboard, rate limit."""

import re
import time

import pytest
from playwright.async_api import Page, expect

from tests.e2e.conftest import Site
from tests.e2e.doors import OFF, PASSWORD, REFUSED, account, expect_signed_in, expect_stranger, fill, send, sign_in
from tests.e2e.server import run_folder
from tests.e2e.windows import Windows, live

DAY = 24 * 60 * 60
WRONG = "Invalid login credentials. Please try again."


async def cookie(page: Page) -> dict[str, object]:
    [found] = [each for each in await page.context.cookies() if each["name"] == "session"]
    return dict(found)


async def test_signing_in_leads_back_to_where_one_was(site: Site, windows: Windows) -> None:
    address = account(site, "back-again")
    page = await windows.open("/profile", wait_live=False)
    await expect(page).to_have_url(re.compile(r"/login\?next=%2Fprofile$"))
    await sign_in(page, address)
    await expect(page).to_have_url(f"{site.server.address}/profile")
    await expect_signed_in(page)


async def test_the_way_round_by_a_wrong_password_leads_back_too(site: Site, windows: Windows) -> None:
    address = account(site, "detour")
    page = await windows.open("/login?next=/sessions?show=past", wait_live=False)
    await sign_in(page, address, "wrong")
    await expect(page.get_by_role("alert")).to_have_text(WRONG)
    await sign_in(page, address)
    await expect(page).to_have_url(f"{site.server.address}/sessions?show=past")
    await expect_signed_in(page)


@pytest.mark.parametrize("to", ["https://evil.example/", "//evil.example/", "/\\evil.example/", "%2f%2fevil.example"])
async def test_nobody_is_led_to_another_site(to: str, site: Site, windows: Windows) -> None:
    page = await windows.open(f"/login?next={to}", wait_live=False)
    await sign_in(page, "corda@example.org", _demo_password())
    await expect(page).to_have_url(f"{site.server.address}/")
    await expect_signed_in(page)


def _demo_password() -> str:
    noted = (run_folder() / "demo-accounts.txt").read_text(encoding="utf-8")  # where the demo was prepared
    return noted.splitlines()[0].removeprefix("Password: ")


async def test_wrong_password_keeps_the_address_and_asks_for_the_password_again(site: Site, windows: Windows) -> None:
    address = account(site, "forgetful")
    page = await windows.open("/login", wait_live=False)
    await page.get_by_label("Remember me").check()
    await sign_in(page, address, "not this one")
    await expect(page.get_by_role("alert")).to_have_text(WRONG)
    await expect(page.get_by_label("E-mail")).to_have_value(address)
    await expect(page.get_by_label("Password", exact=True)).to_have_value("")
    await expect(page.get_by_label("Password", exact=True)).to_be_focused()
    await expect(page.get_by_label("Remember me")).to_be_checked()
    assert "not this one" not in await page.content()
    await expect_stranger(page)


async def test_unknown_address_is_answered_like_a_wrong_password(site: Site, windows: Windows) -> None:
    page = await windows.open("/login", wait_live=False)
    await sign_in(page, "nobody.of.this.name@example.org", "whatever it is")
    await expect(page.get_by_role("alert")).to_have_text(WRONG)


async def test_without_remember_me_the_cookie_goes_with_the_browser(site: Site, windows: Windows) -> None:
    page = await windows.open("/login", wait_live=False)
    await sign_in(page, account(site, "for-today"))
    await expect_signed_in(page)
    assert (await cookie(page))["expires"] == -1


async def test_with_remember_me_it_stays_for_thirty_days(site: Site, windows: Windows) -> None:
    page = await windows.open("/login", wait_live=False)
    await page.get_by_label("Remember me").check()
    await sign_in(page, account(site, "for-a-month"))
    await expect_signed_in(page)
    kept = await cookie(page)
    assert 29 * DAY < float(str(kept["expires"])) - time.time() <= 30 * DAY
    assert (kept["httpOnly"], kept["sameSite"]) == (True, "Lax")


async def test_a_new_session_begins_at_the_door(site: Site, windows: Windows) -> None:
    page = await windows.open("/login", session="a-key-that-somebody-planted-here1", wait_live=False)
    await sign_in(page, account(site, "fixed"))
    await expect_signed_in(page)
    assert (await cookie(page))["value"] != "a-key-that-somebody-planted-here1"


async def test_ticket_needs_no_script(site: Site, windows: Windows) -> None:
    page = await windows.open("/login?next=/community", wait_live=False, **OFF)
    await sign_in(page, account(site, "scriptless"))
    await expect(page).to_have_url(f"{site.server.address}/community")
    await expect_signed_in(page, scripts=False)


async def test_two_windows_of_one_person_are_two_seats(site: Site, windows: Windows) -> None:
    address = account(site, "two-seats")
    here = await windows.open("/login", wait_live=False)
    there = await windows.open("/login", wait_live=False)
    await sign_in(here, address)
    await sign_in(there, address)
    await expect_signed_in(here)
    await expect_signed_in(there)
    await here.get_by_role("button", name="Sign out", exact=True).click()
    await expect_stranger(here)
    await live(here)
    await there.reload()
    await expect_signed_in(there)


async def test_who_is_in_is_not_asked_again(site: Site, windows: Windows) -> None:
    page = await windows.open("/login", wait_live=False)
    await sign_in(page, account(site, "inside"))
    await expect_signed_in(page)
    await page.goto("/login?next=/news")
    await expect(page).to_have_url(f"{site.server.address}/news")
    await live(page)


async def test_keyboard_finds_every_field_in_its_order(site: Site, windows: Windows) -> None:
    page = await windows.open("/login", wait_live=False)
    await page.locator("h1").evaluate("(heading) => heading.focus()")
    seen = []
    for _ in range(7):
        await page.keyboard.press("Tab")
        seen.append(await page.evaluate("() => document.activeElement.name || document.activeElement.textContent"))
    assert seen == ["login", "password", "remember", "Forgot password", "Log in", "Log in with a passkey", "Register"]


async def test_enter_hands_the_ticket_over(site: Site, windows: Windows) -> None:
    address = account(site, "by-enter")
    page = await windows.open("/login", wait_live=False)
    await fill(page, {"E-mail": address, "Password": PASSWORD})
    await page.keyboard.press("Enter")
    await expect_signed_in(page)


async def test_form_without_its_token_is_refused_in_plain_words(site: Site, windows: Windows) -> None:
    page = await windows.open("/login", wait_live=False, tolerated=[REFUSED])
    await page.context.clear_cookies()
    address = account(site, "tokenless")
    await sign_in(page, address)
    await expect(page.locator("h1")).to_have_text("Please try again")
    await page.get_by_role("link", name="Back to the form").click()
    await expect(page).to_have_url(f"{site.server.address}/login")
    await sign_in(page, address)
    await expect_signed_in(page)


async def test_too_many_attempts_end_for_a_while(site: Site, windows: Windows) -> None:
    address = account(site, "besieged")
    page = await windows.open("/login", wait_live=False, tolerated=[REFUSED])
    for _ in range(5):
        await sign_in(page, address, "guess")
        await expect(page.get_by_role("alert")).to_have_text(WRONG)
    await fill(page, {"E-mail": address, "Password": PASSWORD})
    await send(page, "Log in")
    await expect(page.get_by_role("alert")).to_contain_text("Too many attempts. Please try again")
    await expect_stranger(page)
