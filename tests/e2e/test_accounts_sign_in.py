"""Sign-in with e-mail and password: redirects, errors, cookies, keyboard, rate limit."""

import re
import time

from playwright.async_api import Page, expect

from tests.e2e.conftest import Site
from tests.e2e.doors import OFF, PASSWORD, REFUSED, account, expect_signed_in, expect_stranger, fill, send, sign_in
from tests.e2e.server import run_folder
from tests.e2e.windows import Windows, live

DAY = 24 * 60 * 60
WRONG = "Invalid login credentials. Please try again."


async def cookie(page: Page) -> dict[str, object]:
    """Return the cookie of the session."""
    [session] = [cookie for cookie in await page.context.cookies() if cookie["name"] == "session"]
    return dict(session)


async def test_sign_in_after_a_wrong_password_leads_back_and_is_remembered(site: Site, windows: Windows) -> None:
    address = account(site, "forgetful")
    page = await windows.open("/profile", wait_live=False)
    await expect(page).to_have_url(re.compile(r"/login\?next=%2Fprofile$"))
    await page.get_by_label("Remember me").check()
    await sign_in(page, address, "not this one")
    await expect(page.get_by_role("alert")).to_have_text(WRONG)
    await expect(page.get_by_label("E-mail")).to_have_value(address)
    await expect(page.get_by_label("Password", exact=True)).to_have_value("")
    await expect(page.get_by_label("Password", exact=True)).to_be_focused()
    await expect(page.get_by_label("Remember me")).to_be_checked()
    assert "not this one" not in await page.content()
    await expect_stranger(page)

    await sign_in(page, address)
    await expect(page).to_have_url(f"{site.server.address}/profile")
    await expect_signed_in(page)
    kept = await cookie(page)
    assert 29 * DAY < float(str(kept["expires"])) - time.time() <= 30 * DAY
    assert (kept["httpOnly"], kept["sameSite"]) == (True, "Lax")

    await page.goto("/login?next=/news")  # a signed-in user is redirected at once
    await expect(page).to_have_url(f"{site.server.address}/news")
    await live(page)


async def test_sign_in_by_keyboard_begins_a_new_session_of_the_browser(site: Site, windows: Windows) -> None:
    planted = "a-key-that-somebody-planted-here1"
    address = account(site, "by-enter")
    page = await windows.open("/login?next=/sessions?show=past", session=planted, wait_live=False)
    await page.locator("h1").evaluate("(heading) => heading.focus()")
    focused = []
    for _ in range(7):
        await page.keyboard.press("Tab")
        focused.append(await page.evaluate("() => document.activeElement.name || document.activeElement.textContent"))
    assert focused == [
        "login", "password", "remember", "Forgot password", "Log in", "Log in with a passkey", "Register",
    ]  # fmt: skip
    await fill(page, {"E-mail": address, "Password": PASSWORD})
    await page.keyboard.press("Enter")
    await expect(page).to_have_url(f"{site.server.address}/sessions?show=past")
    await expect_signed_in(page)
    begun = await cookie(page)
    assert begun["value"] != planted
    assert begun["expires"] == -1  # it ends with the browser


async def test_sign_in_leads_to_no_other_site(site: Site, windows: Windows) -> None:
    page = await windows.open(wait_live=False)
    for target in ("https://evil.example/", "//evil.example/", "/\\evil.example/", "%2f%2fevil.example"):
        await page.goto(f"/login?next={target}")
        await sign_in(page, "corda@example.org", _demo_password())
        await expect(page).to_have_url(f"{site.server.address}/")
        await expect_signed_in(page)
        await page.context.clear_cookies()


def _demo_password() -> str:
    noted = (run_folder() / "demo-accounts.txt").read_text(encoding="utf-8")  # where the demo was prepared
    return noted.splitlines()[0].removeprefix("Password: ")


async def test_unknown_address_and_missing_token_are_refused(site: Site, windows: Windows) -> None:
    page = await windows.open("/login", wait_live=False, tolerated=[REFUSED])
    await sign_in(page, "unknown@example.org", "not a password")
    await expect(page.get_by_role("alert")).to_have_text(WRONG)  # as for a wrong password
    await page.context.clear_cookies()
    address = account(site, "tokenless")
    await sign_in(page, address)
    await expect(page.locator("h1")).to_have_text("Please try again")
    await page.get_by_role("link", name="Back to the form").click()
    await expect(page).to_have_url(f"{site.server.address}/login")
    await sign_in(page, address)
    await expect_signed_in(page)


async def test_sign_in_needs_no_script(site: Site, windows: Windows) -> None:
    page = await windows.open("/login?next=/community", wait_live=False, **OFF)
    await sign_in(page, account(site, "scriptless"))
    await expect(page).to_have_url(f"{site.server.address}/community")
    await expect_signed_in(page, scripts=False)


async def test_two_browsers_of_an_account_are_two_sessions(site: Site, windows: Windows) -> None:
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


async def test_sixth_attempt_is_refused_for_a_while(site: Site, windows: Windows) -> None:
    address = account(site, "besieged")
    page = await windows.open("/login", wait_live=False, tolerated=[REFUSED])
    for _ in range(5):
        await sign_in(page, address, "guess")
        await expect(page.get_by_role("alert")).to_have_text(WRONG)
    await fill(page, {"E-mail": address, "Password": PASSWORD})
    await send(page, "Log in")
    await expect(page.get_by_role("alert")).to_contain_text("Too many attempts. Please try again")
    await expect_stranger(page)
