"""What people do at the doors: fill in the forms of accounts, as a person or a password manager would."""

from collections.abc import Mapping
from itertools import count

from playwright.async_api import Page, expect

from apps.accounts.services.accounts import account_create
from tests.e2e.conftest import Site
from tests.e2e.windows import live

PASSWORD = "una corda e tre corde"
OFF = {"java_script_enabled": False}
REFUSED = r"status of 4(03|29)"  # what Chromium's console says about an answer that refuses


NUMBERS = count(1)


def account(site: Site, name: str) -> str:
    """The address of a new account, whose password is PASSWORD; before the @ stands its username.

    The username is the name and a number: the journeys of a worker share one site, and none knows another's names.
    """
    return account_named(site, f"{name}-{next(NUMBERS)}")


def account_named(site: Site, username: str) -> str:
    """The address of a new account of exactly this username, whose password is PASSWORD."""
    address = f"{username}@example.org"
    site.desk.do(account_create, email=address, password=PASSWORD, username=username)
    return address


async def fill(page: Page, fields: Mapping[str, str]) -> None:
    """Type into the fields with these labels."""
    for label, words in fields.items():
        await page.locator("main").get_by_label(label, exact=True).fill(words)


async def send(page: Page, button: str) -> None:
    """Press the button on the ticket."""
    await page.locator("main").get_by_role("button", name=button, exact=True).click()


async def sign_in(page: Page, address: str, password: str = PASSWORD) -> None:
    """Fill in the ticket of /login, where the page stands already, and hand it over."""
    await fill(page, {"E-mail": address, "Password": password})
    await send(page, "Log in")


async def register(page: Page, address: str, username: str, password: str = PASSWORD) -> None:
    """Fill in the ticket of /register, where the page stands already, and hand it over."""
    await fill(page, {"E-mail": address, "Password": password, "Username": username})
    await send(page, "Register")


async def expect_signed_in(page: Page, *, scripts: bool = True) -> None:
    """The masthead knows somebody; with scripts, on a page that is live."""
    await expect(page.locator('#nav a[href="/profile"]')).to_be_attached()
    if scripts:
        await live(page)


async def expect_stranger(page: Page) -> None:
    """The masthead knows nobody."""
    await expect(page.locator('#nav a[href="/login"]')).to_be_attached()
