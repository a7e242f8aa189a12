"""Test mails of notifications: one mail for all due notifications of a member, once, with unsubscribe headers."""

import email
import re
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from email.message import EmailMessage
from email.policy import default
from html import unescape
from threading import Event

import pytest
from allauth.account.models import EmailAddress
from django.conf import settings
from django.core import mail as outgoing
from django.db import OperationalError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from apps.accounts.models import Mail, User
from apps.notifications.enums import Kind
from apps.notifications.limits import NOTICES_AT_ONCE
from apps.notifications.models import Notification, NotificationPreference
from apps.notifications.services import notices
from apps.notifications.services.notices import notices_send
from apps.notifications.services.preferences import notices_end
from apps.notifications.unsubscribing import unsubscribe_account
from tests.apps.conftest import run_together
from tests.apps.notifications.noting import member, noted
from tests.factories import AppearanceFactory, ParticipantFactory, SessionFactory
from tests.mails import mails_settle
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)
SITE = settings.PUBLIC_URL


@pytest.fixture
def on_stage():
    """Return an appearance that is on stage."""
    session = SessionFactory(title="Evening session", is_live=True)
    person = ParticipantFactory(first_name="Yuki", second_name="<Tanaka> & Sons")
    return AppearanceFactory(session=session, participant=person, is_performing=True, order_number=1)


@pytest.fixture
def following(on_stage):
    """Return the appearance after it."""
    person = ParticipantFactory(first_name="Zofia", second_name="Łęcka")
    return AppearanceFactory(session=on_stage.session, participant=person, order_number=2)


def sent() -> list[EmailMessage]:
    """Return the mails sent so far, read from their bytes as a mail program does."""
    assert mails_settle()
    return [email.message_from_bytes(each.message().as_bytes(), policy=default) for each in outgoing.outbox]


def parts(message: EmailMessage) -> tuple[str, str]:
    """Return the text and the page of a mail."""
    text, page = message.get_body(("plain",)), message.get_body(("html",))
    assert text is not None
    assert page is not None
    return text.get_content(), page.get_content()


def due() -> int:
    return Notification.objects.filter(mail_due_at__isnull=False).count()


def test_due_notifications_are_one_mail_with_equal_text_and_page(on_stage, following):
    fan = member()
    noted(fan, on_stage)
    noted(fan, following, Kind.SOON)
    assert notices_send() is None
    (message,) = sent()
    assert message["To"] == fan.email
    assert message["Subject"] == "Performers that you follow: Yuki <Tanaka> & Sons and 1 more"
    text, page = parts(message)
    lines = {
        "Yuki <Tanaka> & Sons is on stage now (Evening session)": f"{SITE}/sessions/{on_stage.session_id}#stage-video",
        "Zofia Łęcka plays next (Evening session)": f"{SITE}/participants/{following.participant_id}",
    }
    for sentence, link in lines.items():
        assert f"{sentence}\n{link}\n" in text
    linked = {unescape(words): unescape(to) for to, words in re.findall(r'<a href="([^"]+)"[^>]*>([^<]+)</a>', page)}
    assert linked.items() >= lines.items()
    assert set(linked.values()) == set(re.findall(r"http\S+", text))
    assert "<Tanaka>" not in page
    assert f"Hello {fan.username}" in text
    assert due() == 0


def test_each_mail_has_one_click_unsubscribe(on_stage):
    fans = [member(), member()]
    for fan in fans:
        noted(fan, on_stage)
    notices_send()
    messages = {message["To"]: message for message in sent()}
    for fan in fans:
        message = messages[fan.email]
        assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        header = message["List-Unsubscribe"].strip()
        link = re.fullmatch(rf"<({re.escape(SITE)}/unsubscribe\?key=([^/?>\s]+))>", header)
        assert link is not None
        assert unsubscribe_account(link[2]) == fan.pk
        assert all(link[1] in part for part in parts(message))


def test_unsubscribe_headers_are_not_encoded_words(on_stage):
    """Mail programs that offer the button do not read encoded words."""
    noted(member(), on_stage)
    notices_send()
    assert mails_settle()
    raw = outgoing.outbox[0].message().as_bytes().decode("ascii")
    assert re.search(r"^List-Unsubscribe:\s+<http\S+>$", raw, re.MULTILINE)
    assert re.search(r"^List-Unsubscribe-Post: List-Unsubscribe=One-Click$", raw, re.MULTILINE)


def test_equal_sentences_are_one_line(on_stage):
    fan, start = member(), timezone.now() + timedelta(days=2)
    place = AppearanceFactory(session=SessionFactory(starts_at=start))
    for number in range(3):
        noted(fan, place, Kind.MOVED, occasion=f"move.{number}")
    notices_send()
    (message,) = sent()
    assert parts(message)[0].count("now plays in") == 1


