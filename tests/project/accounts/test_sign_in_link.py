"""A mailed sign-in link for users who are locked out: requested on the sign-in page, valid once, safe as a sign-in."""

import datetime as dt

import pytest
from allauth.account.models import EmailAddress
from django.conf import settings

from apps.accounts.attempts import sign_in_attempt
from apps.accounts.limits import SIGN_IN_STRANGE
from apps.accounts.models import OneTimeLink
from apps.accounts.services.accounts import account_create
from tests.factories import PASSWORD
from tests.project.accounts.second_factors.setting_up import by_code, set_up
from tests.project.plain_browser import PlainBrowser, link_in, mails

pytestmark = pytest.mark.django_db(transaction=True)
EMAIL = "fan@example.org"
WRONG = "Invalid login credentials. Please try again."
MANY = "Too many attempts. Please try again later."
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


def asked(email=EMAIL, **headers):
    """Request a link and return it."""
    assert PlainBrowser(**headers).post("/login/link", email=email).to == "/login/link/sent"
    (message,) = mails()
    assert message.to == [EMAIL]
    assert message.subject == "Your link to log in"
    return link_in(message)


def test_whoever_is_locked_out_by_guesses_elsewhere_gets_in_by_mail(fan):
    own = PlainBrowser()
    own.sign_in(EMAIL, PASSWORD)
    own.client.post("/sign-out", headers={"Origin": settings.PUBLIC_URL})
    lock_out()
    plain_browser = PlainBrowser()
    assert OFFER not in plain_browser.get("/login").text
    seen = plain_browser.sign_in(EMAIL, PASSWORD)
    assert MANY in seen.text
    assert OFFER in seen.text
    assert 'action="/login/link"' in seen.html
    typed = {name: seen.fields[name]["value"] for name in ("csrfmiddlewaretoken", "email")}
    assert typed["email"] == EMAIL
    answer = plain_browser.client.post("/login/link", typed)
    assert answer["Location"] == "/login/link/sent"
    assert SENT in plain_browser.get("/login/link/sent").text
    path = link_in(mails()[0])
    page = plain_browser.get(path)
    assert (page.status, plain_browser.user_id) == (200, "")  # mail programs open links too
    assert "fan" in page.text
    assert plain_browser.post(path).to == "/"
    assert plain_browser.user_id == str(fan.pk)
    plain_browser.client.post("/sign-out", headers={"Origin": settings.PUBLIC_URL})
    assert plain_browser.sign_in(EMAIL, PASSWORD).to == "/"  # this browser is known now
    assert own.sign_in(EMAIL, PASSWORD).to == "/"  # this browser was known all the time


def test_google_and_passkeys_are_offered_besides(fan):
    lock_out()
    seen = PlainBrowser().sign_in(EMAIL, PASSWORD)
    assert "The other ways in on this page work, too." in seen.text
    assert "Log in with a passkey" in seen.text


def test_an_unknown_address_gets_the_same_offer_and_the_same_answer(fan):
    pages = []
    for email in (EMAIL, "nobody@example.org"):
        lock_out(email)
        plain_browser = PlainBrowser(REMOTE_ADDR="192.0.2.1")
        plain_browser.sign_in(email, PASSWORD)
        assert OFFER in plain_browser.sign_in(email, PASSWORD).text
        answer = plain_browser.post("/login/link", email=email)
        pages.append((answer.status, answer.to, plain_browser.get(answer.to).html, set(plain_browser.client.cookies)))
        mails()
    assert pages[0] == pages[1]
    PlainBrowser().post("/login/link", email="nobody@example.org")
    assert mails() == []


def test_a_link_works_once_and_so_do_all_together(fan):
    path, other = asked(), asked()
    assert PlainBrowser().post(path).to == "/"
    assert UNUSABLE in PlainBrowser().get(path).text
    assert UNUSABLE in PlainBrowser().get(other).text
    assert not OneTimeLink.objects.exists()


def test_a_link_is_too_old_by_the_databases_clock(fan):
    path = asked()
    row = OneTimeLink.objects.get()
    OneTimeLink.objects.update(expires_at=row.expires_at - dt.timedelta(minutes=59))
    assert "Log in" in PlainBrowser().get(path).text
    OneTimeLink.objects.update(expires_at=row.expires_at - dt.timedelta(minutes=61))
    seen = PlainBrowser().get(path)
    assert UNUSABLE in seen.text
    plain_browser = PlainBrowser()
    token = {"csrfmiddlewaretoken": plain_browser.get("/login").fields["csrfmiddlewaretoken"]["value"]}
    assert UNUSABLE in plain_browser.client.post(path, token).content.decode()
    assert plain_browser.user_id == ""


@pytest.mark.parametrize("key", ["", "nonsense", "%00", "x" * 500])
def test_a_made_up_key_opens_nothing(fan, key):
    assert UNUSABLE in PlainBrowser().get(f"/login/link/use?key={key}").text


def test_a_new_password_ends_links(fan):
    path = asked()
    plain_browser = PlainBrowser()
    plain_browser.post("/forgot-password", email=EMAIL)
    plain_browser.get(link_in(mails()[0]))
    plain_browser.post("/reset-password", password1="another-seat-31", password2="another-seat-31")
    assert UNUSABLE in PlainBrowser().get(path).text


def test_a_second_factor_is_still_asked(fan):
    plain_browser = PlainBrowser()
    plain_browser.sign_in(EMAIL, PASSWORD)
    secret = set_up(plain_browser)
    mails()
    other = PlainBrowser()
    path = asked()
    assert other.post(path).to == "/two-factor"
    assert other.user_id == ""
    assert by_code(other, secret).to == "/"
    assert other.user_id == str(fan.pk)


def test_whoever_was_somebody_else_is_so_no_longer(fan):
    account_create(email="other@example.org", password=PASSWORD, username="other_one")
    plain_browser = PlainBrowser()
    plain_browser.sign_in("other@example.org", PASSWORD)
    plain_browser.post(asked())
    assert plain_browser.user_id == str(fan.pk)


def test_an_address_that_nobody_confirmed_gets_no_link(fan):
    """Otherwise a registration with another person's address would become a confirmed account with a known password."""
    EmailAddress.objects.update(verified=False)
    assert PlainBrowser().post("/login/link", email=EMAIL).to == "/login/link/sent"
    assert mails() == []


def test_closed_accounts_get_no_link(fan):
    path = asked()
    fan.is_active = False
    fan.save()
    PlainBrowser().post("/login/link", email=EMAIL)
    assert mails() == []
    assert UNUSABLE in PlainBrowser().get(path).text


@pytest.mark.parametrize("email", [EMAIL, "nobody@example.org"])
def test_links_are_limited_as_resets_are(fan, email):
    for _ in range(2):
        assert PlainBrowser().post("/login/link", email=email).status == 302
    seen = PlainBrowser().post("/login/link", email=email.upper())
    assert MANY in seen.text
    assert "You can try again in 60 min." in seen.text
    assert seen.fields["email"]["value"] == email.upper()
    assert len(mails()) == (2 if email == EMAIL else 0)


def test_a_picture_cannot_open_a_link(fan):
    path = asked()
    answer = PlainBrowser().client.get(path, headers={"Sec-Fetch-Dest": "image"})
    assert answer.status_code == 403


def test_an_address_is_needed(fan):
    seen = PlainBrowser().post("/login/link", email="fan@")
    assert "Please enter a valid e-mail address" in seen.text
    assert seen.wrong == ["email"]
