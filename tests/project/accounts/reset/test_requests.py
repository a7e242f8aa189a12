"""Requesting a password reset link: who receives one, and that the answer is the same for unknown addresses."""

from unittest.mock import Mock

import pytest
from django.db import OperationalError

from tests.project.accounts.reset.resetting import EMAIL, UNUSABLE, link
from tests.project.plain_browser import PlainBrowser, mails

pytestmark = pytest.mark.django_db(transaction=True)


def test_unknown_address_gets_the_same_response_and_no_mail(fan):
    known, unknown = PlainBrowser(), PlainBrowser()
    responses = [known.post("/forgot-password", email=EMAIL), unknown.post("/forgot-password", email="no@example.org")]
    assert responses[0].status == responses[1].status == 302
    assert responses[0].to == responses[1].to == "/forgot-password/sent"
    assert known.get(responses[0].to).html == unknown.get(responses[1].to).html
    assert set(known.client.cookies) == set(unknown.client.cookies)
    assert [message.to for message in mails()] == [[EMAIL]]


def test_closed_account_gets_no_link(fan):
    path = link()
    fan.is_active = False
    fan.save()
    PlainBrowser().post("/forgot-password", email=EMAIL)
    assert mails() == []
    assert UNUSABLE in PlainBrowser().get(path).text


@pytest.mark.parametrize("email", [EMAIL, "no@example.org"])
def test_two_links_an_hour_are_sent_to_one_address(fan, email):
    for _ in range(2):
        assert PlainBrowser().post("/forgot-password", email=email).status == 302
    response = PlainBrowser().post("/forgot-password", email=email.upper())
    assert "Too many attempts. Please try again later." in response.text
    assert "You can try again in 60 min." in response.text
    assert len(mails()) == (2 if email == EMAIL else 0)


def test_invalid_address_is_reported():
    for email, error in (("", "Please enter your e-mail address"), ("fan@", "Please enter a valid")):
        response = PlainBrowser().post("/forgot-password", email=email)
        assert error in response.text
        assert response.wrong == ["email"]
        assert response.fields["email"].get("value", "") == email


def test_server_error_is_shown_without_details(fan, monkeypatch):
    for error, sentence in (
        (OperationalError("away"), "Failed to send reset email"),
        (OSError("away"), "An unexpected error occurred"),
    ):
        monkeypatch.setattr("apps.accounts.sign_in.forms.mail_send", Mock(side_effect=error))
        response = PlainBrowser().post("/forgot-password", email=EMAIL)
        assert sentence in response.text
        assert "away" not in response.html
        assert response.fields["email"]["value"] == EMAIL
