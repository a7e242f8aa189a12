"""Test call alerts: one notification when the next performer of a session is called, without following anybody."""

from datetime import UTC, time

import pytest
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import IntegrityError, transaction

from apps.accounts.actors import ANONYMOUS, OPERATOR
from apps.accounts.services.accounts import account_delete, account_export
from apps.competition.services.live import (
    interval_take_back,
    live_restore,
    live_undo_read,
    performer_clear,
    session_end,
)
from apps.core.database.fields import database_now
from apps.notifications.models import CallAlert, Notification, NotificationPreference
from apps.notifications.selectors.call_alerts import call_alert_own
from apps.notifications.services import announcements
from apps.notifications.services.call_alerts import call_alert_set
from apps.notifications.services.notifications import notifications_prune
from tests.apps.notifications.clock import time_pass_working
from tests.apps.notifications.test_announcements import (
    SETTLED,
    browser_add,
    call_back,
    enter,
    evening,
    follower_of,
    kinds,
    live,
    perform,
)
from tests.factories import PASSWORD, UserFactory, viewer_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def interval():
    """Return the appearances of a session in the interval after its first performance."""
    session, appearances = evening(4)
    enter(appearances[0])
    performer_clear(actor=OPERATOR, session_id=session.pk)
    time_pass_working(SETTLED)
    return appearances


def ask(appearances, user=None):
    """Return a member who is to be told of the next performer."""
    fan = viewer_of(user or UserFactory())
    assert call_alert_set(actor=fan, session_id=appearances[0].session_id, is_wanted=True) == "You will be told."
    return fan


def waits(fan, appearances):
    return call_alert_own(user_id=fan.id, session_id=appearances[0].session_id) is not None


def test_member_is_told_once_of_the_next_performer_only(interval):
    session_id, (_, second, third, _) = interval[0].session_id, interval
    fans = [ask(interval), ask(interval)]
    stranger = viewer_of(UserFactory())
    call_alert_set(actor=fans[1], session_id=session_id, is_wanted=False)
    assert [waits(fan, interval) for fan in fans] == [True, False]
    perform(second)
    time_pass_working(SETTLED)
    assert [kinds(fan) for fan in (*fans, stranger)] == [[("now", second.participant_id)], [], []]
    assert not waits(fans[0], interval)
    performer_clear(actor=OPERATOR, session_id=session_id)
    perform(third)
    time_pass_working(SETTLED)
    assert kinds(fans[0]) == [("now", second.participant_id)]


def test_alert_counts_again_in_the_next_interval_and_before_the_first_performer():
    session, appearances = evening(3)
    live(session)
    fan = ask(appearances)
    perform(appearances[0])
    time_pass_working(SETTLED)
    performer_clear(actor=OPERATOR, session_id=session.pk)
    call_alert_set(actor=fan, session_id=session.pk, is_wanted=True)
    perform(appearances[1])
    time_pass_working(SETTLED)
    assert kinds(fan) == [("now", each.participant_id) for each in appearances[:2]]


def test_follower_with_an_alert_gets_one_notification_in_the_channels_of_the_profile(interval):
    called = interval[1]
    asleep, mailed, both = UserFactory(), UserFactory(), UserFactory()
    for user in (asleep, mailed, both):
        browser_add(user.pk)
    now = database_now().astimezone(UTC).time()
    quiet = {"quiet_from": now.replace(minute=0), "quiet_until": time((now.hour + 3) % 24)}
    NotificationPreference.objects.create(user=asleep, time_zone="UTC", **quiet)
    NotificationPreference.objects.create(user=mailed, now=False, soon=False)
    follower_of(called.participant_id, user=both)
    for user in (asleep, mailed, both):
        ask(interval, user)
    perform(called)
    time_pass_working(SETTLED)
    made = {row.user_id: row for row in Notification.objects.filter(kind="now")}
    assert made.keys() == {asleep.pk, mailed.pk, both.pk}
    assert [kinds(viewer_of(both)).count(("now", called.participant_id))] == [1]
    assert made[asleep.pk].push_due_at > made[mailed.pk].push_due_at


