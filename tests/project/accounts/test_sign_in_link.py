"""A mailed sign-in link for users who are locked out: requested on the sign-in page, valid once, safe as a sign-in."""

import datetime as dt

import pytest
from allauth.account.models import EmailAddress
from django.conf import settings

from apps.accounts.attempts import sign_in_attempt
from apps.accounts.limits import SIGN_IN_STRANGE
from apps.accounts.models import OneTimeLink, User
from apps.accounts.services.accounts import account_create
from tests.factories import PASSWORD
from tests.offenders import check_each
from tests.project.accounts.second_factors.setting_up import by_code, set_up
from tests.project.plain_browser import PlainBrowser, link_in, mails
from tests.rate_limits import attempts_clear

pytestmark = pytest.mark.django_db(transaction=True)
EMAIL = "fan@example.org"
WRONG = "Invalid login credentials. Please try again."
TOO_MANY = "Too many attempts. Please try again later."
OFFER = "You need no password to log in: we can send a link to your address."
SENT = "If this address has an account, the link is on its way to it."
UNUSABLE = "This link has been used, or it is older than an hour."


@pytest.fixture
def fan(transactional_db):
    return account_create(email=EMAIL, password=PASSWORD, username="fan")


def lock_out(email=EMAIL):
    """Guess from so many addresses that new browsers are locked out."""
    for number in range(SIGN_IN_STRANGE.amount):
        sign_in_attempt(email=email, client=f"203.0.113.{number}", browser="")


def link_request(email=EMAIL, **headers):
    """Request a link and return it."""
    assert PlainBrowser(**headers).post("/login/link", email=email).to == "/login/link/sent"
    (message,) = mails()
    assert message.to == [EMAIL]
    assert message.subject == "Your link to log in"
    return link_in(message)


def test_locked_out_user_signs_in_by_mail(fan):
    own = PlainBrowser()
    own.sign_in(EMAIL, PASSWORD)
    own.client.post("/sign-out", headers={"Origin": settings.PUBLIC_URL})
    lock_out()
    browser = PlainBrowser()
    assert OFFER not in browser.get("/login").text
    response = browser.sign_in(EMAIL, PASSWORD)
    assert TOO_MANY in response.text
    assert OFFER in response.text
    assert 'action="/login/link"' in response.html
    form = {name: response.fields[name]["value"] for name in ("csrfmiddlewaretoken", "email")}
    assert form["email"] == EMAIL
    answer = browser.client.post("/login/link", form)
    assert answer["Location"] == "/login/link/sent"
    assert SENT in browser.get("/login/link/sent").text
    path = link_in(mails()[0])
    page = browser.get(path)
    assert (page.status, browser.user_id) == (200, "")  # mail programs open links too
    assert "fan" in page.text
    assert browser.post(path).to == "/"
    assert browser.user_id == str(fan.pk)
    browser.client.post("/sign-out", headers={"Origin": settings.PUBLIC_URL})
    assert browser.sign_in(EMAIL, PASSWORD).to == "/"  # this browser is known now
    assert own.sign_in(EMAIL, PASSWORD).to == "/"  # this browser was known all the time


def test_locked_out_user_can_use_google_and_passkeys(fan):
    lock_out()
    response = PlainBrowser().sign_in(EMAIL, PASSWORD)
    assert "The other ways in on this page work, too." in response.text
    assert "Log in with a passkey" in response.text


def test_unknown_address_gets_the_same_offer_and_response(fan):
    pages = []
    for email in (EMAIL, "unknown@example.org"):
        lock_out(email)
        browser = PlainBrowser(REMOTE_ADDR="192.0.2.1")
        browser.sign_in(email, PASSWORD)
        assert OFFER in browser.sign_in(email, PASSWORD).text
        answer = browser.post("/login/link", email=email)
        pages.append((answer.status, answer.to, browser.get(answer.to).html, set(browser.client.cookies)))
        mails()
    assert pages[0] == pages[1]
    PlainBrowser().post("/login/link", email="unknown@example.org")
    assert mails() == []


