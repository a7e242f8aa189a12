"""Session comments in browser windows: write, delete, and live updates."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.db import transaction
from django.utils import timezone
from playwright.async_api import Page, expect

from apps.accounts.models import User
from apps.core.events import publish
from apps.core.models import RateLimitUse
from apps.live.events import CommentsChanged
from apps.live.limits import MEMBER
from apps.live.models import SessionComment
from tests.e2e.accounts import ADMINISTRATOR, LISTENER
from tests.e2e.conftest import Site
from tests.e2e.doors import account, sign_in
from tests.e2e.windows import Windows, live
from tests.rate_limits import spend

TYPED = "() => document.querySelector('#say').value"


@pytest.fixture
def session(site: Site) -> Iterator[str]:
    """Yield the live session's address; it has no comments, and all accounts are 30 days old."""

    @transaction.atomic
    def empty() -> None:
        SessionComment.objects.all().delete()
        RateLimitUse.objects.all().delete()
        User.objects.update(created_at=timezone.now() - timedelta(days=30))
        publish(CommentsChanged(session_ids=(site.appearances.live,)))

    site.desk.do(empty)
    yield f"/sessions/{site.appearances.live}#comments"
    site.desk.do(empty)


def stored(site: Site) -> list[str]:
    """Return the stored comments."""
    return site.desk.do(lambda: list(SessionComment.objects.order_by("id").values_list("content", flat=True)))


async def say(page: Page, text: str) -> None:
    """Write and submit a comment."""
    await page.get_by_label("Your comment", exact=True).fill(text)
    await page.get_by_role("button", name="Comment", exact=True).click()


async def test_comment_appears_in_all_windows_and_its_author_and_administrators_may_delete_it(
    site: Site, windows: Windows, session: str
) -> None:
    own = await windows.open(session, session=site.sign_in(LISTENER))
    boss = await windows.open(session, session=site.sign_in(ADMINISTRATOR))
    visitor = await windows.open(session, width=360)
    await say(own, "Did anyone else stop writing?")
    await expect(own.get_by_role("status").filter(has_text="Comment added successfully")).to_be_visible()
    assert await own.evaluate(TYPED) == ""
    for page in (own, boss, visitor):
        row = page.locator(".says").filter(has_text="Did anyone else stop writing?")
        await expect(row).to_contain_text(LISTENER)
        await expect(page.get_by_role("tab", name="Comments 1")).to_be_visible()
    await expect(own.get_by_role("button", name="Delete “Did anyone")).to_be_visible()
    await expect(boss.get_by_role("button", name="Delete “Did anyone")).to_be_visible()
    await expect(visitor.get_by_role("button", name="Delete")).to_have_count(0)
    await say(boss, "Please take your seats.")
    await expect(own.locator(".says").first).to_contain_text("Please take your seats.")
    await expect(own.get_by_role("button", name="Delete “Please")).to_have_count(0)


async def test_comment_is_deleted_after_a_question(site: Site, windows: Windows, session: str) -> None:
    page = await windows.open(session, session=site.sign_in(LISTENER))
    visitor = await windows.open(session)
    await say(page, "Bravo")
    delete = page.get_by_role("button", name="Delete “Bravo”")
    dialog = page.get_by_role("dialog", name="Delete the comment “Bravo”?")
    await delete.click()
    await expect(dialog).to_be_visible()
    await page.keyboard.press("Escape")
    await expect(delete).to_be_focused()
    assert stored(site) == ["Bravo"]
    await delete.press("Enter")
    await dialog.get_by_role("button", name="Delete").click()
    await expect(page.get_by_role("status").filter(has_text="Comment deleted successfully")).to_be_visible()
    await expect(page.locator("#comments [data-answer]")).to_be_focused()
    for window in (page, visitor):
        await expect(window.get_by_text("Nobody has said anything yet.")).to_be_visible()
    assert stored(site) == []


async def test_focus_moves_to_the_next_comment_after_a_deletion(site: Site, windows: Windows, session: str) -> None:
    page = await windows.open(session, session=site.sign_in(LISTENER))
    for text in ("one", "two", "three"):
        await say(page, text)
        await expect(page.locator(".says").first).to_contain_text(text)
    for gone, then in (("two", "one"), ("one", "three")):
        await page.get_by_role("button", name=f"Delete “{gone}”").press("Enter")
        await page.get_by_role("dialog").get_by_role("button", name="Delete").press("Enter")
        await expect(page.get_by_role("button", name=f"Delete “{then}”")).to_be_focused()
    assert stored(site) == ["three"]


async def test_refused_comment_stays_typed(site: Site, windows: Windows, session: str) -> None:
    def use_up() -> None:
        [account] = User.objects.filter(username=LISTENER).values_list("id", flat=True)
        spend(MEMBER, account_id=account)

    site.desk.do(use_up)
    page = await windows.open(session, session=site.sign_in(LISTENER))
    await say(page, "four")
    await expect(page.get_by_role("alert").filter(has_text="That was a little fast.")).to_be_visible()
    assert await page.evaluate(TYPED) == "four"
    assert stored(site) == []


async def test_visitor_returns_to_the_composer_after_the_sign_in(site: Site, windows: Windows, session: str) -> None:
    page = await windows.open(session, width=360)
    await expect(page.get_by_label("Your comment", exact=True)).to_have_count(0)
    await page.get_by_role("link", name="Sign in to comment").click()
    await expect(page).to_have_url(f"{site.server.address}/login?next=%2Fsessions%2F{site.appearances.live}%23comments")
    await sign_in(page, account(site, "listening"))
    await page.wait_for_url(f"**{session}")
    await live(page)
    await expect(page.get_by_label("Your comment", exact=True)).to_be_in_viewport()
    await say(page, "Bravo")
    await expect(page.locator(".says").first).to_contain_text("Bravo")
    assert stored(site) == ["Bravo"]


async def test_older_comments_are_shown_on_demand(site: Site, windows: Windows, session: str) -> None:
    @transaction.atomic
    def fill() -> None:
        [author] = User.objects.filter(username=LISTENER).values_list("id", flat=True)
        rows = (SessionComment(session_id=site.appearances.live, user_id=author, content=f"Nr {n}") for n in range(70))
        SessionComment.objects.bulk_create(rows)
        publish(CommentsChanged(session_ids=(site.appearances.live,)))

    site.desk.do(fill)
    page = await windows.open(session, session=site.sign_in(LISTENER))
    await expect(page.locator(".says")).to_have_count(30)
    for shown in (60, 70):
        await page.get_by_role("button", name="Show older comments").click()
        await expect(page.locator(".says")).to_have_count(shown)
    await expect(page.get_by_role("button", name="Show older comments")).to_have_count(0)
    await say(page, "The newest")
    await expect(page.locator(".says__text")).to_have_text(["The newest", *(f"Nr {n}" for n in range(69, -1, -1))])


async def test_comments_are_readable_without_scripts(site: Site, windows: Windows, session: str) -> None:
    author = await windows.open(session, session=site.sign_in(LISTENER))
    await say(author, "For everybody")
    await expect(author.locator(".says")).to_have_count(1)
    page = await windows.open(session, java_script_enabled=False, wait_live=False)
    await expect(page.locator(".says")).to_contain_text("For everybody")
    await expect(page.get_by_role("button", name="Delete")).to_have_count(0)
