"""Steps of the account pages: create accounts, fill in forms, sign in and register."""

from collections.abc import Mapping
from itertools import count

from playwright.async_api import Page, expect

from apps.accounts.services.accounts import account_create
from tests.e2e.conftest import Site
from tests.e2e.windows import live

PASSWORD = "una corda e tre corde"
OFF = {"java_script_enabled": False}
REFUSED = r"status of 4(03|29)"  # Chromium's console message about a refusal


NUMBERS = count(1)


def account(site: Site, name: str) -> str:
    """Create an account with the password PASSWORD and return its address; the part before the @ is its username.

    The username is the name and a unique number, because the journeys of a worker share one site.
    """
    return account_named(site, f"{name}-{next(NUMBERS)}")


def account_named(site: Site, username: str) -> str:
    """Create an account with exactly this username and the password PASSWORD; return its address."""
    address = f"{username}@example.org"
    site.desk.do(account_create, email=address, password=PASSWORD, username=username)
    return address


async def fill(page: Page, fields: Mapping[str, str]) -> None:
    """Fill the fields with these labels."""
    for label, words in fields.items():
        await page.locator("main").get_by_label(label, exact=True).fill(words)


async def send(page: Page, button: str) -> None:
    """Press the form's button."""
    await page.locator("main").get_by_role("button", name=button, exact=True).click()


async def sign_in(page: Page, address: str, password: str = PASSWORD) -> None:
    """Fill in and submit the form of the open /login page."""
    await fill(page, {"E-mail": address, "Password": password})
    await send(page, "Log in")


async def register(page: Page, address: str, username: str, password: str = PASSWORD) -> None:
    """Fill in and submit the form of the open /register page."""
    await fill(page, {"E-mail": address, "Password": password, "Username": username})
    await send(page, "Register")


async def onward(page: Page) -> None:
    """Go from the page after a registration to the sign-in."""
    await expect(page.locator("h1")).to_have_text("Check your mail")
    await page.locator("main").get_by_role("link", name="Log in", exact=True).click()
    await expect(page.locator("h1")).to_have_text("Log in")


async def expect_signed_in(page: Page, *, scripts: bool = True) -> None:
    """Wait until the masthead shows a signed-in user; with `scripts`, also until the page is live."""
    await expect(page.locator('#nav a[href="/profile"]')).to_be_attached()
    if scripts:
        await live(page)


async def expect_stranger(page: Page) -> None:
    """Wait until the masthead shows an anonymous visitor."""
    await expect(page.locator('#nav a[href="/login"]')).to_be_attached()
