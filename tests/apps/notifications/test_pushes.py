"""Test pushes: the requests to push services, every answer, expiry, pauses, and concurrent senders."""

import logging
import os
import time
from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db.models import F
from django.utils import timezone

from apps.accounts.models import AuthSession
from apps.notifications.enums import Kind
from apps.notifications.limits import (
    LEASE,
    PUSH_AGAIN,
    PUSH_EXCHANGE,
    PUSH_PAUSE,
    PUSH_PAUSE_MOST,
    PUSHES_AT_HOST,
    PUSHES_TAKEN,
)
from apps.notifications.models import Notification, PushSubscription
from apps.notifications.push import sending
from apps.notifications.push.hosts import hosts
from apps.notifications.push.public_key import public_key
from apps.notifications.push.sending import pause_of
from apps.notifications.services import pushes
from apps.notifications.services.pushes import pushes_send
from tests.apps.conftest import run_together
from tests.apps.notifications.push_service import PushService, Received
from tests.apps.notifications.pushing import crowd, due, subscribed
from tests.factories import ParticipantFactory, UserFactory
from tests.timing import MEASURING, took_at_most

pytestmark = pytest.mark.django_db(transaction=True)
SILENT = int(os.environ.get("PUSHES", "30"))  # messages for a push service that does not answer
NOW = datetime(2027, 10, 12, 15, 0, tzinfo=UTC)


def make_due() -> None:
    """Make all waiting notifications due now."""
    Notification.objects.filter(push_due_at__isnull=False).update(push_due_at=timezone.now())


def the(received: list[Received]) -> Received:
    """Return the only request."""
    assert len(received) == 1, received
    return received[0]


def test_push_is_encrypted_signed_and_has_only_the_performer(service: PushService) -> None:
    fan, browser, other = UserFactory(), service.browser(), service.browser()
    subscribed(fan, browser)
    subscribed(UserFactory(), other)
    performer = ParticipantFactory(name="Zofia Żółkiewska")
    note = due(fan, performer)
    assert pushes_send() is None
    received = the(service.received)
    assert service.for_browser(browser) == [received]
    assert browser.read(received) == {
        "title": "Zofia Żółkiewska",
        "path": "/sessions/7#stage-video",
        "tag": f"performer-{performer.pk}",
    }
    with pytest.raises(Exception, match=r".*"):
        other.read(received)
    assert b"Zofia" not in received.body
    claims = received.claims()
    assert (claims["aud"], claims["sub"]) == (service.origin, "mailto:push@parterre.example")
    assert time.time() < claims["exp"] <= time.time() + 24 * 3_600
    assert f"k={public_key()}" in received.headers["authorization"]
    assert received.headers["urgency"] == "high"
    assert 590 <= int(received.headers["ttl"]) <= 600
    assert "cookie" not in received.headers
    note.refresh_from_db()
    assert note.push_due_at is None
    assert note.pushed_to == [PushSubscription.objects.get(user=fan).pk]


def test_topic_is_equal_for_one_performer_and_anonymous(service: PushService) -> None:
    first, second = UserFactory(), UserFactory()
    browsers = [service.browser(), service.browser()]
    for fan, browser in zip((first, second), browsers, strict=True):
        subscribed(fan, browser)
    performers = ParticipantFactory.create_batch(2)
    for performer in (performers[0], performers[0], performers[1]):
        due(first, performer)
    due(second, performers[0])
    pushes_send()
    topics = [each.headers["topic"] for each in service.for_browser(browsers[0])]
    assert sorted(Counter(topics).values()) == [1, 2]
    assert all(len(topic) == 32 and str(performers[0].pk) != topic for topic in topics)
    assert the(service.for_browser(browsers[1])).headers["topic"] not in topics


