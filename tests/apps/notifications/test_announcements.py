"""Test announcements: the notifications of followers after a change, their channels, and retries after failures."""

from datetime import UTC, datetime, time, timedelta
from itertools import product
from uuid import uuid4
from zoneinfo import ZoneInfo

import pytest
from django.core.exceptions import ValidationError
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.accounts.actors import OPERATOR, Viewer
from apps.accounts.models import User
from apps.competition.enums import PrizeAward
from apps.competition.models import Appearance, Participant, Session
from apps.competition.selectors.admin.prizes import PrizeLine
from apps.competition.services.advancements import advancements_publish, advancements_withdraw
from apps.competition.services.live import (
    call_take_back,
    live_restore,
    live_undo_read,
    performer_clear,
    performer_next,
    performer_set,
    session_end,
    session_set_live,
)
from apps.competition.services.planned_times import planned_times_set, planned_times_shift
from apps.competition.services.prizes import prizes_publish, prizes_restore, prizes_save
from apps.competition.services.sessions import session_delete, session_update
from apps.core.database.fields import database_now
from apps.following.models import Follow
from apps.following.services import follow_set
from apps.notifications.enums import MailChoice
from apps.notifications.limits import HOLD, LASTS, LEASE, NOW_LASTS, TRIES_MOST
from apps.notifications.models import Announcement, Notification, NotificationPreference, PushSubscription
from apps.notifications.services import announcements
from apps.notifications.services.announcements import announcements_work
from apps.notifications.services.notifications import notifications_prune, notifications_see
from apps.notifications.wording import sentences
from tests.apps.notifications.clock import time_pass, time_pass_working
from tests.clock import clock_set
from tests.factories import AppearanceFactory, MemberFactory, SessionFactory, UserFactory, viewer_of
from tests.owner import as_owner

pytestmark = pytest.mark.django_db
SETTLED = HOLD + timedelta(seconds=2)
SECOND = timedelta(seconds=1)


def follower_of(*participant_ids: int, user=None) -> Viewer:
    """Return a member who follows these performers."""
    fan = viewer_of(user or UserFactory())
    for participant_id in participant_ids:
        follow_set(actor=fan, participant_id=participant_id, is_wanted=True)
    return fan


def browser_add(user_id: int) -> None:
    """Turn notifications on in a browser of this account."""
    keys = {"session_handle": uuid4(), "p256dh": "key", "auth": "auth"}
    PushSubscription.objects.create(user_id=user_id, endpoint=f"https://push.example.org/{user_id}", **keys)


def evening(count: int = 5, **columns) -> tuple[Session, list[Appearance]]:
    """Return a session that begins in an hour, with announced appearances."""
    session = SessionFactory(**({"starts_at": database_now() + timedelta(hours=1)} | columns))
    appearances = [AppearanceFactory(session=session, order_number=number) for number in range(1, count + 1)]
    Announcement.objects.all().delete()
    return session, appearances


def planned_evening(count: int = 5) -> tuple[Session, list[Appearance]]:
    """Return such a session with a planned start every 30 minutes."""
    session, appearances = evening(count)
    planned_times_set(actor=OPERATOR, session_id=session.pk, minutes=30, intervals={})
    Announcement.objects.all().delete()
    return session, appearances


def order_set(session: Session, participant_ids: list[int], starts_at: datetime | None = None) -> None:
    """Save the session with these performers, and with another start if `starts_at` is set."""
    session.refresh_from_db()
    texts = {name: getattr(session, name) for name in ("title", "description", "youtube_id")}
    changes = {"starts_at": starts_at or session.starts_at, "participant_ids": participant_ids, "confirmed": True}
    session_update(actor=OPERATOR, session_id=session.pk, **texts, **changes)


def ids(appearances: list[Appearance]) -> list[int]:
    return [each.participant_id for each in appearances]


def kinds(fan: Viewer) -> list[tuple[str, int]]:
    """Return kind and performer of each notification of a member."""
    return list(Notification.objects.filter(user_id=fan.id).order_by("pk").values_list("kind", "participant_id"))


def perform(appearance: Appearance) -> str:
    return performer_set(actor=OPERATOR, appearance_id=appearance.pk).undo


def live(session: Session) -> None:
    session_set_live(actor=OPERATOR, session_id=session.pk)


def enter(appearance: Appearance) -> None:
    """Set the session live with this performer on stage."""
    time_pass(SECOND)
    live(appearance.session)
    perform(appearance)


