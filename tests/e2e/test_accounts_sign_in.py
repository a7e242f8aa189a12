"""Sign-in with e-mail and password: redirects, errors, cookies, keyboard, accessible refusals."""

import re
import time

from playwright.async_api import Page, expect

from tests.e2e.accounts import LISTENER
from tests.e2e.barriers import barriers
from tests.e2e.conftest import Site
from tests.e2e.doors import PASSWORD, REFUSED, account, expect_signed_in, expect_stranger, fill, send, sign_in
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
    assert await barriers(page) == ""

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
    for _ in range(8):
        await page.keyboard.press("Tab")
        focused.append(await page.evaluate("() => document.activeElement.name || document.activeElement.textContent"))
    assert focused == [
        "login", "password", "remember", "Forgot password", "Log in", "Log in with a passkey", "Log in by e-mail",
        "Register",
    ]  # fmt: skip
    await fill(page, {"E-mail": address, "Password": PASSWORD})
    await page.keyboard.press("Enter")
    await expect(page).to_have_url(f"{site.server.address}/sessions?show=past")
    await expect_signed_in(page)
    begun = await cookie(page)
    assert begun["value"] != planted
    assert begun["expires"] == -1  # it ends with the browser


async def test_refusals_have_no_barriers_and_lead_back(site: Site, windows: Windows) -> None:
    address = account(site, "tokenless")
    page = await windows.open("/account-closed", wait_live=False, tolerated=[REFUSED])
    await expect(page.locator("h1")).to_have_text("Account closed")
    assert await barriers(page) == ""
    await page.goto("/login")
    await page.context.clear_cookies()
    await sign_in(page, address)
    await expect(page.locator("h1")).to_have_text("Please try again")
    assert await barriers(page) == ""
    await page.get_by_role("link", name="Back to the form").click()
    await expect(page).to_have_url(f"{site.server.address}/login")
    await sign_in(page, address)
    await expect_signed_in(page)


async def test_wrong_password_of_a_reauthentication_is_reported(site: Site, windows: Windows) -> None:
    page = await windows.open("/reauthenticate?next=/profile", session=site.sign_in(LISTENER), wait_live=False)
    await fill(page, {"Password": "wrong"})
    await send(page, "Confirm")
    await expect(page.get_by_label("Password")).to_be_focused()
    await expect(page.locator("h1")).to_have_text("Confirm that it is you")
    assert await barriers(page) == ""
