"""Confirming an address: the link is valid for a day, works once, and can be requested again."""

from dataclasses import replace

import pytest
from allauth.account.models import EmailAddress

from apps.accounts import attempts
from apps.accounts.mail import EMAIL_CONFIRMATION, link_create
from apps.accounts.services.accounts import account_create
from apps.core.models import Counter
from tests.factories import PASSWORD
from tests.offenders import check_each
from tests.project.plain_browser import PlainBrowser, link_in, mails

pytestmark = pytest.mark.django_db(transaction=True)
EMAIL = "fan@example.org"
REGISTERED = "It was registered as fan in another browser."
SENT = (302, "/verify-email/sent", b"")
EXPIRED = "This link has been used, or it is older than a day."


@pytest.fixture
def address(transactional_db):
    account_create(email=EMAIL, password=PASSWORD, username="fan", is_verified=False)
    return EmailAddress.objects.get()


def path_of(address):
    return f"/verify-email?key={link_create(purpose=EMAIL_CONFIRMATION, account_id=address.user_id)}"


def test_link_confirms_once_and_only_when_posted(address):
    browser, path = PlainBrowser(), path_of(address)
    assert REGISTERED in browser.get(path).text
    address.refresh_from_db()
    assert not address.verified
    assert browser.post(path, password=PASSWORD).to == "/"
    address.refresh_from_db()
    assert address.verified
    assert browser.user_id == str(address.user_id)
    used = browser.get(path)
    assert (used.status, EXPIRED in used.text) == (200, True)


def test_invalid_keys_and_addresses_are_reported(address):
    def check(key):
        response = PlainBrowser().get(f"/verify-email?key={key}")
        assert (response.status, EXPIRED in response.text) == (200, True)

    check_each(("nonsense", "1:2:3", "%00", "Mw:1vA:x"), check)
    address.refresh_from_db()
    assert not address.verified
    assert "Please enter a valid e-mail address" in send(PlainBrowser(), "fan@").content.decode()
    for path in ("/verify-email", "/verify-email/send"):
        response = PlainBrowser().get(path)
        assert (response.status, response.to) == (302, "/verify-email/sent"), "no key"


def test_link_opens_only_as_a_document(address):
    path = path_of(address)
    assert PlainBrowser(headers={"sec-fetch-dest": "image"}).get(path).status == 403
    assert REGISTERED in PlainBrowser(headers={"sec-fetch-dest": "document"}).get(path).text


def test_expired_link_can_be_replaced(address):
    browser = PlainBrowser()
    page = browser.get("/verify-email?key=nonsense")
    form = {"csrfmiddlewaretoken": page.fields["csrfmiddlewaretoken"]["value"], "email": EMAIL.upper()}
    response = browser.client.post("/verify-email/send", form)
    assert (response.status_code, response["Location"]) == (302, "/verify-email/sent")
    (message,) = mails()
    assert (message.to, message.subject) == ([EMAIL], "Please confirm your e-mail address")
    assert browser.post(link_in(message), password=PASSWORD).to == "/"


def send(browser, email):
    """Request another link on the page /verify-email/sent."""
    token = browser.get("/verify-email/sent").fields["csrfmiddlewaretoken"]["value"]
    return browser.client.post("/verify-email/send", {"csrfmiddlewaretoken": token, "email": email})


def test_only_an_unconfirmed_address_gets_a_mail(address):
    account_create(email="confirmed@example.org", password=PASSWORD, username="confirmed")
    answers = [send(PlainBrowser(), email) for email in (EMAIL, "confirmed@example.org", "unknown@example.org")]
    assert {(answer.status_code, answer["Location"], answer.content) for answer in answers} == {SENT}
    assert [message.to for message in mails()] == [[EMAIL]]


def test_request_is_confirmed_once_for_every_address(address):
    text = "If this address waits to be confirmed, a new link is on its way to it."
    for email in (EMAIL, "unknown@example.org"):
        browser = PlainBrowser()
        pages = [browser.get("/verify-email/sent").text]
        send(browser, email)
        pages += [browser.get("/verify-email/sent").text for _ in range(2)]
        assert [text in page for page in pages] == [False, True, False]


def test_links_per_address_are_limited(address):
    sent = 0
    for _ in range(8):
        send(PlainBrowser(), EMAIL)
        send(PlainBrowser(), EMAIL)
        sent += len(mails())
        Counter.objects.filter(key__contains=":1/180").delete()
    assert sent == 5


def test_requests_per_client_are_limited(monkeypatch):
    monkeypatch.setattr(attempts, "VERIFY_CLIENT", replace(attempts.VERIFY_CLIENT, amount=3))
    browser = PlainBrowser()
    for number in range(3):
        assert send(browser, f"fan{number}@example.org").status_code == 302
    refused = send(browser, "one-more@example.org")
    assert refused.status_code == 200
    assert "Too many attempts. Please try again later." in refused.content.decode()
