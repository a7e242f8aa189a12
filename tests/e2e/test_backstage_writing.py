"""Administrators write posts, participants and pieces: long texts, edit conflicts, live updates for readers."""

import asyncio
from collections.abc import Iterator

import pytest
from playwright.async_api import Dialog, Locator, Page, expect

from apps.accounts.actors import OPERATOR
from apps.competition.services.participants import participant_create, participant_delete
from apps.news.models import BlogPost
from apps.news.services import post_update
from tests.e2e.accounts import ADMINISTRATOR
from tests.e2e.barriers import barriers
from tests.e2e.conftest import Site
from tests.e2e.windows import Windows, live

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
    await expect(reader.get_by_role("heading", name="Four hundred lines")).to_be_visible()
    post = await asyncio.to_thread(site.desk.do, lambda: BlogPost.objects.get(title="Four hundred lines"))
    assert post.content == LONG.strip()

    await desk.get_by_role("link", name="Edit: Four hundred lines").click()
    await expect(desk.get_by_label("Content")).to_have_value(LONG.strip())
    await desk.get_by_label("Title").fill("Two thousand lines")
    theirs = {"title": "Many lines", "excerpt": post.excerpt, "content": post.content, "image_url": ""}
    await asyncio.to_thread(site.desk.do, post_update, actor=OPERATOR, post_id=post.pk, **theirs, is_published=True)
    await desk.get_by_role("button", name="Update Post").click()
    await expect(answer(desk)).to_contain_text("Title was changed meanwhile. It is now “Many lines”.")
    await expect(desk.get_by_label("Title")).to_have_value("Two thousand lines")
    await desk.get_by_role("button", name="Update Post").click()
    await expect(answer(desk)).to_have_text("Post updated successfully")
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
    assert await barriers(phone) == ""
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


@pytest.fixture
def ludwika(site: Site) -> Iterator[int]:
    """Create a participant, yield the id, and delete the participant after the journey."""
    stored = {"country": "Poland", "biography": "She wrote down what he played.", "birth_year": 1987}
    person = site.desk.do(participant_create, actor=OPERATOR, first_name="Ludwika", second_name="Zwiastun", **stored)
    yield person.pk
    site.desk.do(participant_delete, actor=OPERATOR, participant_id=person.pk)


async def test_conflicting_edits_of_a_participant_are_reported(site: Site, windows: Windows, ludwika: int) -> None:
    form = f"/admin/participants?mode=edit&id={ludwika}"
    halina = await windows.open(form, session=site.sign_in(ADMINISTRATOR))
    ignacy = await windows.open(form, session=site.sign_in(ADMINISTRATOR))
    reader = await windows.open(f"/participants/{ludwika}?tab=biography")
    await ignacy.get_by_label("Country").fill("Czechia")
    await ignacy.get_by_label("Birth year (optional)").fill("1988")
    lines = "\n".join(f"On page {number} she hesitated." for number in range(1, 61))
    await ignacy.get_by_label("Biography").fill(lines)
    await ignacy.get_by_role("button", name="Update Participant").click()
    await expect(answer(ignacy)).to_have_text("Participant updated successfully")

    country = halina.get_by_label("Country")
    await country.fill("France")
    await halina.get_by_label("Biography").fill("She kept all of it.")
    await halina.get_by_role("button", name="Update Participant").click()
    told = [
        "Country was changed meanwhile. It is now “Czechia”.",
        f"Biography was changed meanwhile. It is now “{lines}”.",
    ]
    again = "Save again to keep what you wrote."
    await expect(answer(halina)).to_have_text("\n".join([*told, again]), use_inner_text=True)
    await expect(answer(halina)).to_have_attribute("tabindex", "0")  # a long message scrolls
    await expect(country).to_have_value("France")
    await expect(country).to_be_focused()
    await expect(reader.get_by_text("On page 60 she hesitated.")).to_be_visible()
    assert await barriers(halina) == ""
    await halina.get_by_role("button", name="Update Participant").click()
    kept = "Participant updated successfully\nSomebody else changed this meanwhile, and it is kept: Birth year."
    await expect(answer(halina)).to_have_text(kept, use_inner_text=True)
    await expect(reader.get_by_text("She kept all of it.")).to_be_visible()
    await expect(reader.locator("main")).to_contain_text("France")
    await expect(reader.locator("main")).to_contain_text("1988")


async def test_piece_is_added_and_deleted_by_keyboard_and_shown_in_the_other_window(
    site: Site, windows: Windows
) -> None:
    session = site.sign_in(ADMINISTRATOR)
    desk = await windows.open("/admin/pieces", session=session)
    other = await windows.open("/admin/pieces", session=session)
    name = desk.get_by_label("Name of the piece")
    await name.press("Enter")
    await expect(errors(desk)).to_have_text(["Please enter a piece name"])
    await desk.get_by_label("Category").select_option("Nokturn")
    await name.fill("Nocturne in a key of our own")
    await name.press("Enter")
    await expect(answer(desk)).to_have_text("Piece added successfully")
    await expect(name).to_have_value("")
    await expect(other.get_by_text("Nocturne in a key of our own")).to_be_visible()

    await desk.get_by_label("Search", exact=True).fill("of our own")
    await expect(desk.locator(".shelf h2")).to_have_text(["Nokturn"])
    delete = desk.get_by_role("button", name="Delete: Nocturne in a key of our own")
    await delete.press("Enter")
    await desk.keyboard.press("Tab")
    await desk.keyboard.press("Enter")
    await expect(desk.locator(".listed .message")).to_have_text("Piece deleted successfully")
    await expect(desk.get_by_text("No pieces found matching your criteria.")).to_be_visible()
    await expect(other.get_by_text("Nocturne in a key of our own")).to_have_count(0)
