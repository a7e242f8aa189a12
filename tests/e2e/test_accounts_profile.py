"""The profile page in two windows: changes, remote sign-out, data download, account deletion."""

import json
import re
from pathlib import Path
from typing import Any

from playwright.async_api import Page, expect

from apps.accounts.actors import OPERATOR
from apps.accounts.models import User
from apps.news.services import post_create
from tests.e2e.barriers import barriers
from tests.e2e.conftest import Site
from tests.e2e.doors import PASSWORD, account, expect_signed_in, expect_stranger, fill, send, sign_in
from tests.e2e.windows import Windows, becomes, live

SIGNED_OUT = r"status of 4"
UNREACHABLE = [r"ERR_|Failed to load|asks another origin"]
ANOTHER = "quite another seat 7"


async def inside(windows: Windows, address: str, path: str = "/profile", **options: object) -> Page:
    """Open a new window, sign in, and return it on this page."""
    page = await windows.open(f"/login?next={path}", wait_live=False, **options)
    await sign_in(page, address)
    await expect(page).to_have_url(re.compile(re.escape(path) + r"$"))
    return page


async def same_browser(page: Page, windows: Windows, path: str = "/profile") -> Page:
    """Open another tab of the same browser."""
    tab = await page.context.new_page()
    windows.watch(tab)
    await tab.goto(path)
    await live(tab)
    return tab


async def test_profile_is_changed_and_shown_in_the_other_window(site: Site, windows: Windows) -> None:
    address = account(site, "one_name")
    member = site.sign_in(address.partition("@")[0])
    page, other = [await windows.open("/profile", session=member, tolerated=UNREACHABLE) for _ in range(2)]
    for window in (page, other):
        await window.route("https://pictures.example/**", lambda route: route.abort())
    await fill(page, {"Username": "7th_row", "New password": "short", "Confirm password": "other"})
    await send(page, "Save changes")
    await expect(page.locator("#username-error")).to_have_text("Username must start with a letter")
    await expect(page.get_by_label("Username")).to_have_value("7th_row")
    await expect(page.get_by_label("Username")).to_be_focused()
    await expect(page.get_by_label("New password")).to_have_value("")
    await live(page)
    assert await barriers(page) == ""

    await fill(page, {"Username": "another_name"})
    await send(page, "Save changes")
    await expect(page.get_by_role("status").filter(has_text="Profile updated successfully")).to_be_visible()
    await expect(page.get_by_label("Username")).to_have_value("another_name")
    await expect(other.locator(".portrait p")).to_have_text("another_name")
    await live(page)
    await expect(page).to_have_url(re.compile(r"/profile$"))
    await expect(page.get_by_text("Profile updated successfully")).to_be_visible()
    await page.reload()
    await live(page)
    await expect(page.locator(".portrait p")).to_have_text("another_name")
    await expect(page.get_by_text("Profile updated successfully")).to_have_count(0)

    await fill(page, {"Picture (address)": "https://pictures.example/none.png"})
    await send(page, "Save changes")
    await expect(page.get_by_text("Profile updated successfully")).to_be_visible()
    await expect(page.locator(".portrait .disc")).to_have_text("A")  # the initial, as the picture does not load
    await expect(page.locator(".portrait img")).to_be_hidden()
    await live(page)

    async with page.expect_download() as download:
        await send(page, "Download my data")
    data = _read(await (await download.value).path())
    assert data["account"]["username"] == "another_name"
    # Other journeys show this account too, and tolerate no missing picture.
    site.desk.do(User.objects.filter(username="another_name").update, avatar_url="")


def _read(file: Path) -> dict[str, Any]:
    return dict(json.loads(Path(file).read_text(encoding="utf-8")))


async def test_other_browsers_are_signed_out_by_a_button_and_by_a_new_password(site: Site, windows: Windows) -> None:
    address = account(site, "two_browsers")
    page = await inside(windows, address)
    other = await inside(windows, address, tolerated=[SIGNED_OUT])
    tab, other_tab = await same_browser(page, windows), await same_browser(other, windows)
    await page.reload()
    await live(page)
    await expect(page.get_by_text("This browser")).to_have_count(1)
    await expect(page.get_by_text("Chrome on Linux")).to_have_count(2)
    await page.get_by_role("button", name=re.compile("^Sign out: ")).click()
    await expect(page.get_by_text("That browser has been signed out.")).to_be_visible()
    for signed_out in (other, other_tab):
        await expect(signed_out).to_have_url(re.compile(r"/login\?next=%2Fprofile$"))
    await expect_stranger(other)
    await expect(page.get_by_role("button", name=re.compile("^Sign out: "))).to_have_count(0)

    await sign_in(other, address)
    await expect_signed_in(other)
    await fill(page, {"New password": ANOTHER, "Confirm password": ANOTHER})
    await send(page, "Save changes")
    await expect(page.get_by_text("Profile updated successfully")).to_be_visible()
    await expect(other).to_have_url(re.compile(r"/login\?next=%2Fprofile$"))
    await expect_signed_in(tab)
    assert "/profile" in tab.url
    await sign_in(other, address, ANOTHER)
    await expect_signed_in(other)


async def test_account_is_deleted_in_all_windows(site: Site, windows: Windows) -> None:
    address = account(site, "former")
    username = address.partition("@")[0]
    author = site.desk.do(_article_by, username)
    here = await windows.open("/profile", session=site.sign_in(username))
    there = await windows.open("/profile", session=site.sign_in(username), tolerated=[SIGNED_OUT])
    reader = await windows.open(f"/news/{author}")
    await expect(reader.locator(".article__by")).to_contain_text(f"by {username}")
    await fill(here, {"Password": "wrong"})
    await send(here, "Delete account")
    await expect(here.locator("#leaving-password-error")).to_have_text("Incorrect password. Account deletion canceled.")
    await expect(here.get_by_label("Password", exact=True)).to_be_focused()
    await here.evaluate("localStorage.setItem('a draft', 'of mine')")
    await fill(here, {"Password": PASSWORD})
    await send(here, "Delete account")
    await becomes(here, "() => localStorage.getItem('a draft')", None)
    await expect(here.get_by_role("status").filter(has_text="Your account has been deleted.")).to_be_visible()
    await expect_stranger(here)
    await expect(there).to_have_url(re.compile(r"/login\?next=%2Fprofile$"))
    await expect(reader.locator(".article__by")).to_contain_text("by former member")
    await sign_in(here, address)
    await expect(here.get_by_role("alert")).to_have_text("Invalid login credentials. Please try again.")


def _article_by(username: str) -> int:
    """Create an article by this account and return its id."""
    author = User.objects.get(username=username)
    words = {"title": "What stays", "excerpt": "An article.", "content": "It is read on."}
    return int(post_create(actor=OPERATOR, author_id=author.pk, is_published=True, **words).pk)
