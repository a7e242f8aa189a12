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
from tests.project.accounts.google.steps import ERROR, PICTURE, answered, begun, finished, signed_in
from tests.project.plain_browser import PlainBrowser, link_in, mails

pytestmark = pytest.mark.django_db(transaction=True)


def test_without_an_account_at_google_there_is_no_button():
    for path in ("/login", "/register"):
        assert "Google" not in PlainBrowser().get(path).text
    plain_browser = PlainBrowser()
    assert plain_browser.post("/login").status == 200
    token = plain_browser.get("/login").fields["csrfmiddlewaretoken"]["value"]
    assert plain_browser.client.post("/login/google", {"csrfmiddlewaretoken": token})["Location"] == "/login"
    assert "Failed to sign in with Google. Please try again." in plain_browser.get("/login").text
    assert plain_browser.client.post("/register/google", {"csrfmiddlewaretoken": token})["Location"] == "/register"
    assert "Failed to sign in with Google" in plain_browser.get("/register").text
    assert "form-action 'self';" in plain_browser.get("/login").headers["Content-Security-Policy"]


def test_button_leads_to_google_with_state_and_pkce(google, address):
    plain_browser = PlainBrowser()
    policy = plain_browser.get("/login").headers["Content-Security-Policy"]
    assert f"form-action 'self' {address};" in policy
    asked = urllib.parse.urlsplit(begun(plain_browser, process="connect", scope="everything").to)
    query = dict(urllib.parse.parse_qsl(asked.query))
    assert asked.geturl().startswith(f"{address}/oauth2/authorize?")
    assert query["redirect_uri"] == "http://localhost:8000/auth/callback"
    assert (query["response_type"], query["code_challenge_method"]) == ("code", "S256")
    assert set(query["scope"].split()) == {"openid", "profile", "email"}
    assert len(query["state"]) >= 16
    assert len(query["code_challenge"]) == 43


def test_the_button_needs_the_pages_token(google):
    assert PlainBrowser().client.post("/login/google").status_code == 403
    assert PlainBrowser().get("/login/google?next=/news").to == "/login?next=%2Fnews"


def test_the_first_time_makes_an_account(google):
    plain_browser = PlainBrowser()
    seen = signed_in(plain_browser, path="/login?next=/sessions/1")
    assert (seen.status, seen.to) == (302, "/sessions/1")
    user = User.objects.get()
    assert plain_browser.user_id == str(user.pk)
    assert (user.email, user.avatar_url) == ("ewa@example.org", PICTURE)
    assert re.fullmatch(r"chopin\d{4}", user.username)
    assert not user.has_usable_password()
    assert EmailAddress.objects.values_list("email", "verified", "primary").get() == ("ewa@example.org", True, True)
    assert SocialAccount.objects.values_list("user", "provider", "uid", "extra_data").get() == (
        user.pk, "google", "1001", {},
    )  # fmt: skip
    assert mails() == []


def test_the_second_time_is_the_same_account_whatever_its_address_is_now(google):
    signed_in(PlainBrowser())
    User.objects.update(email="another@example.org", avatar_url="", username="ewa")
    plain_browser = PlainBrowser()
    assert signed_in(plain_browser, path="/register").to == "/"
    user = User.objects.get()
    assert (plain_browser.user_id, user.username, user.avatar_url) == (str(user.pk), "ewa", "")
    assert SocialAccount.objects.count() == 1


def test_an_address_alone_opens_no_account(google):
    account_create(email="ewa@example.org", password=PASSWORD, username="ewa")
    plain_browser = PlainBrowser()
    seen = signed_in(plain_browser, path="/login?next=/news")
    assert (seen.to, plain_browser.user_id) == ("/login?next=%2Fnews", "")
    assert (
        "There is an account with this address already. Please log in with its password."
        in plain_browser.get(seen.to).text
    )
    assert not SocialAccount.objects.exists()
    assert plain_browser.sign_in("ewa@example.org", PASSWORD).to == "/"


def test_an_address_that_google_does_not_vouch_for_has_to_be_confirmed(google):
    plain_browser = PlainBrowser()
    assert signed_in(plain_browser, sub="1002").to == "/verify-email/sent"
    assert plain_browser.user_id == ""
    assert [mail.to for mail in mails()] == [["unsure@example.org"]]
    assert EmailAddress.objects.get().verified is False
    assert User.objects.get().avatar_url == ""


def test_such_an_address_is_confirmed_with_the_way_back(google):
    plain_browser = PlainBrowser()
    asked = "next=%2Fparticipants%2F3%23rating-7"
    assert signed_in(plain_browser, sub="1002", path=f"/login?{asked}").to == f"/verify-email/sent?{asked}"
    assert "Your password is right" not in plain_browser.get("/verify-email/sent").text
    [mail] = mails()
    assert plain_browser.post(link_in(mail)).to == "/participants/3#rating-7"
    assert plain_browser.user_id == str(User.objects.get().pk)


def test_such_an_address_tells_nobody_who_has_an_account(google):
    account_create(email="unsure@example.org", password=PASSWORD, username="unsure")
    plain_browser = PlainBrowser()
    assert signed_in(plain_browser, sub="1002").to == "/verify-email/sent"
    [mail] = mails()
    assert mail.to == ["unsure@example.org"]
    assert "?key=" not in mail.body
    assert not SocialAccount.objects.exists()
    assert User.objects.count() == 1


def test_whoever_shows_no_address_gets_no_account(google):
    seen = signed_in(PlainBrowser(), sub="1003")
    assert ERROR in seen.text
    assert not User.objects.exists()


def test_coming_back_with_nothing_leads_on(google):
    plain_browser = PlainBrowser()
    seen = plain_browser.get("/auth/callback")
    assert "Finalizing login..." in seen.text
    assert seen.headers["Refresh"] == "0; url=/login"
    assert "Return to login" in seen.text
    signed_in(plain_browser)
    assert plain_browser.get("/auth/callback").headers["Refresh"] == "0; url=/"


def test_nobody_is_led_to_another_site(google):
    assert signed_in(PlainBrowser(), path="/login?next=https://evil.example/").to == "/"
    plain_browser = PlainBrowser()
    assert finished(plain_browser, answered(begun(plain_browser, next="//evil.example/").to, sub="1001")).to == "/"


def test_closed_account_stays_closed(google):
    signed_in(PlainBrowser())
    User.objects.update(is_active=False)
    plain_browser = PlainBrowser()
    assert signed_in(plain_browser).to == "/account-closed"
    assert plain_browser.user_id == ""


def test_a_second_factor_is_asked_of_those_who_come_from_google_too(google):
    signed_in(PlainBrowser())
    TOTP.activate(User.objects.get(), "A" * 32)
    plain_browser = PlainBrowser()
    assert signed_in(plain_browser).to == "/two-factor"
    assert plain_browser.user_id == ""


def test_whoever_has_no_password_proves_it_by_google(google):
    plain_browser = PlainBrowser()
    signed_in(plain_browser)
    [session] = AuthSession.objects.filter(user__isnull=False)
    store = SessionStore(session.key)
    store["account_authentication_methods"] = []
    store.save()
    seen = plain_browser.get("/profile/two-factor/app")
    assert seen.to == "/reauthenticate?next=/profile/two-factor/app"
    assert "password" not in plain_browser.get(seen.to).fields
    assert signed_in(plain_browser, path=seen.to).to == "/profile/two-factor/app"
    again = AuthSession.objects.get(user__isnull=False)
    assert again.key != session.key, "allauth begins another session"
    assert plain_browser.get("/profile/two-factor/app").status == 200
