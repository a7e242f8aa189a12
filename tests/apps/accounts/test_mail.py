"""Mails: written as text and HTML, when the transaction has committed, by threads."""

import threading
import time

import pytest
from django.conf import settings
from django.core import mail as outgoing
from django.db import transaction

from apps.accounts import mail
from apps.accounts.mail import MailsEnded, mail_later, mail_send, mails_settle

pytestmark = pytest.mark.django_db(transaction=True)
NAMES = sorted(each.name.removesuffix("_subject.txt") for each in (settings.MAILS / mail.FOLDER).glob("*_subject.txt"))
LINK = f"{settings.PUBLIC_URL}/verify-email?key=Mw%3A1abc%3Adef-_&more=1"


def sent():
    """What was sent so far."""
    assert mails_settle()
    return outgoing.outbox


@pytest.mark.parametrize("name", NAMES)
def test_every_mail_has_a_subject_a_text_and_a_page(name):
    mail_send(name=name, to="fan@example.org", username="fan", link=LINK)
    (message,) = sent()
    assert (message.to, message.from_email) == (["fan@example.org"], settings.DEFAULT_FROM_EMAIL)
    assert message.subject
    assert "\n" not in message.subject
    ((page, kind),) = message.alternatives
    assert kind == "text/html"
    assert "<html" in page
    assert "<" not in message.body
    assert "&amp;" not in message.body
    for words in (message.body, page):
        assert settings.PUBLIC_URL in words
        assert "{" not in words
        assert "unofficial" in words
    if "key=" in message.body:
        assert LINK in message.body
        assert LINK.replace("&", "&amp;") in page


def test_what_people_chose_is_escaped_in_the_page_only():
    mail_send(name="password_changed", to="fan@example.org", username='<b>"&')
    (message,) = sent()
    assert '<b>"&' in message.body
    assert "&lt;b&gt;&quot;&amp;" in message.alternatives[0][0]


def test_a_mail_waits_for_the_commit_and_goes_with_the_rollback():
    with transaction.atomic():
        mail_send(name="password_changed", to="fan@example.org", username="fan")
        assert sent() == []
    assert len(sent()) == 1
    with transaction.atomic():
        mail_send(name="password_changed", to="fan@example.org", username="fan")
        transaction.set_rollback(True)
    assert len(sent()) == 1


def test_nobody_waits_for_a_mail(monkeypatch):
    door = threading.Event()
    monkeypatch.setattr(outgoing, "get_connection", lambda *_, **__: door.wait(20))
    begun = time.monotonic()
    for _ in range(5):
        mail_send(name="password_changed", to="fan@example.org", username="fan")
    assert time.monotonic() - begun < 1
    assert not mails_settle(0.1)
    door.set()
    monkeypatch.undo()
    assert mails_settle()


def test_a_mail_is_not_written_before_the_answer_is_on_its_way():
    begun, written = time.monotonic(), []
    mail_later(lambda: written.append(time.monotonic()))
    assert mails_settle()
    assert written[0] - begun >= mail.PAUSE


def test_what_fails_is_logged_and_ends_nothing(caplog):
    mail_later(lambda: 1 // 0)
    mail_send(name="password_changed", to="fan@example.org", username="fan")
    assert len(sent()) == 1
    assert [each.message for each in caplog.records if each.levelname == "ERROR"] == ["a mail could not be sent"]


def test_a_process_that_ends_takes_no_more(monkeypatch):
    ended = mail.ThreadPoolExecutor(1)
    ended.shutdown()
    monkeypatch.setattr(mail, "_executor", ended)
    with pytest.raises(MailsEnded):
        mail_later(lambda: None)
