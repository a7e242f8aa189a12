"""Requesting a password reset link: who receives one, and that the answer is the same for unknown addresses."""

import pytest
from django.conf import settings
from django.core import mail as outgoing
from django.core.mail.backends.locmem import EmailBackend
from django.db import OperationalError

from tests.project.accounts.reset.resetting import EMAIL, UNUSABLE, link
from tests.project.plain_browser import PlainBrowser, mails

pytestmark = pytest.mark.django_db(transaction=True)


def test_unknown_addresses_get_the_same_answer_and_no_mail(fan):
    known, unknown = PlainBrowser(), PlainBrowser()
    seen = [known.post("/forgot-password", email=EMAIL), unknown.post("/forgot-password", email="no@example.org")]
    assert seen[0].status == seen[1].status == 302
    assert seen[0].to == seen[1].to == "/forgot-password/sent"
    assert known.get(seen[0].to).html == unknown.get(seen[1].to).html
    assert set(known.client.cookies) == set(unknown.client.cookies)
    assert [message.to for message in mails()] == [[EMAIL]]


def test_closed_accounts_get_no_link(fan):
    path = link()
    fan.is_active = False
    fan.save()
    PlainBrowser().post("/forgot-password", email=EMAIL)
    assert mails() == []
    assert UNUSABLE in PlainBrowser().get(path).text


@pytest.mark.parametrize("email", [EMAIL, "no@example.org"])
def test_two_links_an_hour_to_one_address_known_or_not(fan, email):
    for _ in range(2):
        assert PlainBrowser().post("/forgot-password", email=email).status == 302
    seen = PlainBrowser().post("/forgot-password", email=email.upper())
    assert "Too many attempts. Please try again later." in seen.text
    assert "You can try again in 60 min." in seen.text
    assert len(mails()) == (2 if email == EMAIL else 0)


@pytest.mark.parametrize(
    ("email", "words"), [("", "Please enter your e-mail address"), ("fan@", "Please enter a valid")]
)
def test_an_address_is_needed(email, words):
    seen = PlainBrowser().post("/forgot-password", email=email)
    assert words in seen.text
    assert seen.wrong == ["email"]
    assert seen.fields["email"].get("value", "") == email


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (OperationalError("away"), "Failed to send reset email"),
        (OSError("away"), "An unexpected error occurred"),
    ],
)
def test_what_fails_is_said_plainly(fan, monkeypatch, error, words):
    def broken(**_):
        raise error

    monkeypatch.setattr("apps.accounts.sign_in.forms.mail_send", broken)
    seen = PlainBrowser().post("/forgot-password", email=EMAIL)
    assert words in seen.text
    assert "away" not in seen.html
    assert seen.fields["email"]["value"] == EMAIL


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_links_name_the_configured_address_whatever_the_browser_says(fan, host):
    PlainBrowser(HTTP_HOST=host, HTTP_X_FORWARDED_HOST="evil.example").post("/forgot-password", email=EMAIL)
    (message,) = mails()
    assert f"{settings.PUBLIC_URL}/reset-password?key=" in message.body
    assert "evil" not in message.body
    assert PlainBrowser(HTTP_HOST="evil.example").client.get("/forgot-password").status_code == 400


def test_a_mail_that_is_not_taken_is_tried_again(fan, monkeypatch, caplog):
    tries = []

    class Busy(EmailBackend):
        def send_messages(self, messages):
            tries.append(1)
            if len(tries) < 3:
                raise OSError("try again later")
            return super().send_messages(messages)

    monkeypatch.setattr(outgoing, "get_connection", lambda *_, **__: Busy())
    monkeypatch.setattr("apps.accounts.mail.AGAIN", (0.01, 0.01))
    path = link()
    assert len(tries) == 3
    assert PlainBrowser().get(path).status == 302
    tries[:] = [1] * -9
    monkeypatch.setattr("apps.accounts.mail.AGAIN", (0.01,))
    assert PlainBrowser().post("/forgot-password", email=EMAIL).status == 302
    assert mails() == []
    errors = [each.message for each in caplog.records if each.levelname == "ERROR"]
    assert errors == ["a mail could not be sent (password_reset_key, try 2)"]
