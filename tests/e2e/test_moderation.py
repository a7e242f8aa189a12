"""The moderation queue with many ratings, by keyboard and pointer, for two moderators and a viewer."""

import re
from collections.abc import Iterator

import pytest
from playwright.async_api import Page, expect

from apps.accounts.models import User
from apps.ratings.models import PerformanceRating
from tests.e2e.accounts import ADMINISTRATOR
from tests.e2e.conftest import Site
from tests.e2e.windows import Windows, live

SECOND = "pedal-point"
WORDS = "Nobody has heard this before"
COUNT = 60


@pytest.fixture
def busy_session(site: Site) -> Iterator[None]:
    """Make a second account a moderator and create pending ratings of one performance."""

    def begin() -> None:
        User.objects.filter(username=SECOND).update(is_admin=True)
        people = User.objects.bulk_create(
            [User(username=f"gallery_{n}", email=f"gallery{n}@example.org", password="!") for n in range(COUNT)]
        )
        appearance = site.appearances.performers[0]
        PerformanceRating.objects.bulk_create(
            [
                PerformanceRating(user=each, appearance_id=appearance, score=4, comment=f"{WORDS} {n}.")
                for n, each in enumerate(people)
            ]
        )

    def end() -> None:
        User.objects.filter(username=SECOND).update(is_admin=False)
        PerformanceRating.objects.filter(comment__startswith=WORDS).delete()
        User.objects.filter(username__startswith="gallery_").delete()

    site.desk.do(begin)
    yield
    site.desk.do(end)


def approved(site: Site) -> int:
    """Return the number of approved ratings."""
    return site.desk.do(lambda: PerformanceRating.objects.filter(comment__startswith=WORDS, approved=True).count())


async def hears(page: Page) -> None:
    """Wait until this page is live, handles keys and can offer an undo."""
    await live(page)
    await expect(page.locator(".bar__selected")).to_be_attached()
    await expect(page.locator(".toasts")).to_be_attached()


async def waiting(page: Page, count: int) -> None:
    """Wait until the list shows this number of pending ratings, each with one mark."""
    await expect(page.locator(".bar__count")).to_have_text(f"{count} ratings, {count} marks")


async def test_two_moderators_approve_reject_and_undo(site: Site, windows: Windows, busy_session: None) -> None:
    address = "/admin?tab=performances&q=nobody+has+heard"
    halina = await windows.open(address, session=site.sign_in(ADMINISTRATOR))
    ignacy = await windows.open(address, session=site.sign_in(SECOND))
    fan = await windows.open("/")
    rows, toast = halina.locator(".queue > li"), halina.locator(".toast")
    await hears(halina)
    await waiting(halina, COUNT)
    await waiting(ignacy, COUNT)

    # one by one, by keyboard: decided rows disappear, the position stays, other pages update
    first, second = [await rows.nth(n).locator(".queue__words").inner_text() for n in range(2)]
    await halina.keyboard.press("a")
    await expect(toast).to_contain_text("Performance rating approved successfully")
    await expect(fan.get_by_text("gallery_").first).to_be_visible()
    await waiting(ignacy, COUNT - 1)
    decided = ignacy.locator(".queue > [data-decided]")
    await expect(decided).to_contain_text(first)
    await expect(decided).to_contain_text(f"Approved by {ADMINISTRATOR}")
    await expect(rows.first.locator(".tick")).to_be_focused()
    await expect(rows.first).to_contain_text(second)
    await halina.keyboard.press("z")
    await expect(toast).to_contain_text("1 rating waits again.")
    await waiting(ignacy, COUNT)
    await expect(decided).to_have_count(0)
    await expect(fan.get_by_text("gallery_")).to_have_count(0)
    await expect(rows.nth(1).locator(".tick")).to_be_focused()

    # a selection, by pointer
    await rows.nth(0).locator(".tick").check()
    await rows.nth(2).locator(".tick").check()
    await expect(halina.get_by_text("2 selected")).to_be_visible()
    await halina.get_by_role("button", name="Reject selected").click()
    await expect(toast).to_contain_text("2 ratings rejected.")
    for page in (halina, ignacy):  # otherwise her list changes during the next selection
        await waiting(page, COUNT - 2)
    await expect(halina.get_by_text("selected", exact=False).filter(visible=True)).to_have_count(0)

    # all matches, more than the page shows, after a question with their number
    await halina.get_by_role("checkbox", name="Select all on this page").check()
    await halina.get_by_role("button", name=f"Approve all {COUNT - 2} that match").click()
    dialog = halina.get_by_role("dialog")
    await expect(dialog).to_contain_text(f"Ratings: {COUNT - 2}, marks: {COUNT - 2}")
    await dialog.get_by_role("button", name=re.compile("^Approve all")).click()
    await expect(toast).to_contain_text(f"{COUNT - 2} ratings approved.")
    await expect(halina.get_by_text("No ratings found matching your criteria.")).to_be_visible()
    await expect(ignacy.locator(".bar__count")).to_have_text("0 ratings")
    await expect(ignacy.locator(".queue > li:not([data-decided])")).to_have_count(0)
    assert approved(site) == COUNT - 2

    # the undo remains after the message and after a reload
    await halina.reload()
    await hears(halina)
    await halina.get_by_role("button", name=f"Undo: {COUNT - 2} ratings approved").click()
    await waiting(ignacy, COUNT - 2)
    await halina.get_by_role("button", name="Undo: 2 ratings rejected").click()
    await waiting(ignacy, COUNT)
    assert approved(site) == 0


async def test_queue_on_a_phone_opens_at_its_top_with_a_decision_in_sight(
    site: Site, windows: Windows, busy_session: None
) -> None:
    page = await windows.open("/admin", session=site.sign_in(ADMINISTRATOR), width=360, has_touch=True)
    await hears(page)
    assert await page.evaluate("scrollY") == 0
    approve = await page.locator(".queue__acts .button").first.bounding_box()
    bar = await page.locator(".cuebar").bounding_box()
    assert approve
    assert bar
    assert approve["y"] + approve["height"] <= bar["y"] < 740
    await expect(page.get_by_label("Participant, listener or words")).to_be_hidden()
    await page.get_by_text("Filters", exact=True).click()
    await expect(page.get_by_label("Participant, listener or words")).to_be_visible()