def test_each_browser_of_the_account_gets_one_push(service: PushService) -> None:
    fan, browsers = UserFactory(), [service.browser() for _ in range(3)]
    for browser in browsers:
        subscribed(fan, browser)
    due(fan)
    service.answer(browsers[1], 500)
    left = pushes_send()
    assert left is not None
    assert timedelta(0) < left <= PUSH_AGAIN[0]
    service.answer(browsers[1], 201)
    make_due()
    assert pushes_send() is None
    assert [len(service.for_browser(browser)) for browser in browsers] == [1, 2, 1]
    assert pushes_send() is None
    assert len(service.received) == 4


def test_ended_subscription_is_deleted(service: PushService) -> None:
    fan, other = UserFactory(), service.browser()
    ended = {status: service.browser() for status in (404, 410)}
    for browser in (*ended.values(), other):
        subscribed(fan, browser)
    for status, browser in ended.items():
        service.answer(browser, status)
    due(fan)
    assert pushes_send() is None
    assert [subscription.endpoint for subscription in PushSubscription.objects.all()] == [other.endpoint]
    due(fan)
    pushes_send()
    assert [len(service.for_browser(browser)) for browser in (*ended.values(), other)] == [1, 1, 2]


@pytest.mark.parametrize("status", [429, 503])
def test_pause_requested_by_the_push_service_is_kept(service: PushService, status: int) -> None:
    fan, browser, other = UserFactory(), service.browser(), service.browser()
    subscribed(fan, browser)
    subscribed(fan, other)
    service.answer(browser, status, Retry_After="90")
    due(fan)
    left = pushes_send()
    assert left is not None
    assert timedelta(seconds=85) < left <= timedelta(seconds=90)
    due(fan)  # other notifications wait too
    left = pushes_send()
    assert left is not None
    assert timedelta(seconds=80) < left <= timedelta(seconds=90)
    assert (len(service.for_browser(browser)), len(service.for_browser(other))) == (1, 2)
    service.answer(browser, 201)
    PushSubscription.objects.update(paused_until=timezone.now())
    make_due()
    assert pushes_send() is None
    assert (len(service.for_browser(browser)), len(service.for_browser(other))) == (3, 2)


def test_pause_is_read_as_seconds_or_a_date_within_bounds() -> None:
    pauses = {
        "90": timedelta(seconds=90),
        "0": timedelta(seconds=1),
        "99999999999999999999": PUSH_PAUSE_MOST,
        "Tue, 12 Oct 2027 15:05:00 GMT": timedelta(minutes=5),
        "Tue, 12 Oct 2027 15:05:00 -0000": timedelta(minutes=5),
        "Tue, 12 Oct 2027 14:00:00 GMT": timedelta(seconds=1),
        "Fri, 12 Oct 2040 15:00:00 GMT": PUSH_PAUSE_MOST,
        **dict.fromkeys(("", "-5", "soon", "٣"), PUSH_PAUSE),
    }
    assert {text: pause_of(text, NOW) for text in pauses} == pauses


def test_failing_push_service_is_retried_and_given_up(service: PushService) -> None:
    fan, browser = UserFactory(), service.browser()
    subscribed(fan, browser)
    service.answer(browser, 500)
    note = due(fan)
    for pause in PUSH_AGAIN:
        left = pushes_send()
        assert left is not None
        assert pause - timedelta(seconds=5) < left <= pause
        make_due()
    assert pushes_send() is None
    note.refresh_from_db()
    assert note.push_due_at is None
    assert len(service.received) == len(PUSH_AGAIN) + 1
    assert PushSubscription.objects.exists()


