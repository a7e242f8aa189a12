"""Test mails: text and HTML parts, sent by threads after the commit."""

import re
import threading
import time
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.conf import settings
from django.core import mail as outgoing
from django.db import OperationalError, transaction
from django.db.models.functions import Now

from apps.accounts import mail
from apps.accounts.mail import mail_send, mails_forget, mails_wake
from apps.accounts.models import Mail, User
from apps.accounts.services.accounts import account_create
from tests.mails import mails_settle
from tests.offenders import check_each

pytestmark = pytest.mark.django_db(transaction=True)
NAMES = sorted(path.name.removesuffix("_subject.txt") for path in (settings.MAILS / mail.FOLDER).glob("*_subject.txt"))
LINK = re.compile(re.escape(settings.PUBLIC_URL) + r"/[a-z/-]+\?key=[\w%.-]+")


def sent():
    assert mails_settle()
    return outgoing.outbox


@pytest.fixture
def fan():
    return account_create(email="fan@example.org", password="una corda 7", username="fan", is_verified=False)


def test_every_mail_has_a_subject_a_text_and_a_page(fan):
    def check(name):
        EmailAddress.objects.filter(user=fan).update(verified=name != "email_confirmation")
        outgoing.outbox.clear()
        mail_send(name=name, to="fan@example.org", username="fan")
        (message,) = sent()
        assert (message.to, message.from_email) == (["fan@example.org"], settings.DEFAULT_FROM_EMAIL)
        assert message.message()["Auto-Submitted"] == "auto-generated"
        assert message.subject
        assert "\n" not in message.subject
        ((page, kind),) = message.alternatives
        assert kind == "text/html"
        assert "<html" in page
        assert "<" not in message.body
        assert "&amp;" not in message.body
        for part in (message.body, page):
            assert settings.PUBLIC_URL in part
            assert "{" not in part
            assert "unofficial" in part
        links = LINK.findall(message.body)
        assert bool(links) == (name in mail.LINKED)
        assert links == LINK.findall(page)[: len(links)]
        assert set(re.findall(r"http\S+", message.body)) == set(re.findall(r'href="([^"]+)"', page)), (
            "all can be pressed"
        )

    check_each(NAMES, check, at_least=len(mail.LINKED))


def test_username_is_escaped_only_in_the_html_part():
    mail_send(name="password_changed", to="fan@example.org", username='<b>"&')
    (message,) = sent()
    assert '<b>"&' in message.body
    assert "&lt;b&gt;&quot;&amp;" in message.alternatives[0][0]


def test_mail_is_sent_after_the_commit_and_dropped_by_a_rollback():
    with transaction.atomic():
        mail_send(name="password_changed", to="fan@example.org", username="fan")
        assert sent() == []
    assert len(sent()) == 1
    with transaction.atomic():
        mail_send(name="password_changed", to="fan@example.org", username="fan")
        transaction.set_rollback(True)
    assert len(sent()) == 1


def test_mail_send_does_not_wait_for_the_mail_server(monkeypatch):
    may_go, waited = threading.Event(), []
    connect = lambda *_, **__: waited.append(threading.current_thread()) or may_go.wait(20)  # noqa: E731
    monkeypatch.setattr(outgoing, "get_connection", connect)
    for _ in range(5):
        mail_send(name="password_changed", to="fan@example.org", username="fan")
    assert not mails_settle(0.1)
    may_go.set()
    assert threading.current_thread() not in waited
    monkeypatch.undo()
    assert mails_settle()


def test_mail_is_rendered_after_the_response(monkeypatch):
    sent, pause = [], 0.2
    monkeypatch.setattr(mail, "PAUSE", pause)
    monkeypatch.setattr(mail, "mail_messages", lambda **_: sent.append(time.monotonic()) or [])
    begun = time.monotonic()
    mail_send(name="password_changed", to="fan@example.org", username="fan")
    assert mails_settle()
    assert sent[0] - begun >= pause


def test_link_is_created_with_the_mail_and_never_stored(fan, monkeypatch):
    monkeypatch.setattr(mail, "mails_wake", lambda _: None)
    mail_send(name="password_reset_key", to=fan.email)
    assert "key" not in str(Mail.objects.values().get().values()).replace("password_reset_key", "")
    User.objects.filter(pk=fan.pk).update(is_active=False)
    mails_wake()
    assert sent() == []


def test_mails_of_a_killed_process_are_sent_by_another(monkeypatch):
    Mail.objects.create(name="password_changed", recipient="fan@example.org", language="en", tries=1)
    taken = Mail.objects.create(name="password_changed", recipient="taken@example.org", language="en")
    Mail.objects.filter(pk=taken.pk).update(due_at=Now() + mail.LEASE)  # another process holds the row
    mails_wake()
    assert [message.to for message in sent()] == [["fan@example.org"]]
    assert Mail.objects.get() == taken
    Mail.objects.update(due_at=Now() + timedelta(days=1))  # by a clock that was ahead
    mails_wake()
    assert len(sent()) == 2


def test_no_mail_is_sent_twice_by_concurrent_threads():
    for number in range(20):
        mail_send(name="password_changed", to=f"fan{number}@example.org", username="fan")
    assert len({message.to[0] for message in sent()}) == len(sent()) == 20
    assert not Mail.objects.exists()


def test_failed_mail_is_retried_without_delaying_others(monkeypatch, caplog):
    monkeypatch.setattr(mail, "AGAIN", (0.01, 0.01, 0.01))
    mail_send(name="no_such_mail", to="fan@example.org")
    mail_send(name="password_changed", to="other@example.org", username="other")
    assert [message.to for message in sent()] == [["other@example.org"]]
    records = [record for record in caplog.records if record.getMessage().startswith("a mail could not be sent")]
    assert [record.levelname for record in records] == ["WARNING", "WARNING", "ERROR", "ERROR"]
    assert not Mail.objects.exists()


def test_later_retries_wait_in_the_table(monkeypatch):
    monkeypatch.setattr(mail, "AGAIN", (3_600.0,))
    mail_send(name="no_such_mail", to="Fan@example.org")
    assert sent() == []
    assert Mail.objects.filter(tries=1, due_at__gt=Now() + timedelta(minutes=59)).count() == 1
    mails_forget(to="fan@example.org")
    assert not Mail.objects.exists()


def test_mails_of_an_ended_process_are_sent_by_the_next(monkeypatch):
    ended = mail.ThreadPoolExecutor(1)
    ended.shutdown()
    with monkeypatch.context() as ending:
        ending.setattr(mail, "_executor", ended)
        mail_send(name="password_changed", to="fan@example.org", username="fan")
    assert sent() == []
    mails_wake()
    assert len(sent()) == 1


@pytest.mark.parametrize(("error", "level"), [(OperationalError("down"), "WARNING"), (RuntimeError("fault"), "ERROR")])
def test_database_outage_is_logged_as_a_warning(monkeypatch, caplog, error, level):
    def failing():
        raise error

    monkeypatch.setattr(mail, "_mail_take", failing)
    mails_wake()
    assert mails_settle()
    assert [record.levelname for record in caplog.records if record.name == "apps.accounts.mail"] == [level]