def test_outdated_and_expired_notifications_are_left_out(on_stage, following):
    fan, other = member(), member()
    noted(fan, on_stage)
    noted(fan, following)  # is not on stage
    Notification.objects.filter(pk=noted(fan, following, Kind.SOON).pk).update(
        created_at=timezone.now() - timedelta(minutes=20), expires_at=timezone.now() - timedelta(minutes=1)
    )
    noted(other, following)
    assert notices_send() is None
    (message,) = sent()
    assert message["To"] == fan.email
    assert "Zofia" not in parts(message)[0]
    assert due() == 0


@pytest.mark.parametrize(
    "change",
    [
        lambda fan: EmailAddress.objects.filter(user=fan).update(verified=False),
        lambda fan: User.objects.filter(pk=fan.pk).update(is_active=False),
        lambda fan: NotificationPreference.objects.filter(user=fan).update(mail="never"),
        lambda fan: NotificationPreference.objects.filter(user=fan).delete(),
    ],
    ids=["unconfirmed", "closed", "never", "no choice"],
)
def test_members_without_mails_get_none(on_stage, change):
    fan, other = member(), member()
    noted(fan, on_stage)
    noted(other, on_stage)
    change(fan)
    assert notices_send() is None
    assert [message["To"] for message in sent()] == [other.email]
    assert due() == 0


def test_send_returns_the_time_until_the_next_mail(on_stage):
    assert notices_send() is None
    noted(member(), on_stage, due=timedelta(hours=2))
    left = notices_send()
    assert left is not None
    assert timedelta(hours=1, minutes=59) < left <= timedelta(hours=2)
    assert sent() == []


def test_times_are_in_the_zone_of_the_member(on_stage):
    fan = member(time_zone="Asia/Tokyo")
    noted(fan, AppearanceFactory(session=SessionFactory(starts_at=timezone.now() + timedelta(days=2))), Kind.MOVED)
    notices_send()
    (message,) = sent()
    assert re.search(r"\d\d:\d\d \(Warsaw; .*\d\d:\d\d in Tokyo\)", parts(message)[0])


def test_concurrent_senders_mail_each_member_once(on_stage, following):
    fans = [member() for _ in range(15)]
    for fan in fans:
        noted(fan, on_stage)
        noted(fan, following, Kind.SOON)
    while due():
        run_together(notices_send, notices_send, notices_send)
    messages = sent()
    assert sorted(message["To"] for message in messages) == sorted(fan.email for fan in fans)
    assert all("on stage now" in parts(each)[0] and "plays next" in parts(each)[0] for each in messages)


def test_killed_sender_loses_no_mail_and_sends_none_twice(on_stage):
    noted(member(), on_stage)
    with ThreadPoolExecutor(1) as threads:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("LOCK TABLE mails IN SHARE ROW EXCLUSIVE MODE")  # the sender waits where it queues the mail
            sender = threads.submit(_sending)

            def is_killed() -> bool:
                cursor.execute(KILL)
                return sender.done()

            wait_until(is_killed, "the sender is killed")
        assert isinstance(sender.exception(), OperationalError)
    assert not Mail.objects.exists()
    assert due() == 1
    for _ in range(2):
        notices_send()
        assert len(sent()) == 1


KILL = """
SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%INTO "mails"%'
    AND datname = current_database()
"""


def _sending() -> None:
    try:
        notices_send()
    finally:
        connection.close()


def test_locked_account_is_mailed_later(on_stage):
    fan, other = member(), member()
    noted(fan, on_stage)
    noted(other, on_stage)
    is_locked, may_go = Event(), Event()

    def lock():
        with transaction.atomic():
            User.objects.select_for_update().get(pk=fan.pk)
            is_locked.set()
            assert may_go.wait(20)
        connection.close()

    def send():
        assert is_locked.wait(20)
        try:
            left = notices_send()
        finally:
            may_go.set()
            connection.close()
        return left

    _, left = run_together(lock, send)
    assert left is not None
    assert left <= timedelta(0)
    assert [message["To"] for message in sent()] == [other.email]
    assert notices_send() is None
    assert len(sent()) == 2


def test_no_mail_is_sent_after_unsubscribing(on_stage):
    fan = member()
    noted(fan, on_stage)
    notices_end(user_id=fan.pk)
    assert notices_send() is None
    assert sent() == []


def test_one_call_sends_a_limited_number_of_mails(on_stage, monkeypatch):
    monkeypatch.setattr(notices, "NOTICES_AT_ONCE", 2)
    for _ in range(3):
        noted(member(), on_stage)
    left = notices_send()
    assert left is not None
    assert left <= timedelta(0)
    assert due() == 1
    assert notices_send() is None
    assert len(sent()) == 3
    assert NOTICES_AT_ONCE > 1


def test_number_of_queries_does_not_depend_on_notifications(on_stage):
    counts = []
    for number in (1, 30):
        fan = member()
        for occasion in range(number):
            noted(fan, on_stage, occasion=f"x.{occasion}")
        with CaptureQueriesContext(connection) as queries:
            notices_send()
        counts.append(len(queries))
    assert counts[0] == counts[1] < 20