def test_call_that_is_taken_back_corrects_and_keeps_the_wish(interval):
    _, second, third, _ = interval
    fan = ask(interval)
    perform(third)
    time_pass_working(SETTLED)
    assert (kinds(fan), waits(fan, interval)) == ([("now", third.participant_id)], False)
    call_back(third)
    time_pass_working(SETTLED)
    assert (kinds(fan), waits(fan, interval)) == ([("undone", third.participant_id)], True)
    perform(second)
    time_pass_working(SETTLED)
    assert kinds(fan)[-1] == ("now", second.participant_id)
    assert not waits(fan, interval)


def test_call_undone_within_ten_seconds_uses_nothing_up(interval):
    fan = ask(interval)
    undo = perform(interval[1])
    live_restore(actor=OPERATOR, **live_undo_read(undo))
    time_pass_working(SETTLED)
    assert (kinds(fan), waits(fan, interval)) == ([], True)


def test_performer_who_returns_is_not_the_next_one(interval):
    fan = ask(interval)
    stay = interval[0].times.get()
    interval_take_back(actor=OPERATOR, session_id=interval[0].session_id, stay_id=stay.pk)
    time_pass_working(SETTLED)
    assert (kinds(fan), waits(fan, interval)) == ([], True)


def test_alert_is_forgotten_with_its_session_unless_the_end_is_undone(interval):
    fan, session_id = ask(interval), interval[0].session_id
    undo = session_end(actor=OPERATOR, session_id=session_id).undo
    live_restore(actor=OPERATOR, **live_undo_read(undo))
    notifications_prune()
    assert waits(fan, interval)
    session_end(actor=OPERATOR, session_id=session_id)
    notifications_prune()
    assert not CallAlert.objects.exists()


def test_alert_needs_a_member_and_an_empty_stage(interval):
    session_id, fan = interval[0].session_id, viewer_of(UserFactory())
    for actor in (ANONYMOUS, OPERATOR):
        with pytest.raises(PermissionDenied, match="Please sign in"):
            call_alert_set(actor=actor, session_id=session_id, is_wanted=True)
    perform(interval[1])
    name = interval[1].participant.name
    with pytest.raises(ValidationError, match=f"It has begun: {name} is on stage"):
        call_alert_set(actor=fan, session_id=session_id, is_wanted=True)
    perform(interval[3])
    performer_clear(actor=OPERATOR, session_id=session_id)
    with pytest.raises(ValidationError, match="Nobody comes next"):
        call_alert_set(actor=fan, session_id=session_id, is_wanted=True)
    session_end(actor=OPERATOR, session_id=session_id)
    with pytest.raises(ValidationError, match="not live"):
        call_alert_set(actor=fan, session_id=session_id, is_wanted=True)
    call_alert_set(actor=fan, session_id=session_id, is_wanted=False)  # taking it back is always possible
    assert not CallAlert.objects.exists()


def test_alert_is_one_of_a_session_exported_and_deleted_with_its_account(interval):
    fan = ask(interval)
    ask(interval, UserFactory())
    call_alert_set(actor=fan, session_id=interval[0].session_id, is_wanted=True)
    with pytest.raises(IntegrityError, match="one_call_alert_of_a_session"), transaction.atomic():
        CallAlert.objects.create(user_id=fan.id, session=interval[0].session, stay_id=0)
    [row] = account_export(actor=fan)["call_alerts"]
    assert (row["session"], row["told_at"]) == (interval[0].session.title, None)
    account_delete(actor=fan, password=PASSWORD)
    assert CallAlert.objects.count() == 1


def test_all_members_are_told_whatever_the_size_of_a_batch(interval, monkeypatch):
    monkeypatch.setattr(announcements, "BATCH", 2)
    fans = [ask(interval) for _ in range(5)]
    perform(interval[1])
    time_pass_working(SETTLED)
    assert [kinds(fan) for fan in fans] == [[("now", interval[1].participant_id)]] * 5
