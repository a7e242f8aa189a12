"""The line of a notification in a browser: on a phone it appears without a jump, covers no control, and closes."""

from datetime import timedelta

import pytest
from playwright.async_api import Page, expect

from apps.accounts.actors import OPERATOR
from apps.accounts.models import User
from apps.competition.models import Appearance
from apps.competition.services.live import performer_set
from apps.core.database.fields import database_now
from apps.following.models import Follow
from apps.notifications.models import Announcement, Notification
from apps.notifications.services.announcements import announcements_work
from tests.e2e.accounts import LISTENER
from tests.e2e.barriers import SIDEWAYS
from tests.e2e.conftest import Site
from tests.e2e.windows import Windows

PHONE = {"width": 360, "has_touch": True}
HEIGHT = 740  # of a phone's window
PERFORMER = 5  # place in the demo's live session, from 0


def forget() -> None:
    """Delete all follows, announcements and notifications."""
    for model in (Follow, Announcement, Notification):
        model.objects.all().delete()


def announce(appearance_id: int) -> None:
    """Put a performer on stage whom the listener has followed for an hour, and announce it at once."""
    participant_id = Appearance.objects.get(pk=appearance_id).participant_id
    since = database_now() - timedelta(hours=1)
    Follow.objects.create(user=User.objects.get(username=LISTENER), participant_id=participant_id)
    Follow.objects.update(created_at=since)
    performer_set(actor=OPERATOR, appearance_id=appearance_id)
    Announcement.objects.update(due_at=database_now())
    announcements_work()


@pytest.fixture
def none_notified(site: Site):
    """Delete follows and notifications before and after."""
    site.desk.do(forget)
    yield
    site.desk.do(forget)


async def places(page: Page) -> list[float]:
    """Return the vertical positions of all controls of the page outside of the line."""
    return await page.eval_on_selector_all(
        "main :is(a, button, input)", "found => found.map((each) => each.getBoundingClientRect().top)"
    )


async def test_followed_performer_on_stage_is_announced_at_the_bottom_of_the_page(
    site: Site, windows: Windows, none_notified: None
) -> None:
    page = await windows.open("/contact", session=site.sign_in(LISTENER), **PHONE)
    visitor = await windows.open("/contact", **PHONE)
    before = await places(page)
    name = site.appearances.names[PERFORMER]
    site.desk.do(announce, site.appearances.performers[PERFORMER])
    line = page.get_by_role("status").get_by_role("link", name=f"{name} is on stage now")
    await expect(line).to_be_visible()
    assert await places(page) == before
    assert await page.evaluate(SIDEWAYS) <= 0
    bottom = await line.evaluate("line => line.getBoundingClientRect().bottom")
    assert bottom <= HEIGHT
    await expect(visitor.get_by_text("is on stage now")).to_have_count(0)
    last = page.get_by_role("contentinfo").get_by_role("link").last
    await last.focus()
    focused = await last.evaluate("each => each.getBoundingClientRect().bottom")
    top = await line.evaluate("each => each.getBoundingClientRect().top")
    assert focused <= top
    await page.reload()
    await expect(line).to_be_visible()
    await line.tap()
    await expect(page.locator("h1")).to_be_visible()
    await page.get_by_role("status").get_by_role("button", name="Close").tap()
    await expect(line).to_be_hidden()
