"""Administrators write posts, participants and pieces: long texts, edit conflicts, live updates for readers."""

import asyncio

from playwright.async_api import Dialog, Locator, Page, expect

from apps.accounts.actors import OPERATOR
from apps.news.models import BlogPost
from apps.news.services import post_update
from tests.e2e.accounts import ADMINISTRATOR
from tests.e2e.barriers import barriers
from tests.e2e.conftest import Site
from tests.e2e.windows import Windows, live, resize

LONG = ("Żółć, and what else was heard in the stalls. " * 50 + "\n") * 40  # 98 KB, which exceeds a frame


def answer(page: Page) -> Locator:
    """Return the page's message about the last command."""
    return page.locator(".message")


def errors(page: Page) -> Locator:
    """Return the error messages below the fields."""
    return page.locator("[data-error]")


async def test_long_post_is_created_edited_by_two_and_deleted(site: Site, windows: Windows) -> None:
    session = site.sign_in(ADMINISTRATOR)
    desk = await windows.open("/admin/blog", session=session)
    reader = await windows.open("/news")
    await desk.get_by_role("link", name="New Post").click()
    await expect(desk.locator("h1")).to_have_text("New Post")
    await expect(desk.locator("h1")).to_be_focused()

    await desk.get_by_role("button", name="Create Post").click()
    await expect(errors(desk)).to_have_text(["Title is required.", "Excerpt is required.", "Content is required."])
    await expect(desk.get_by_label("Title")).to_be_focused()
    await desk.get_by_label("Title").fill("Four hundred lines")
    await desk.get_by_label("Excerpt").fill("All of them the same.")
    await desk.get_by_label("Content").fill(LONG)
    await desk.get_by_label("Publish immediately").check()

    await desk.get_by_role("link", name="Cancel").click()
    leaving = desk.get_by_role("dialog", name="Leave without saving?")
    await leaving.get_by_role("button", name="Stay here").click()
    desk.once("dialog", lambda dialog: asyncio.ensure_future(accepted(dialog)))
    await desk.reload()
    await live(desk)
    await expect(desk.get_by_label("Title")).to_have_value("Four hundred lines")  # a draft

    await desk.get_by_role("button", name="Create Post").click()
    await expect(desk.locator("h1")).to_have_text("Blog")
    await expect(answer(desk)).to_have_text("Post created successfully")
    await reader.get_by_role("button", name="The list has changed. Show it").click()
    post = await asyncio.to_thread(site.desk.do, lambda: BlogPost.objects.get(title="Four hundred lines"))
    assert post.content == LONG.strip()

    await desk.get_by_role("link", name="Edit: Four hundred lines").click()
    await expect(desk.get_by_label("Content")).to_have_value(LONG.strip())
    await desk.get_by_label("Title").fill("Two thousand lines")
    await desk.get_by_label("Content").fill("As it was.")
    lines = "\n".join(f"On page {number} she hesitated." for number in range(1, 61))
    theirs = {"title": "Many lines", "excerpt": "Theirs.", "content": lines, "image_url": ""}
    await asyncio.to_thread(site.desk.do, post_update, actor=OPERATOR, post_id=post.pk, **theirs, is_published=True)
    await desk.get_by_role("button", name="Update Post").click()
    await expect(answer(desk)).to_contain_text("Title was changed meanwhile. It is now “Many lines”.")
    await expect(answer(desk)).to_contain_text("Save again to keep what you wrote.")
    await expect(answer(desk)).to_have_attribute("tabindex", "0")  # a long message scrolls
    assert await barriers(desk) == ""
    await resize(desk, 1280, 900)
    await expect(desk.get_by_label("Title")).to_have_value("Two thousand lines")
    await desk.get_by_role("button", name="Update Post").click()
    kept = "Post updated successfully\nSomebody else changed this meanwhile, and it is kept: Excerpt."
    await expect(answer(desk)).to_have_text(kept, use_inner_text=True)
    await expect(reader.get_by_role("heading", name="Two thousand lines")).to_be_visible()

    await desk.get_by_role("button", name="Delete: Two thousand lines").click()
    dialog = desk.get_by_role("dialog", name="Delete the post Two thousand lines?")
    await dialog.get_by_role("button", name="Delete").click()
    await expect(answer(desk)).to_have_text("Post deleted successfully")
    await expect(desk.get_by_role("heading", name="Two thousand lines")).to_have_count(0)
    await expect(reader.get_by_role("heading", name="Two thousand lines")).to_have_count(0)


async def accepted(dialog: Dialog) -> None:
    """Accept the browser's question about unsaved changes."""
    assert dialog.type == "beforeunload"
    await dialog.accept()


async def test_participant_is_created_on_a_phone_and_found_by_visitors(site: Site, windows: Windows) -> None:
    phone = await windows.open("/admin/participants", session=site.sign_in(ADMINISTRATOR), width=360, has_touch=True)
    reader = await windows.open("/participants?q=zelazowa")
    await expect(reader.get_by_text("No participants found matching your criteria.")).to_be_visible()
    await phone.get_by_role("link", name="New Participant").tap()
    await phone.get_by_label("First name").fill("Ludwika")
    await phone.get_by_label("Last name", exact=True).fill("Żelazowa")
    await phone.get_by_label("Country").fill("Poland")
    await phone.get_by_label("Biography").fill("She wrote down what he played.")
    await phone.get_by_label("Birth year (optional)").fill("1807")
    await phone.get_by_role("button", name="Create Participant").tap()
    await expect(errors(phone)).to_have_text(["Birth year must be 1900 or later."])
    await expect(phone.get_by_label("Birth year (optional)")).to_be_focused()
    await phone.get_by_label("Birth year (optional)").fill("1987")
    await phone.get_by_label("Featured").check()
    await phone.get_by_role("button", name="Create Participant").tap()
    await expect(answer(phone)).to_have_text("Participant created successfully")
    await expect(reader.get_by_role("heading", name="Ludwika Żelazowa")).to_be_visible()

    await phone.get_by_label("Name").fill("zelaz lud")
    row = phone.get_by_role("listitem").filter(has_text="Ludwika Żelazowa")
    await expect(row.locator(".badge")).to_have_text(["Featured", "Needs Avatar"])
    await expect(phone.locator(".entries__row")).to_have_count(1)
    await row.get_by_role("button", name="Delete: Ludwika Żelazowa").tap()
    await phone.get_by_role("dialog").get_by_role("button", name="Delete").tap()
    await expect(answer(phone)).to_have_text("Participant deleted successfully")
    await expect(phone.get_by_text("No participants found matching your criteria.")).to_be_visible()
    await expect(reader.get_by_role("heading", name="Ludwika Żelazowa")).to_have_count(0)