def test_followers_are_notified_ten_seconds_after_the_entry():
    session, appearances = evening()
    first, second, third, fourth, _ = ids(appearances)
    fans = {pk: follower_of(pk) for pk in (first, second, third, fourth)}
    enter(appearances[0])
    wait = announcements_work()
    assert HOLD - SECOND < wait <= HOLD
    assert not Notification.objects.exists()
    time_pass_working(SETTLED)
    assert kinds(fans[first]) == [("now", first)]
    assert [kinds(fans[pk]) for pk in (second, third)] == [[("soon", second)], [("soon", third)]]
    assert kinds(fans[fourth]) == []
    made = Notification.objects.get(user_id=fans[first].id)
    assert (made.occasion, made.session_id, made.stage_id) == (str(session.pk), session.pk, None)
    assert NOW_LASTS - HOLD - SECOND < made.expires_at - made.created_at <= NOW_LASTS - HOLD + SECOND * 3
    perform(appearances[1])
    time_pass_working(SETTLED)
    assert kinds(fans[second]) == [("soon", second), ("now", second)]
    assert kinds(fans[fourth]) == [("soon", fourth)]
    assert not Announcement.objects.filter(finished_at=None).exists()


def test_session_that_goes_live_announces_the_first_two_performers():
    session, appearances = evening()
    fan = follower_of(*ids(appearances))
    time_pass(SECOND)
    live(session)
    time_pass_working(SETTLED)
    assert sorted(kinds(fan)) == sorted([("soon", pk) for pk in ids(appearances)[:2]])


def test_step_undone_within_ten_seconds_is_not_announced():
    session, appearances = evening()
    fan = follower_of(*ids(appearances)[2:])
    live(session)
    perform(appearances[0])
    time_pass_working(SETTLED)
    before = kinds(fan)
    undo = performer_set(actor=OPERATOR, appearance_id=appearances[3].pk).undo
    time_pass_working(timedelta(seconds=7))
    live_restore(actor=OPERATOR, **live_undo_read(undo))
    time_pass_working(SETTLED)
    assert kinds(fan) == before


def test_performer_replaced_or_session_ended_within_ten_seconds_is_not_announced():
    for end, followed in (
        (lambda appearances: perform(appearances[1]), 1),
        (lambda appearances: session_end(actor=OPERATOR, session_id=appearances[0].session_id), 5),
    ):
        _, appearances = evening()
        fan = follower_of(*ids(appearances)[:followed])
        enter(appearances[0])
        time_pass_working(timedelta(seconds=7))
        end(appearances)
        time_pass_working(SETTLED)
        assert kinds(fan) == []


def test_new_order_announces_the_next_performers():
    session, appearances = evening()
    numbers = ids(appearances)
    fan = follower_of(numbers[4])
    live(session)
    perform(appearances[0])
    time_pass_working(SETTLED)
    assert kinds(fan) == []
    order_set(session, [numbers[0], numbers[4], *numbers[1:4]])
    time_pass_working(SETTLED)
    assert kinds(fan) == [("soon", numbers[4])]


def test_interval_is_not_announced_and_the_next_entry_is_once():
    session, appearances = evening(3)
    fan = follower_of(*ids(appearances))
    enter(appearances[0])
    time_pass_working(SETTLED)
    made = len(kinds(fan))
    performer_clear(actor=OPERATOR, session_id=session.pk)
    time_pass_working(SETTLED)
    perform(appearances[0])
    time_pass_working(SETTLED)
    assert len(kinds(fan)) == made == 3
    performer_next(actor=OPERATOR, session_id=session.pk, after=appearances[0].pk)
    time_pass_working(SETTLED)
    assert kinds(fan)[made:] == [("now", appearances[1].participant_id)]


def test_planned_start_is_announced_fifteen_minutes_before():
    session, appearances = planned_evening(6)
    fan = follower_of(appearances[4].participant_id)
    time_pass_working(timedelta(hours=1, minutes=110))  # the session is not live
    assert kinds(fan) == []
    live(session)
    time_pass_working(timedelta(seconds=7))
    assert kinds(fan) == []
    time_pass_working(SETTLED)
    assert kinds(fan) == [("soon", appearances[4].participant_id)]
    time_pass_working(timedelta(minutes=10))
    assert len(kinds(fan)) == 1