def test_using_a_link_ends_all_links(fan):
    path, other = link_request(), link_request()
    assert PlainBrowser().post(path).to == "/"
    assert UNUSABLE in PlainBrowser().get(path).text
    assert UNUSABLE in PlainBrowser().get(other).text
    assert not OneTimeLink.objects.exists()


def test_link_expires_after_an_hour_of_the_databases_clock(fan):
    path = link_request()
    row = OneTimeLink.objects.get()
    OneTimeLink.objects.update(expires_at=row.expires_at - dt.timedelta(minutes=59))
    assert "Log in" in PlainBrowser().get(path).text
    OneTimeLink.objects.update(expires_at=row.expires_at - dt.timedelta(minutes=61))
    response = PlainBrowser().get(path)
    assert UNUSABLE in response.text
    browser = PlainBrowser()
    token = {"csrfmiddlewaretoken": browser.get("/login").fields["csrfmiddlewaretoken"]["value"]}
    assert UNUSABLE in browser.client.post(path, token).content.decode()
    assert browser.user_id == ""


def test_link_requires_the_second_factor(fan):
    browser = PlainBrowser()
    browser.sign_in(EMAIL, PASSWORD)
    secret = set_up(browser)
    mails()
    other = PlainBrowser()
    path = link_request()
    assert other.post(path).to == "/two-factor"
    assert other.user_id == ""
    assert by_code(other, secret).to == "/"
    assert other.user_id == str(fan.pk)


def test_link_replaces_another_account_in_the_browser(fan):
    account_create(email="other@example.org", password=PASSWORD, username="other_one")
    browser = PlainBrowser()
    browser.sign_in("other@example.org", PASSWORD)
    browser.post(link_request())
    assert browser.user_id == str(fan.pk)


def test_closed_or_unconfirmed_account_gets_no_link(fan):
    """Otherwise a registration with another person's address would become a confirmed account with a known password."""
    path = link_request()
    User.objects.update(is_active=False)
    assert PlainBrowser().post("/login/link", email=EMAIL).to == "/login/link/sent"
    assert mails() == []
    assert UNUSABLE in PlainBrowser().get(path).text
    User.objects.update(is_active=True)
    EmailAddress.objects.update(verified=False)
    attempts_clear()
    assert PlainBrowser().post("/login/link", email=EMAIL).to == "/login/link/sent"
    assert mails() == []


def test_new_password_ends_links(fan):
    path = link_request()
    browser = PlainBrowser()
    browser.post("/forgot-password", email=EMAIL)
    browser.get(link_in(mails()[0]))
    browser.post("/reset-password", password1="another-seat-31", password2="another-seat-31")
    assert UNUSABLE in PlainBrowser().get(path).text


@pytest.mark.parametrize("email", [EMAIL, "unknown@example.org"])
def test_links_are_limited_per_address(fan, email):
    for _ in range(2):
        assert PlainBrowser().post("/login/link", email=email).status == 302
    response = PlainBrowser().post("/login/link", email=email.upper())
    assert TOO_MANY in response.text
    assert "You can try again in 60 min." in response.text
    assert response.fields["email"]["value"] == email.upper()
    assert len(mails()) == (2 if email == EMAIL else 0)


def test_invalid_requests_are_refused(fan):
    keys = ("", "nonsense", "%00", "x" * 500)
    check_each(keys, lambda key: UNUSABLE in PlainBrowser().get(f"/login/link/use?key={key}").text)
    assert PlainBrowser().client.get(link_request(), headers={"Sec-Fetch-Dest": "image"}).status_code == 403
    response = PlainBrowser().post("/login/link", email="fan@")
    assert "Please enter a valid e-mail address" in response.text
    assert response.wrong == ["email"]
