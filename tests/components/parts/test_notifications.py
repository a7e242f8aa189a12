"""The line of a member's newest notification: when and where it appears, its sentence, and how it closes."""

from datetime import timedelta
from functools import partial

import pytest

from apps.accounts.actors import ANONYMOUS, OPERATOR
from apps.competition.services.live import performer_clear, performer_set
from apps.competition.services.sessions import session_update
from apps.core.database.fields import database_now
from apps.core.threads import in_thread
from apps.following.services import follow_set
from apps.notifications.models import Notification
from apps.notifications.selectors.notifications import notification_shown
from apps.notifications.services.announcements import announcements_work
from apps.notifications.services.notifications import notifications_see
from components.parts.notifications import notification_fills, notification_words
from components.routes import find
from components.runtime.page import filled
from project.process.web_process import process
from tests.apps.notifications.clock import time_pass
from tests.components.conftest import busy_session_with
from tests.factories import UserFactory, viewer_of
from tests.screen import open_page

HELD = timedelta(seconds=12)


def fan_of(*participant_ids, user=None):
    """Return an account that follows these performers since a while."""
    fan = user or UserFactory()
    for participant_id in participant_ids:
        follow_set(actor=viewer_of(fan), participant_id=participant_id, is_wanted=True)
    time_pass(timedelta(seconds=1))
    return fan


def hold_and_work():
    """Let ten seconds pass, and create what is due."""
    time_pass(HELD)
    announcements_work()


def perform(appearance):
    performer_set(actor=OPERATOR, appearance_id=appearance.pk)


@pytest.mark.django_db(transaction=True)
async def test_line_appears_and_closes_in_all_windows_of_a_follower():
    busy = await in_thread(lambda: busy_session_with(3))
    first, _second, third = busy.appearances
    fan = await in_thread(lambda: fan_of(first.participant_id))
    other = await in_thread(lambda: fan_of(third.participant_id))
    sentence = f"{first.participant.name} is on stage now"
    async with (
        open_page("/news", user=fan) as one,
        open_page("/profile", user=fan) as two,
        open_page("/news", user=other) as others,
        open_page("/news") as visitor,
    ):
        await in_thread(lambda: perform(first))
        assert sentence not in one.text
        await in_thread(hold_and_work)
        for screen in (one, two):
            await screen.until(sentence)
        await others.until(f"{third.participant.name} is on stage soon")
        assert sentence not in others.text
        assert sentence not in visitor.text
        assert "notification__line" not in visitor.html
        assert one.link(sentence)["attributes"]["href"] == f"/sessions/{busy.session.pk}#stage-video"
        await one.press("Close")
        for screen in (one, two):
            await screen.until_gone(sentence)
        assert f"{third.participant.name} is on stage soon" in others.text


@pytest.mark.django_db(transaction=True)
async def test_line_follows_the_performer_and_disappears_when_it_expires():
    busy = await in_thread(lambda: busy_session_with(3))
    first = busy.appearances[0]
    fan, other = await in_thread(lambda: (fan_of(first.participant_id), UserFactory()))
    topics: list[str] = []
    async with open_page("/news", user=fan) as screen, open_page("/news", user=other):
        for user in (fan, other):
            topic = f"account.{user.pk}.notifications"
            process.bus.subscribe(topic, partial(topics.append, topic))
        await in_thread(lambda: perform(first))
        await in_thread(hold_and_work)
        await screen.until(f"{first.participant.name} is on stage now")
        assert topics == [f"account.{fan.pk}.notifications"], "only windows with a new notification read again"
        await in_thread(lambda: performer_clear(actor=OPERATOR, session_id=busy.session.pk))
        await screen.until(f"{first.participant.name} has left the stage")
        async with open_page("/community", user=fan) as later:
            assert "has left the stage" not in later.text
        await in_thread(lambda: time_pass(timedelta(minutes=10)))
        process.bus.notify_listeners("clock.minute")
        await screen.until_gone("has left the stage")


@pytest.fixture
def busy(db):
    """Return a session, its follower, and a function that adds a notification of one of its performers."""
    busy = busy_session_with(3)
    fan = UserFactory()

    def add(kind, number=0, **columns):
        return Notification.objects.create(
            user=fan,
            kind=kind,
            participant_id=busy.appearances[number].participant_id,
            occasion=str(Notification.objects.count()),
            **({"session_id": busy.session.pk, "expires_at": database_now() + timedelta(hours=1)} | columns),
        )

    busy.fan, busy.add = fan, add
    return busy


def words(notification):
    """Return the sentence and the address of a notification's line."""
    ids = (notification.participant_id, notification.session_id or 0, notification.stage_id or 0)
    link = notification_words.markup(notification.kind, *ids, language="en")
    return link["children"][0], link["attributes"]["href"]


def test_kinds_of_notifications_have_a_sentence_and_a_page(busy):
    name = busy.appearances[0].participant.name
    page = f"/participants/{busy.appearances[0].participant_id}"
    assert words(busy.add("soon")) == (f"{name} is on stage soon", page)
    assert words(busy.add("moved")) == (f"{name} plays at another time", page)
    stage_id = busy.session.stage_id
    advanced = busy.add("advanced", session_id=None, stage_id=stage_id)
    assert words(advanced) == (f"{name} advances to the next stage", f"/stages/{stage_id}")
    prized = busy.add("prizes", session_id=None, stage_id=stage_id)
    assert words(prized) == (f"{name} receives a prize", f"/stages/{stage_id}#prizes")
    texts = {"title": "Evening", "starts_at": busy.session.starts_at, "description": "", "youtube_id": ""}
    others = [appearance.participant_id for appearance in busy.appearances[1:]]
    session_update(actor=OPERATOR, session_id=busy.session.pk, **texts, participant_ids=others, confirmed=True)
    assert words(busy.add("moved")) == (f"{name} does not play as planned", page)


def test_line_shows_the_newest_notification_that_is_neither_seen_nor_expired(busy):
    fan = viewer_of(busy.fan)
    assert notification_fills(viewer=fan, language="en") == {}
    older, newest = busy.add("soon"), busy.add("now", 1)
    busy.add("now", 2, expires_at=database_now() + timedelta(seconds=9))
    time_pass(timedelta(seconds=10))
    assert notification_shown(user_id=fan.id).id == newest.pk
    notifications_see(actor=fan, notification_id=older.pk)
    assert notification_shown(user_id=fan.id).id == newest.pk
    notifications_see(actor=fan, notification_id=newest.pk)
    assert notification_shown(user_id=fan.id) is None


@pytest.mark.parametrize("count", [0, 1, 20])
def test_line_costs_members_one_query_and_anonymous_visitors_none(busy, count, django_assert_num_queries):
    for _ in range(count):
        busy.add("moved")
    fan = viewer_of(busy.fan)
    with django_assert_num_queries(1):
        notification_fills(viewer=fan, language="en")
    for viewer, line_queries in ((fan, 1), (ANONYMOUS, 0)):
        with django_assert_num_queries(1 + line_queries):
            filled(find("/contact", viewer).load(viewer, "en"), viewer)