def test_worker_waits_for_the_next_planned_start():
    session, appearances = planned_evening(6)
    fan = follower_of(appearances[5].participant_id)
    live(session)
    time_pass_working(SETTLED)
    Appearance.objects.filter(pk=appearances[5].pk).update(planned_start=database_now() + timedelta(minutes=40))
    Appearance.objects.exclude(pk=appearances[5].pk).update(planned_start=None)
    time_pass_working(SETTLED)
    Notification.objects.all().delete()
    wait = announcements_work()
    assert timedelta(minutes=24) < wait < timedelta(minutes=25)
    time_pass_working(wait + SETTLED)
    assert kinds(fan) == [("soon", appearances[5].participant_id)]


def test_postponed_start_is_announced_when_it_is_near():
    session, appearances = planned_evening(6)
    fan = follower_of(appearances[4].participant_id)
    time_pass(timedelta(hours=1, minutes=110))
    live(session)
    announcements_work()
    planned_times_shift(actor=OPERATOR, session_id=session.pk, appearance_id=appearances[4].pk, minutes=30)
    time_pass_working(SETTLED)
    assert [kind for kind, _ in kinds(fan)] == ["moved"]
    time_pass_working(timedelta(minutes=25))
    assert [kind for kind, _ in kinds(fan)] == ["moved", "soon"]


def test_new_time_is_announced_unless_it_is_shifted_back():
    session, appearances = planned_evening()
    fan = follower_of(appearances[2].participant_id)
    time_pass(SECOND)
    shift = {"actor": OPERATOR, "session_id": session.pk, "appearance_id": appearances[2].pk}
    planned_times_shift(**shift, minutes=20)
    time_pass_working(timedelta(seconds=7))
    planned_times_shift(**shift, minutes=-20)
    time_pass_working(SETTLED)
    assert kinds(fan) == []
    planned_times_shift(**shift, minutes=20)
    time_pass_working(SETTLED)
    planned_times_shift(**shift, minutes=-20)
    time_pass_working(SETTLED)
    assert kinds(fan) == [("moved", appearances[2].participant_id)] * 2
    assert {each.session_id for each in Notification.objects.all()} == {session.pk}
    made = Notification.objects.first()
    assert made.expires_at - made.created_at > LASTS - timedelta(minutes=1)


def test_move_to_another_session_is_announced_once():
    session, appearances = evening()
    other = SessionFactory(stage=session.stage, starts_at=database_now() + timedelta(days=1))
    moving = appearances[2].participant_id
    fan = follower_of(*ids(appearances))
    time_pass(SECOND)
    order_set(session, [pk for pk in ids(appearances) if pk != moving])
    time_pass_working(timedelta(seconds=7))
    order_set(other, [moving])
    time_pass_working(2 * SETTLED)
    assert list(Notification.objects.values_list("user_id", "kind", "participant_id", "session_id")) == [
        (fan.id, "moved", moving, other.pk)
    ]
    order_set(other, [])
    order_set(session, ids(appearances))
    time_pass_working(2 * SETTLED)
    assert [each.session_id for each in Notification.objects.order_by("pk")] == [other.pk, session.pk]


def test_withdrawal_and_return_are_announced():
    session, appearances = evening()
    away = appearances[2].participant_id
    fan = follower_of(away)
    time_pass(SECOND)
    order_set(session, [pk for pk in ids(appearances) if pk != away])
    time_pass_working(timedelta(seconds=7))
    order_set(session, ids(appearances))
    time_pass_working(SETTLED)
    assert kinds(fan) == []
    order_set(session, [pk for pk in ids(appearances) if pk != away])
    time_pass_working(SETTLED)
    order_set(session, ids(appearances))
    time_pass_working(SETTLED)
    assert kinds(fan) == [("moved", away)] * 2


def test_deleted_session_announces_its_performers():
    session, appearances = evening(2)
    fan = follower_of(*ids(appearances))
    time_pass(SECOND)
    session_delete(actor=OPERATOR, session_id=session.pk, confirmed=True)
    time_pass_working(SETTLED)
    assert sorted(kinds(fan)) == sorted(("moved", pk) for pk in ids(appearances))


