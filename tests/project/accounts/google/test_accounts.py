"""Signing in with Google: which sign-ins create an account and which ones enter an existing account."""

import re
import urllib.parse

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.totp.internal.auth import TOTP
from allauth.socialaccount.models import SocialAccount

from apps.accounts.models import AuthSession, User
from apps.accounts.services.accounts import account_create
from apps.accounts.session_store import SessionStore
from tests.factories import PASSWORD
from tests.project.accounts.google.steps import (
    ERROR,
    PICTURE,
    google_finish,
    google_sign_in,
    google_start,
    provider_answer,
)
from tests.project.plain_browser import PlainBrowser, link_in, mails

pytestmark = pytest.mark.django_db(transaction=True)


def test_unconfigured_google_shows_no_button():
    for path in ("/login", "/register"):
        assert "Google" not in PlainBrowser().get(path).text
    browser = PlainBrowser()
    assert browser.post("/login").status == 200
    token = browser.get("/login").fields["csrfmiddlewaretoken"]["value"]
    assert browser.client.post("/login/google", {"csrfmiddlewaretoken": token})["Location"] == "/login"
    assert "Failed to sign in with Google. Please try again." in browser.get("/login").text
    assert browser.client.post("/register/google", {"csrfmiddlewaretoken": token})["Location"] == "/register"
    assert "Failed to sign in with Google" in browser.get("/register").text
    assert "form-action 'self';" in browser.get("/login").headers["Content-Security-Policy"]


def test_button_redirects_to_google_with_state_and_pkce(google, address):
    browser = PlainBrowser()
    policy = browser.get("/login").headers["Content-Security-Policy"]
    assert f"form-action 'self' {address};" in policy
    address_of_google = urllib.parse.urlsplit(google_start(browser, process="connect", scope="everything").to)
    query = dict(urllib.parse.parse_qsl(address_of_google.query))
    assert address_of_google.geturl().startswith(f"{address}/oauth2/authorize?")
    assert query["redirect_uri"] == "http://localhost:8000/auth/callback"
    assert (query["response_type"], query["code_challenge_method"]) == ("code", "S256")
    assert set(query["scope"].split()) == {"openid", "profile", "email"}
    assert len(query["state"]) >= 16
    assert len(query["code_challenge"]) == 43


def test_button_requires_the_csrf_token(google):
    assert PlainBrowser().client.post("/login/google").status_code == 403
    assert PlainBrowser().get("/login/google?next=/news").to == "/login?next=%2Fnews"


def test_first_google_sign_in_creates_an_account(google):
    browser = PlainBrowser()
    response = google_sign_in(browser, path="/login?next=/sessions/1")
    assert (response.status, response.to) == (302, "/sessions/1")
    user = User.objects.get()
    assert browser.user_id == str(user.pk)
    assert (user.email, user.avatar_url) == ("ewa@example.org", PICTURE)
    assert re.fullmatch(r"chopin\d{4}", user.username)
    assert not user.has_usable_password()
    assert EmailAddress.objects.values_list("email", "verified", "primary").get() == ("ewa@example.org", True, True)
    assert SocialAccount.objects.values_list("user", "provider", "uid", "extra_data").get() == (
        user.pk, "google", "1001", {},
    )  # fmt: skip
    assert mails() == []


def test_next_google_sign_in_finds_the_account_by_its_google_id(google):
    google_sign_in(PlainBrowser())
    User.objects.update(email="another@example.org", avatar_url="", username="ewa")
    browser = PlainBrowser()
    assert google_sign_in(browser, path="/register").to == "/"
    user = User.objects.get()
    assert (browser.user_id, user.username, user.avatar_url) == (str(user.pk), "ewa", "")
    assert SocialAccount.objects.count() == 1


def test_google_sign_in_does_not_open_an_account_with_the_same_address(google):
    account_create(email="ewa@example.org", password=PASSWORD, username="ewa")
    browser = PlainBrowser()
    response = google_sign_in(browser, path="/login?next=/news")
    assert (response.to, browser.user_id) == ("/login?next=%2Fnews", "")
    assert (
        "There is an account with this address already. Please log in with its password."
        in browser.get(response.to).text
    )
    assert not SocialAccount.objects.exists()
    assert browser.sign_in("ewa@example.org", PASSWORD).to == "/"


def test_unverified_google_address_must_be_confirmed(google):
    browser = PlainBrowser()
    query = "next=%2Fparticipants%2F3%23rating-7"
    assert google_sign_in(browser, sub="1002", path=f"/login?{query}").to == f"/verify-email/sent?{query}"
    assert "Your password is right" not in browser.get("/verify-email/sent").text
    assert (browser.user_id, EmailAddress.objects.get().verified, User.objects.get().avatar_url) == ("", False, "")
    [mail] = mails()
    assert mail.to == ["unsure@example.org"]
    assert browser.post(link_in(mail)).to == "/participants/3#rating-7"
    assert browser.user_id == str(User.objects.get().pk)


def test_unverified_google_address_reveals_no_account(google):
    account_create(email="unsure@example.org", password=PASSWORD, username="unsure")
    browser = PlainBrowser()
    assert google_sign_in(browser, sub="1002").to == "/verify-email/sent"
    [mail] = mails()
    assert mail.to == ["unsure@example.org"]
    assert "?key=" not in mail.body
    assert not SocialAccount.objects.exists()
    assert User.objects.count() == 1


def test_google_account_without_an_address_creates_no_account(google):
    response = google_sign_in(PlainBrowser(), sub="1003")
    assert ERROR in response.text
    assert not User.objects.exists()


def test_callback_without_parameters_redirects(google):
    browser = PlainBrowser()
    response = browser.get("/auth/callback")
    assert "Finalizing login..." in response.text
    assert response.headers["Refresh"] == "0; url=/login"
    assert "Return to login" in response.text
    google_sign_in(browser)
    assert browser.get("/auth/callback").headers["Refresh"] == "0; url=/"


def test_google_sign_in_redirects_to_no_other_site(google):
    assert google_sign_in(PlainBrowser(), path="/login?next=https://evil.example/").to == "/"
    browser = PlainBrowser()
    assert (
        google_finish(browser, provider_answer(google_start(browser, next="//evil.example/").to, sub="1001")).to == "/"
    )


def test_google_sign_in_does_not_open_a_closed_account(google):
    google_sign_in(PlainBrowser())
    User.objects.update(is_active=False)
    browser = PlainBrowser()
    assert google_sign_in(browser).to == "/account-closed"
    assert browser.user_id == ""


def test_google_sign_in_requires_the_second_factor(google):
    google_sign_in(PlainBrowser())
    TOTP.activate(User.objects.get(), "A" * 32)
    browser = PlainBrowser()
    assert google_sign_in(browser).to == "/two-factor"
    assert browser.user_id == ""


def test_account_without_a_password_reauthenticates_with_google(google):
    browser = PlainBrowser()
    google_sign_in(browser)
    [session] = AuthSession.objects.filter(user__isnull=False)
    store = SessionStore(session.key)
    store["account_authentication_methods"] = []
    store.save()
    response = browser.get("/profile/two-factor/app")
    assert response.to == "/reauthenticate?next=/profile/two-factor/app"
    assert "password" not in browser.get(response.to).fields
    assert google_sign_in(browser, path=response.to).to == "/profile/two-factor/app"
    again = AuthSession.objects.get(user__isnull=False)
    assert again.key != session.key, "allauth begins another session"
    assert browser.get("/profile/two-factor/app").status == 200
