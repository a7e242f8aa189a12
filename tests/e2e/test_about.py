"""A post about a performance in browser windows: written from its page, and announced there without a layout shift."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.db import transaction
from django.utils import timezone
from playwright.async_api import expect

from apps.accounts.models import User
from apps.community.events import PostsChanged
from apps.community.models import Post
from apps.competition.models import Appearance, Participant, Session, Stage
from apps.core.events import publish
from apps.core.models import RateLimitUse
from tests.e2e.accounts import LISTENER
from tests.e2e.conftest import Site
from tests.e2e.test_home import MOST, WATCH_SHIFTS, moved
from tests.e2e.windows import Windows
from tests.factories import AppearanceFactory, ParticipantFactory, PostFactory, SessionFactory

WORDS = "The left hand never once leaned on the beat."


@pytest.fixture
def played(site: Site) -> Iterator[Appearance]:
    """Yield a performance of a session that is over, which the fixture adds, with two posts about it."""
    [last] = site.desk.do(lambda: list(Post.objects.order_by("-pk").values_list("pk", flat=True)[:1]))

    @transaction.atomic
    def begin() -> Appearance:
        User.objects.update(created_at=timezone.now() - timedelta(days=30))
        session = SessionFactory(
            stage=Stage.objects.first(), title="A session of this test", starts_at=timezone.now() - timedelta(days=300)
        )
        person = ParticipantFactory(first_name="Ada", second_name="Sol", name="Ada Sol")
        made = AppearanceFactory(session=session, participant=person, order_number=1)
        PostFactory.create_batch(2, user=User.objects.exclude(username=LISTENER)[0], appearance=made)
        return made

    @transaction.atomic
    def clear() -> None:
        Post.objects.filter(pk__gt=last).delete()
        RateLimitUse.objects.all().delete()
        Session.objects.filter(title="A session of this test").delete()
        Participant.objects.filter(name="Ada Sol").delete()
        publish(PostsChanged())

    yield site.desk.do(begin)
    site.desk.do(clear)


async def test_post_about_a_performance_is_announced_on_its_page_and_moves_no_row(
    site: Site, windows: Windows, played: Appearance
) -> None:
    path = f"/participants/{played.participant_id}"
    reader = await windows.open(path, width=360)
    words = reader.locator("#words")
    await words.scroll_into_view_if_needed()
    await expect(words.locator("li")).to_have_count(2)
    await reader.evaluate(WATCH_SHIFTS)
    writer = await windows.open(path, width=360, session=site.sign_in(LISTENER))
    await writer.get_by_role("link", name="Write about this performance").click()
    choice = writer.get_by_label("About", exact=True)
    await expect(choice.locator("option:checked")).to_have_text("Ada Sol")
    await writer.get_by_label("Your post").fill(WORDS)
    await writer.get_by_role("button", name="Post", exact=True).click()
    first = writer.locator(".post").first
    await expect(first).to_contain_text(WORDS)
    await expect(first.get_by_role("link", name="Ada Sol, A session of this test")).to_be_visible()
    line = words.locator(".feed__line")
    await expect(line).to_have_text("1 new text")
    await expect(words).not_to_contain_text(WORDS)
    assert await moved(reader) <= MOST
    await line.get_by_role("button").click()
    await expect(words.locator("li").first).to_contain_text(WORDS)
    await expect(words.locator("li")).to_have_count(3)