def test_withdrawal_is_announced_only_before_the_performance():
    session, appearances = planned_evening(4)
    first, second, third, fourth = ids(appearances)
    fan = follower_of(first, fourth)
    time_pass(timedelta(hours=2, minutes=40))
    live(session)
    perform(appearances[0])
    perform(appearances[1])
    time_pass_working(SETTLED)
    Notification.objects.all().delete()
    for appearance in appearances[::3]:
        planned_times_shift(actor=OPERATOR, session_id=session.pk, appearance_id=appearance.pk, minutes=5)
        time_pass_working(SETTLED)
    order_set(session, [first, second, third])
    time_pass_working(SETTLED)
    assert kinds(fan) == [("moved", fourth)] * 3


def test_advancements_are_announced_while_published():
    session, appearances = evening(3)
    fan = follower_of(*ids(appearances))
    NotificationPreference.objects.create(user_id=fan.id, advanced=True)
    plain = follower_of(*ids(appearances))
    time_pass(SECOND)
    publish = {"actor": OPERATOR, "stage_id": session.stage_id}
    advancements_publish(**publish, participant_ids=ids(appearances)[:1])
    time_pass_working(timedelta(seconds=7))
    advancements_withdraw(**publish)
    time_pass_working(SETTLED)
    assert kinds(fan) == []
    advancements_publish(**publish, participant_ids=ids(appearances)[1:])
    time_pass_working(SETTLED)
    assert sorted(kinds(fan)) == [("advanced", pk) for pk in sorted(ids(appearances)[1:])]
    assert kinds(plain) == []
    assert {(each.stage_id, each.session_id) for each in Notification.objects.all()} == {(session.stage_id, None)}


def test_prizes_are_announced_once_while_published_to_those_who_chose_it():
    session, appearances = evening(3)
    first, second, _ = ids(appearances)
    fan, plain = follower_of(*ids(appearances)), follower_of(*ids(appearances))
    NotificationPreference.objects.create(user_id=fan.id, prizes=True)
    time_pass(SECOND)
    of_stage = {"actor": OPERATOR, "stage_id": session.stage_id}
    prizes_save(**of_stage, lines=[PrizeLine("First Prize", participant_ids=(first,))])
    time_pass_working(SETTLED)
    assert kinds(fan) == [], "a draft is announced to no one"
    made = prizes_publish(**of_stage)
    time_pass_working(timedelta(seconds=7))
    prizes_restore(actor=OPERATOR, list_id=made.list_id)
    time_pass_working(SETTLED)
    assert kinds(fan) == []
    for receiving in ((first,), (first, second)):
        award = PrizeAward.SHARED if receiving[1:] else PrizeAward.SINGLE
        prizes_save(**of_stage, lines=[PrizeLine("First Prize", award=award, participant_ids=receiving)])
        prizes_publish(**of_stage)
        time_pass_working(SETTLED)
    assert sorted(kinds(fan)) == [("prizes", pk) for pk in sorted((first, second))]
    assert kinds(plain) == []


def test_later_followers_and_closed_accounts_are_not_notified():
    _, appearances = evening()
    first = appearances[0].participant_id
    closed = follower_of(first)
    unwilling = follower_of(first)
    NotificationPreference.objects.create(user_id=unwilling.id, now=False)
    ended = follower_of(first)
    enter(appearances[0])
    time_pass(SECOND)
    late = follower_of(first)
    follow_set(actor=ended, participant_id=first, is_wanted=False)
    User.objects.filter(pk=closed.id).update(is_active=False)
    time_pass_working(SETTLED)
    assert [kinds(fan) for fan in (closed, unwilling, ended, late)] == [[], [], [], []]


def test_channels_are_due_only_if_the_member_has_them():
    """A member without a known time zone has that of the venue."""
    _, appearances = evening()
    channels = {}
    for is_confirmed, is_subscribed in product((True, False), repeat=2):
        fan = follower_of(appearances[0].participant_id, user=MemberFactory(confirmed=is_confirmed))
        channels[fan.id] = (is_subscribed, is_confirmed)
        zone = "Mars/Olympus" if is_subscribed else "UTC"
        NotificationPreference.objects.create(user_id=fan.id, mail=MailChoice.AT_ONCE, time_zone=zone)
        if is_subscribed:
            browser_add(fan.id)
    enter(appearances[0])
    time_pass_working(SETTLED)
    made = Notification.objects.values_list("user_id", "push_due_at", "mail_due_at")
    assert {user: (push is not None, mail is not None) for user, push, mail in made} == channels


