"""Whoever is locked out by others' guesses gets in by mail: asked for at the door, used once, as safe as a sign-in."""

import datetime as dt

import pytest
from allauth.account.models import EmailAddress
from django.conf import settings

from apps.accounts.limits import SIGN_IN_STRANGE
from apps.accounts.models import OneTimeLink
from apps.accounts.services import account_create
from apps.accounts.sign_in.rate_limits import sign_in_attempt
from tests.factories import PASSWORD
from tests.project.accounts.second_factors.setting_up import by_code, set_up
from tests.project.doors import ConnectionLimits, link_in, mails

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
    """Guess from so many places that no new browser gets in."""
    for number in range(SIGN_IN_STRANGE.amount):
        sign_in_attempt(email=email, client=f"203.0.113.{number}", browser="")


def asked(email=EMAIL, **headers):
    """Ask for a link, and return it."""
    assert ConnectionLimits(**headers).post("/login/link", email=email).to == "/login/link/sent"
    (message,) = mails()
    assert message.to == [EMAIL]
    assert message.subject == "Your link to log in"
    return link_in(message)


def test_whoever_is_locked_out_by_guesses_elsewhere_gets_in_by_mail(fan):
    own = ConnectionLimits()
    own.sign_in(EMAIL, PASSWORD)
    own.client.post("/sign-out", headers={"Origin": settings.PUBLIC_URL})
    lock_out()
    connection_limits = ConnectionLimits()
    assert OFFER not in connection_limits.get("/login").text
    seen = connection_limits.sign_in(EMAIL, PASSWORD)
    assert MANY in seen.text
    assert OFFER in seen.text
    assert 'action="/login/link"' in seen.html
    typed = {name: seen.fields[name]["value"] for name in ("csrfmiddlewaretoken", "email")}
    assert typed["email"] == EMAIL
    answer = connection_limits.client.post("/login/link", typed)
    assert answer["Location"] == "/login/link/sent"
    assert SENT in connection_limits.get("/login/link/sent").text
    path = link_in(mails()[0])
    page = connection_limits.get(path)
    assert (page.status, connection_limits.user_id) == (200, "")  # programs open links, too
    assert "fan" in page.text
    assert connection_limits.post(path).to == "/"
    assert connection_limits.user_id == str(fan.pk)
    connection_limits.client.post("/sign-out", headers={"Origin": settings.PUBLIC_URL})
    assert connection_limits.sign_in(EMAIL, PASSWORD).to == "/"  # which is a browser of the owner's now
    assert own.sign_in(EMAIL, PASSWORD).to == "/"  # as this one was all the time


def test_google_and_passkeys_are_offered_besides(fan):
    lock_out()
    seen = ConnectionLimits().sign_in(EMAIL, PASSWORD)
    assert "The other ways in on this page work, too." in seen.text
    assert "Log in with a passkey" in seen.text


def test_an_unknown_address_gets_the_same_offer_and_the_same_answer(fan):
    pages = []
    for email in (EMAIL, "nobody@example.org"):
        lock_out(email)
        connection_limits = ConnectionLimits(REMOTE_ADDR="192.0.2.1")
        connection_limits.sign_in(email, PASSWORD)
        assert OFFER in connection_limits.sign_in(email, PASSWORD).text
        answer = connection_limits.post("/login/link", email=email)
        pages.append(
            (answer.status, answer.to, connection_limits.get(answer.to).html, set(connection_limits.client.cookies))
        )
        mails()
    assert pages[0] == pages[1]
    ConnectionLimits().post("/login/link", email="nobody@example.org")
    assert mails() == []


def test_a_link_works_once_and_so_do_all_together(fan):
    path, other = asked(), asked()
    assert ConnectionLimits().post(path).to == "/"
    assert UNUSABLE in ConnectionLimits().get(path).text
    assert UNUSABLE in ConnectionLimits().get(other).text
    assert not OneTimeLink.objects.exists()


def test_a_link_is_too_old_by_the_databases_clock(fan):
    path = asked()
    row = OneTimeLink.objects.get()
    OneTimeLink.objects.update(expires_at=row.expires_at - dt.timedelta(minutes=59))
    assert "Log in" in ConnectionLimits().get(path).text
    OneTimeLink.objects.update(expires_at=row.expires_at - dt.timedelta(minutes=61))
    seen = ConnectionLimits().get(path)
    assert UNUSABLE in seen.text
    connection_limits = ConnectionLimits()
    token = {"csrfmiddlewaretoken": connection_limits.get("/login").fields["csrfmiddlewaretoken"]["value"]}
    assert UNUSABLE in connection_limits.client.post(path, token).content.decode()
    assert connection_limits.user_id == ""


@pytest.mark.parametrize("key", ["", "nonsense", "%00", "x" * 500])
def test_a_made_up_key_opens_nothing(fan, key):
    assert UNUSABLE in ConnectionLimits().get(f"/login/link/use?key={key}").text


def test_a_new_password_ends_links(fan):
    path = asked()
    connection_limits = ConnectionLimits()
    connection_limits.post("/forgot-password", email=EMAIL)
    connection_limits.get(link_in(mails()[0]))
    connection_limits.post("/reset-password", password1="another-seat-31", password2="another-seat-31")
    assert UNUSABLE in ConnectionLimits().get(path).text


def test_a_second_factor_is_still_asked(fan):
    connection_limits = ConnectionLimits()
    connection_limits.sign_in(EMAIL, PASSWORD)
    secret = set_up(connection_limits)
    mails()
    other = ConnectionLimits()
    path = asked()
    assert other.post(path).to == "/two-factor"
    assert other.user_id == ""
    assert by_code(other, secret).to == "/"
    assert other.user_id == str(fan.pk)


def test_whoever_was_somebody_else_is_so_no_longer(fan):
    account_create(email="other@example.org", password=PASSWORD, username="other_one")
    connection_limits = ConnectionLimits()
    connection_limits.sign_in("other@example.org", PASSWORD)
    connection_limits.post(asked())
    assert connection_limits.user_id == str(fan.pk)


def test_an_address_that_nobody_confirmed_gets_no_link(fan):
    """Whoever typed somebody's address first would else have an account with a password, confirmed by its owner."""
    EmailAddress.objects.update(verified=False)
    assert ConnectionLimits().post("/login/link", email=EMAIL).to == "/login/link/sent"
    assert mails() == []


def test_closed_accounts_get_no_link(fan):
    path = asked()
    fan.is_active = False
    fan.save()
    ConnectionLimits().post("/login/link", email=EMAIL)
    assert mails() == []
    assert UNUSABLE in ConnectionLimits().get(path).text


@pytest.mark.parametrize("email", [EMAIL, "nobody@example.org"])
def test_links_are_limited_as_resets_are(fan, email):
    for _ in range(2):
        assert ConnectionLimits().post("/login/link", email=email).status == 302
    seen = ConnectionLimits().post("/login/link", email=email.upper())
    assert MANY in seen.text
    assert "You can try again in 60 min." in seen.text
    assert seen.fields["email"]["value"] == email.upper()
    assert len(mails()) == (2 if email == EMAIL else 0)


def test_a_picture_cannot_open_a_link(fan):
    path = asked()
    answer = ConnectionLimits().client.get(path, headers={"Sec-Fetch-Dest": "image"})
    assert answer.status_code == 403


def test_an_address_is_needed(fan):
    seen = ConnectionLimits().post("/login/link", email="fan@")
    assert "Please enter a valid e-mail address" in seen.text
    assert seen.wrong == ["email"]
