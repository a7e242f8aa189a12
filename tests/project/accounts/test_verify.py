"""Confirming an address: the link is valid for a day, works once, and can be requested again."""

import pytest
from allauth.account.models import EmailAddress

from apps.accounts.mail import EMAIL_CONFIRMATION, link_create
from apps.accounts.services.accounts import account_create
from apps.core.models import Counter
from tests.apps.accounts.test_links import older
from tests.factories import PASSWORD
from tests.project.plain_browser import PlainBrowser, link_in, mails

pytestmark = pytest.mark.django_db(transaction=True)
EMAIL = "fan@example.org"
ASKED = "It was registered as fan in another browser."
EXPIRED = "This link has been used, or it is older than a day."


@pytest.fixture
def address(transactional_db):
    account_create(email=EMAIL, password=PASSWORD, username="fan", is_verified=False)
    return EmailAddress.objects.get()


def path_of(address):
    return f"/verify-email?key={link_create(purpose=EMAIL_CONFIRMATION, account_id=address.user_id)}"


def test_opening_the_link_confirms_nothing_pressing_the_button_does(address):
    plain_browser, path = PlainBrowser(), path_of(address)
    assert ASKED in plain_browser.get(path).text
    address.refresh_from_db()
    assert not address.verified
    assert plain_browser.post(path, password=PASSWORD).to == "/"
    address.refresh_from_db()
    assert address.verified
    assert plain_browser.user_id == str(address.user_id)


def test_a_link_works_once(address):
    plain_browser, path = PlainBrowser(), path_of(address)
    plain_browser.post(path, password=PASSWORD)
    again = plain_browser.get(path)
    assert (again.status, EXPIRED in again.text) == (200, True)


def test_a_link_is_for_a_document_only(address):
    path = path_of(address)
    assert PlainBrowser(headers={"sec-fetch-dest": "image"}).get(path).status == 403
    assert ASKED in PlainBrowser(headers={"sec-fetch-dest": "document"}).get(path).text


def test_a_link_works_for_a_day_by_the_databases_clock(address, monkeypatch):
    path = path_of(address)
    older(86_340)
    monkeypatch.setattr("time.time", lambda: 0.0)
    assert ASKED in PlainBrowser().get(path).text
    monkeypatch.undo()
    older(120)
    expired = PlainBrowser().get(path)
    assert (expired.status, EXPIRED in expired.text) == (200, True)
    assert EMAIL not in expired.html


@pytest.mark.parametrize("key", ["nonsense", "1:2:3", "%00", "Mw:1vA:x"])
def test_a_key_that_nobody_was_sent_confirms_nothing(address, key):
    seen = PlainBrowser().get(f"/verify-email?key={key}")
    assert (seen.status, EXPIRED in seen.text) == (200, True)
    address.refresh_from_db()
    assert not address.verified


def test_whose_link_expired_gets_another(address):
    plain_browser = PlainBrowser()
    page = plain_browser.get("/verify-email?key=nonsense")
    seen = plain_browser.client.post(
        "/verify-email/send",
        {"csrfmiddlewaretoken": page.fields["csrfmiddlewaretoken"]["value"], "email": EMAIL.upper()},
    )
    assert (seen.status_code, seen["Location"]) == (302, "/verify-email/sent")
    (message,) = mails()
    assert (message.to, message.subject) == ([EMAIL], "Please confirm your e-mail address")
    assert plain_browser.post(link_in(message), password=PASSWORD).to == "/"


def send(plain_browser, email):
    """Request another link on the page /verify-email/sent."""
    token = plain_browser.get("/verify-email/sent").fields["csrfmiddlewaretoken"]["value"]
    return plain_browser.client.post("/verify-email/send", {"csrfmiddlewaretoken": token, "email": email})


def test_the_answer_is_the_same_for_every_address_and_only_one_that_waits_gets_a_mail(address):
    account_create(email="confirmed@example.org", password=PASSWORD, username="confirmed")
    answers = [send(PlainBrowser(), each) for each in (EMAIL, "confirmed@example.org", "nobody@example.org")]
    assert {(each.status_code, each["Location"], each.content) for each in answers} == {
        (302, "/verify-email/sent", b"")
    }
    assert [message.to for message in mails()] == [[EMAIL]]


@pytest.mark.parametrize("email", [EMAIL, "nobody@example.org"])
def test_whoever_asks_again_is_told_that_it_was_heard(address, email):
    plain_browser = PlainBrowser()
    words = "If this address waits to be confirmed, a new link is on its way to it."
    assert words not in plain_browser.get("/verify-email/sent").text
    send(plain_browser, email)
    assert words in plain_browser.get("/verify-email/sent").text
    assert words not in plain_browser.get("/verify-email/sent").text


def test_one_link_in_three_minutes_and_five_a_day(address):
    sent = 0
    for _ in range(8):
        send(PlainBrowser(), EMAIL)
        send(PlainBrowser(), EMAIL)
        sent += len(mails())
        Counter.objects.filter(key__contains=":1/180").delete()
    assert sent == 5


def test_twenty_wishes_an_hour_from_one_client():
    plain_browser = PlainBrowser()
    for number in range(20):
        assert send(plain_browser, f"fan{number}@example.org").status_code == 302
    refused = send(plain_browser, "one-more@example.org")
    assert refused.status_code == 200
    assert "Too many attempts. Please try again later." in refused.content.decode()


def test_an_address_is_needed():
    seen = send(PlainBrowser(), "fan@")
    assert "Please enter a valid e-mail address" in seen.content.decode()


@pytest.mark.parametrize("path", ["/verify-email", "/verify-email/send"])
def test_without_a_key_there_is_only_what_was_sent(path):
    assert (PlainBrowser().get(path).status, PlainBrowser().get(path).to) == (302, "/verify-email/sent")