def test_channels_wait_for_the_end_of_quiet_hours():
    _, appearances = evening()
    fan = follower_of(appearances[0].participant_id, user=MemberFactory())
    hour = database_now().astimezone(UTC).hour
    NotificationPreference.objects.create(
        user_id=fan.id,
        mail=MailChoice.AT_ONCE,
        time_zone="UTC",
        quiet_from=time((hour - 1) % 24),
        quiet_until=time((hour + 2) % 24),
    )
    enter(appearances[0])
    time_pass_working(SETTLED)
    made = Notification.objects.get()
    assert made.mail_due_at - database_now() > timedelta(minutes=59)


def test_late_announcement_is_dropped():
    _, appearances = evening()
    fan = follower_of(appearances[0].participant_id)
    enter(appearances[0])
    time_pass(NOW_LASTS + HOLD)
    announcements_work()
    assert kinds(fan) == []
    assert not Announcement.objects.filter(finished_at=None).exists()


def test_change_by_a_clock_that_was_ahead_is_announced_when_the_clock_is_right():
    _, appearances = evening()
    fan = follower_of(appearances[0].participant_id)
    time_pass(SETTLED)
    clock_set(timedelta(days=1))
    enter(appearances[0])
    clock_set(timedelta(days=-1))
    assert announcements_work() is None
    assert kinds(fan) == [("now", appearances[0].participant_id)]
    assert Notification.objects.get(user_id=fan.id).expires_at <= database_now() + NOW_LASTS
    clock_set(timedelta(days=1))
    perform(appearances[1])
    time_pass(SETTLED)
    assert announcements._take() is not None
    clock_set(timedelta(days=-1))
    follower = follower_of(appearances[1].participant_id)
    announcements_work()
    assert Announcement.objects.filter(finished_at=None).count() == 0, "the lease has run out"
    assert kinds(follower) == [], "a member who follows since is not notified"


def test_failure_is_retried_with_backoff_and_given_up(monkeypatch, caplog):
    _, appearances = evening()
    fan = follower_of(appearances[0].participant_id)
    enter(appearances[0])
    time_pass(SETTLED)
    NotificationPreference.objects.create(user_id=fan.id, time_zone="x" * 64, quiet_from=time(1), quiet_until=time(2))
    broken = 'ALTER TABLE "notifications" ADD CONSTRAINT broken CHECK (false) NOT VALID'
    with as_owner() as cursor:
        cursor.execute(broken)
    waits = []
    for _ in range(TRIES_MOST - 1):
        waits.append(announcements_work())
        time_pass(waits[-1] + SECOND)
    assert [round(wait.total_seconds()) for wait in waits] == [5, 10, 20, 40]
    assert announcements_work() is None
    assert "was given up after 5 tries" in caplog.text
    assert Announcement.objects.filter(finished_at=None).count() == 0
    with as_owner() as cursor:
        cursor.execute('ALTER TABLE "notifications" DROP CONSTRAINT broken')


def test_announcement_of_an_ended_process_is_taken_after_the_lease():
    _, appearances = evening()
    fan = follower_of(appearances[0].participant_id)
    enter(appearances[0])
    time_pass(SETTLED)
    taken = announcements._take()
    assert taken is not None
    wait = announcements_work()
    assert LEASE - SECOND < wait <= LEASE
    assert kinds(fan) == []
    time_pass_working(wait + SECOND)
    assert kinds(fan) == [("now", appearances[0].participant_id)]


def test_change_during_the_work_replaces_the_announcement():
    session, appearances = planned_evening()
    fan = follower_of(appearances[4].participant_id)
    time_pass(SECOND)
    shift = {"actor": OPERATOR, "session_id": session.pk, "appearance_id": appearances[4].pk}
    planned_times_shift(**shift, minutes=20)
    time_pass(SETTLED)
    taken = announcements._take()
    planned_times_shift(**shift, minutes=-20)
    announcements._work(taken)
    time_pass_working(SETTLED)
    assert kinds(fan) == []
    assert not Announcement.objects.filter(finished_at=None).exists()


def test_seeing_a_notification_marks_it_and_older_ones_as_seen():
    session, appearances = evening()
    fan, other = (follower_of(*ids(appearances)) for _ in range(2))
    time_pass(SECOND)
    live(session)
    time_pass_working(SETTLED)
    newest = Notification.objects.filter(user_id=fan.id).latest("pk")
    with pytest.raises(ValidationError, match="not there any more"):
        notifications_see(actor=fan, notification_id=Notification.objects.filter(user_id=other.id).latest("pk").pk)
    assert Notification.objects.filter(user_id=fan.id, seen_at=None).count() == 2
    notifications_see(actor=fan, notification_id=newest.pk)
    assert Notification.objects.filter(user_id=fan.id, seen_at=None).count() == 0
    assert Notification.objects.filter(user_id=other.id, seen_at=None).count() == 2