def test_push_service_without_an_answer_is_retried(
    service: PushService, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(sending, "PUSH_TIMEOUT", 0.2)
    fan, browser, other = UserFactory(), service.browser(), service.browser()
    subscribed(fan, browser)
    subscribed(fan, other)
    service.never_answer(browser)
    due(fan)
    begun = time.monotonic()
    left = pushes_send()
    assert time.monotonic() - begun < sending.PUSH_TIMEOUT * 25  # far below a wait without a time-out
    assert left is not None
    assert timedelta(0) < left <= PUSH_AGAIN[0]
    assert len(service.for_browser(other)) == 1
    assert "SocketTimeoutError" in caplog.text
    assert browser.endpoint.removeprefix(service.origin) not in caplog.text


@pytest.mark.limit(600, reason="`make soak` sends thousands of messages")
def test_silent_push_service_holds_up_no_other(
    service: PushService, silent: PushService, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not MEASURING:
        monkeypatch.setattr(sending, "PUSH_TIMEOUT", 1.0)
    crowd(silent, SILENT)
    good = crowd(service, max(SILENT // 30, 6))
    silent.is_silent = True
    begun = time.monotonic()
    left = pushes_send()
    assert sorted(each.path for each in service.received) == sorted(good)
    took_at_most(10, service.last_at - begun, "the messages for the push service that answers")
    assert left is not None
    assert timedelta(0) < left <= PUSH_AGAIN[0]
    waiting = Notification.objects.exclude(push_due_at=None)
    assert (waiting.count(), 0 < waiting.filter(push_tries=1).count() <= PUSHES_AT_HOST) == (SILENT, True)
    make_due()
    pushes_send()
    assert len(silent.received) <= PUSHES_AT_HOST, "it is left alone"
    hosts._hosts[silent.origin].paused_until = 0.0
    pushes_send()
    assert len(silent.received) <= PUSHES_AT_HOST + 1, "one message tries it again"
    assert PUSH_AGAIN[0].total_seconds() < hosts.pause_left(silent.origin) <= PUSH_AGAIN[1].total_seconds()
    hosts._hosts[silent.origin].paused_until = 0.0
    silent.is_silent = False
    make_due()
    while pushes_send() is not None:
        make_due()
    assert len({each.path for each in silent.received}) == SILENT


def test_exchange_ends_in_time_whatever_the_push_service_sends(
    service: PushService, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    limit, service.pause = (PUSH_EXCHANGE, 3.0) if MEASURING else (1.0, 0.1)
    monkeypatch.setattr(sending, "PUSH_EXCHANGE", limit)
    crowd(service, PUSHES_AT_HOST + 3)
    begun = time.monotonic()
    left = pushes_send()
    took_at_most(limit + 1, time.monotonic() - begun, "an exchange without an end")
    tried = Notification.objects.filter(push_tries=1)
    assert 0 < tried.count() <= PUSHES_AT_HOST, "those that waited are not tried"
    assert "did not answer (TimeoutError)" in caplog.text
    assert left is not None


def test_hosts_and_members_take_turns(service: PushService, silent: PushService) -> None:
    first, both, other = UserFactory.create_batch(3)
    subscribed(first, service.browser())
    for place in (service, silent):
        subscribed(both, place.browser())
    subscribed(other, silent.browser())
    notes = {name: due(user) for name, user in (("a1", first), ("a2", first), ("b", both), ("c", other), ("a3", first))}
    names = {note.pk: name for name, note in notes.items()}
    now = timezone.now()
    assert [names[pk] for pk in pushes._due(now, [], 9)] == ["a1", "b", "c", "a2", "a3"]
    assert [names[pk] for pk in pushes._due(now, [silent.origin], 9)] == ["a1", "b", "a2", "a3"]
    assert [names[pk] for pk in pushes._due(now, [service.origin], 9)] == ["b", "c"]


def test_refused_push_is_not_repeated_and_redirects_not_followed(
    service: PushService, caplog: pytest.LogCaptureFixture
) -> None:
    target = service.browser()
    refusing = {status: service.browser() for status in (301, 307, 308, 400, 401, 403, 413)}
    for status, browser in refusing.items():
        subscribed(fan := UserFactory(), browser)
        service.answer(browser, status, Location=target.endpoint)
        due(fan)
    with caplog.at_level(logging.WARNING):
        assert pushes_send() is None
    assert [len(service.for_browser(browser)) for browser in refusing.values()] == [1] * len(refusing)
    assert len(service.received) == len(refusing)
    for status in refusing:
        assert f"127.0.0.1 refuses a message ({status})" in caplog.text
    assert PushSubscription.objects.count() == len(refusing)


def test_expired_notification_is_not_pushed(service: PushService) -> None:
    subscribed(fan := UserFactory(), service.browser())
    note = due(fan)
    Notification.objects.update(created_at=F("created_at") - timedelta(hours=1), expires_at=timezone.now())
    assert pushes_send() is None
    note.refresh_from_db()
    assert (note.push_due_at, service.received) == (None, [])


def test_push_is_dropped_if_its_retry_would_be_too_late(service: PushService) -> None:
    fan, browser = UserFactory(), service.browser()
    subscribed(fan, browser)
    service.answer(browser, 429, Retry_After="3000")
    due(fan)
    assert pushes_send() is None


def test_send_returns_the_time_until_the_next_push(service: PushService) -> None:
    subscribed(fan := UserFactory(), service.browser())
    due(fan, push_due_at=timezone.now() + timedelta(minutes=5), kind=Kind.SOON)
    due(fan, push_due_at=None)
    left = pushes_send()
    assert left is not None
    assert timedelta(minutes=4) < left <= timedelta(minutes=5)
    assert service.received == []


def test_no_push_is_sent_to_an_unsafe_or_expired_subscription(service: PushService, settings: Any) -> None:
    """Without the site's key, to a server with another certificate or a forbidden host, or in an expired session."""
    subscribed(fan := UserFactory(), service.browser())
    key = settings.PUSH_PRIVATE_KEY
    due(fan)
    settings.PUSH_PRIVATE_KEY = ""
    assert pushes_send() is None
    settings.PUSH_PRIVATE_KEY = key
    AuthSession.objects.update(expire_date=timezone.now() - timedelta(seconds=1))
    due(fan)
    assert pushes_send() is None
    subscribed(fan, forbidden := service.browser())
    settings.PUSH_TEST_ORIGIN, origin = "", settings.PUSH_TEST_ORIGIN
    due(fan)
    assert pushes_send() is None
    assert not PushSubscription.objects.filter(endpoint=forbidden.endpoint).exists()
    settings.PUSH_TEST_ORIGIN, settings.PUSH_TEST_AUTHORITY = origin, ""
    subscribed(fan, service.browser())
    due(fan)
    assert pushes_send() is not None
    assert service.received == []


def test_all_due_pushes_are_sent_in_batches(service: PushService) -> None:
    performer = ParticipantFactory()
    fans = UserFactory.create_batch(PUSHES_TAKEN + 3)
    browsers = [service.browser() for _ in fans]
    for fan, browser in zip(fans, browsers, strict=True):
        subscribed(fan, browser)
        due(fan, performer)
    assert pushes_send() is None
    assert all(len(service.for_browser(browser)) == 1 for browser in browsers)


def test_push_taken_by_a_crashed_process_is_sent_after_the_lease(service: PushService) -> None:
    fan, browser = UserFactory(), service.browser()
    subscribed(fan, browser)
    due(fan)
    assert pushes._take([])
    left = pushes_send()
    assert left is not None
    assert LEASE - timedelta(seconds=5) < left <= LEASE
    assert service.received == []
    make_due()
    assert pushes_send() is None
    assert len(service.for_browser(browser)) == 1


@pytest.mark.parametrize("members", [1, 12])
def test_number_of_queries_does_not_depend_on_members(
    service: PushService, django_assert_num_queries: Any, members: int
) -> None:
    performer = ParticipantFactory()
    for fan in UserFactory.create_batch(members):
        subscribed(fan, service.browser())
        due(fan, performer)
    with django_assert_num_queries(8):
        taken = pushes._take([])
    assert sum(len(each.messages) for each in taken) == members


def test_concurrent_senders_send_no_push_twice(service: PushService) -> None:
    performer = ParticipantFactory()
    fans = UserFactory.create_batch(12)
    browsers = [service.browser() for _ in fans]
    for fan, browser in zip(fans, browsers, strict=True):
        subscribed(fan, browser)
        due(fan, performer)
    run_together(pushes_send, pushes_send, pushes_send)
    assert [len(service.for_browser(browser)) for browser in browsers] == [1] * 12
    assert not Notification.objects.exclude(push_due_at=None).exists()
