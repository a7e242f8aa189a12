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
from apps.live.models import SessionComment
from tests.e2e.accounts import LISTENER
from tests.e2e.conftest import Site
from tests.e2e.doors import account, sign_in
from tests.e2e.windows import Windows, live

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


async def test_comment_appears_in_all_windows_and_is_deleted_after_a_question(
    site: Site, windows: Windows, session: str
) -> None:
    own = await windows.open(session, session=site.sign_in(LISTENER))
    visitor = await windows.open(session, width=360)
    await say(own, "Bravo")
    await expect(own.get_by_role("status").filter(has_text="Comment added successfully")).to_be_visible()
    assert await own.evaluate(TYPED) == ""
    for page in (own, visitor):
        await expect(page.locator(".says").filter(has_text="Bravo")).to_contain_text(LISTENER)
        await expect(page.get_by_role("tab", name="Comments 1")).to_be_visible()
    await expect(visitor.get_by_role("button", name="Delete")).to_have_count(0)
    delete = own.get_by_role("button", name="Delete “Bravo”")
    dialog = own.get_by_role("dialog", name="Delete the comment “Bravo”?")
    await delete.click()
    await expect(dialog).to_be_visible()
    await own.keyboard.press("Escape")
    await expect(delete).to_be_focused()
    assert stored(site) == ["Bravo"]
    await delete.press("Enter")
    await dialog.get_by_role("button", name="Delete").click()
    await expect(own.get_by_role("status").filter(has_text="Comment deleted successfully")).to_be_visible()
    await expect(own.locator("#comments [data-answer]")).to_be_focused()
    for page in (own, visitor):
        await expect(page.get_by_text("Nobody has said anything yet.")).to_be_visible()
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