def test_old_rows_are_pruned():
    session, appearances = evening()
    follower_of(*ids(appearances))
    time_pass(SECOND)
    live(session)
    time_pass_working(SETTLED)
    assert notifications_prune() == 0
    time_pass(timedelta(days=2))
    assert notifications_prune() == Announcement.objects.count() + 1 == 1
    time_pass(timedelta(days=29))
    assert notifications_prune() == 2
    assert Follow.objects.exists()


def test_change_writes_one_row_for_any_number_of_followers():
    session, appearances = evening()
    live(session)
    Announcement.objects.all().delete()

    def queries() -> int:
        with CaptureQueriesContext(connection) as seen:
            performer_next(actor=OPERATOR, session_id=session.pk, after=None)
            performer_clear(actor=OPERATOR, session_id=session.pk)
        return len(seen)

    alone = queries()
    for appearance in appearances:
        follower_of(appearance.participant_id)
    perform(appearances[0])
    performer_clear(actor=OPERATOR, session_id=session.pk)
    assert queries() == alone
    assert Announcement.objects.count() == 1


def call_back(appearance: Appearance) -> None:
    """Take the last call of this appearance back."""
    stay = appearance.times.order_by("-pk").first()
    call_take_back(actor=OPERATOR, appearance_id=appearance.pk, stay_id=stay.pk)


def test_call_taken_back_before_it_is_announced_notifies_nobody():
    _, appearances = evening()
    fan = follower_of(*ids(appearances)[2:])
    enter(appearances[0])
    time_pass_working(SETTLED)
    told = kinds(fan)
    perform(appearances[3])
    call_back(appearances[3])
    time_pass_working(SETTLED)
    assert kinds(fan) == told == [("soon", appearances[2].participant_id)]
    assert not Announcement.objects.filter(finished_at=None).exists()


def test_followers_who_were_notified_of_a_call_get_its_correction():
    session, appearances = evening(6)
    told, asleep, opted_out, stranger = (UserFactory() for _ in range(4))
    browser_add(told.pk)
    browser_add(asleep.pk)
    called, after = appearances[3].participant_id, appearances[4].participant_id
    for fan in (told, asleep, opted_out):
        follower_of(called, user=fan)
    follower_of(after, user=stranger)
    now = database_now().astimezone(UTC).time()
    quiet = {"quiet_from": now.replace(minute=0), "quiet_until": time((now.hour + 3) % 24)}
    NotificationPreference.objects.create(user=asleep, time_zone="UTC", **quiet)
    NotificationPreference.objects.create(user=opted_out, now=False)
    enter(appearances[0])
    time_pass_working(SETTLED)
    perform(appearances[3])
    time_pass_working(SETTLED)
    Notification.objects.filter(user=told).update(push_due_at=None, pushed_to=[1])
    assert [kinds(viewer_of(fan)) for fan in (told, asleep, opted_out)] == [[("now", called)], [("now", called)], []]
    assert kinds(viewer_of(stranger)) == [("soon", after)]
    call_back(appearances[3])
    time_pass_working(SETTLED)
    assert [kinds(viewer_of(fan)) for fan in (told, asleep, opted_out)] == [
        [("undone", called)],
        [("undone", called)],
        [],
    ]
    assert kinds(viewer_of(stranger)) == [("undone", after)]
    due = dict(Notification.objects.values_list("user_id", "push_due_at"))
    assert due[told.pk] is not None
    assert due[asleep.pk] is None  # no browser has shown the call
    rows = Notification.objects.order_by("pk")
    said = {each.text for each in sentences(rows, language="en", zone=ZoneInfo("UTC")).values()}
    names = dict(Participant.objects.values_list("pk", "name"))
    assert said == {f"A correction: {names[pk]} has not played yet ({session.title})" for pk in (called, after)}
    perform(appearances[3])
    time_pass_working(SETTLED)
    assert kinds(viewer_of(told)) == [("undone", called), ("now", called)]
    assert kinds(viewer_of(stranger)) == [("undone", after), ("soon", after)]
