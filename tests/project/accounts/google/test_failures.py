"""Refused answers of Google, and sign-ins with Google that fail half-way."""

import re
import urllib.parse
from dataclasses import replace

import pytest
from allauth.socialaccount.providers.oauth2.client import OAuth2Client
from jwt import PyJWKClient

from apps.accounts.models import AuthSession, User
from apps.accounts.services.accounts import account_create
from apps.accounts.sign_in import social
from tests.factories import PASSWORD
from tests.project.accounts.google.steps import ERROR, answered, begun, finished, signed_in
from tests.project.plain_browser import PlainBrowser, Seen
from tests.provider import FAULTS, free_port

pytestmark = pytest.mark.django_db(transaction=True)
UNEXPECTED = "Unexpected error. Redirecting to login..."


def failing(seen: Seen, words: str = ERROR) -> bool:
    assert words in seen.text
    assert "Return to login" in seen.text
    assert seen.headers["Refresh"] == "3; url=/login"
    return not AuthSession.objects.filter(user__isnull=False).exists()


def test_refused_by_the_person(google):
    plain_browser = PlainBrowser()
    asked = begun(plain_browser).to
    state = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(asked).query))["state"]
    back = answered(asked, action="deny")
    assert "error=access_denied" in back
    assert failing(finished(plain_browser, back))
    assert failing(finished(plain_browser, f"/auth/callback?error=access_denied&state={state}"))


@pytest.mark.parametrize(
    "query", ["error=server_error", "error=server_error&state=made-up", "code=made-up", "code=made-up&state=made-up"]
)
def test_answers_that_nobody_asked_for_are_refused(google, query):
    assert failing(finished(PlainBrowser(), f"/auth/callback?{query}"))


def test_wrong_state_is_refused_though_the_code_is_right(google):
    plain_browser = PlainBrowser()
    back = re.sub(r"state=\w", "state=_", answered(begun(plain_browser).to, sub="1001"))
    assert failing(finished(plain_browser, back))
    assert not User.objects.exists()


def test_right_state_with_a_made_up_code_is_refused(google):
    plain_browser = PlainBrowser()
    back = re.sub(r"code=\w+", "code=madeup", answered(begun(plain_browser).to, sub="1001"))
    assert failing(finished(plain_browser, back))


def test_replayed_answer_is_refused(google):
    plain_browser = PlainBrowser()
    back = answered(begun(plain_browser).to, sub="1001")
    assert finished(plain_browser, back).to == "/"
    AuthSession.objects.all().delete()
    assert failing(finished(plain_browser, back))
    assert failing(finished(PlainBrowser(), back))


def test_another_browsers_answer_is_refused(google):
    back = answered(begun(PlainBrowser()).to, sub="1001")
    other = PlainBrowser()
    begun(other)
    assert failing(finished(other, back))
    assert not User.objects.exists()


@pytest.mark.parametrize("fault", FAULTS)
def test_an_id_token_that_is_wrong_in_one_way_lets_nobody_in(google, fault):
    assert failing(finished(PlainBrowser(), answered(begun(PlainBrowser()).to, sub="1001")))  # another's state
    plain_browser = PlainBrowser()
    assert failing(signed_in(plain_browser, sub=fault))
    assert (plain_browser.user_id, User.objects.count()) == ("", 0)


def test_an_answer_without_an_id_token_lets_nobody_in(google, monkeypatch):
    fetch = OAuth2Client.get_access_token

    def without(*given, **more):
        return {name: each for name, each in fetch(*given, **more).items() if name != "id_token"}

    monkeypatch.setattr(OAuth2Client, "get_access_token", without)
    assert failing(signed_in(PlainBrowser()))
    assert not User.objects.exists()


def test_keys_are_fetched_once(google, monkeypatch):
    fetched = []
    fetch = PyJWKClient.fetch_data
    monkeypatch.setattr(PyJWKClient, "fetch_data", lambda self: fetched.append(self.uri) or fetch(self))
    social._keys.cache_clear()
    for _ in range(3):
        assert signed_in(PlainBrowser()).to == "/"
    assert len(fetched) == 1
    assert social._keys(fetched[0]).timeout == 5


def test_keys_that_cannot_be_fetched_let_nobody_in(google, settings):
    settings.GOOGLE = replace(settings.GOOGLE, keys_url=f"http://127.0.0.1:{free_port()}/jwks")
    assert failing(signed_in(PlainBrowser()))
    assert not User.objects.exists()


def test_google_that_is_away_ends_nothing_but_this(nobody_listens):
    plain_browser = PlainBrowser()
    asked = begun(plain_browser).to
    state = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(asked).query))["state"]
    assert failing(finished(plain_browser, f"/auth/callback?code=any&state={state}"))
    account_create(email="fan@example.org", password=PASSWORD, username="fan")
    assert plain_browser.sign_in("fan@example.org", PASSWORD).to == "/"


def test_what_breaks_off_is_said_and_logged(google, monkeypatch, caplog):
    plain_browser = PlainBrowser()
    back = answered(begun(plain_browser).to, sub="1001")

    def broken(**_):
        raise OSError("away")

    monkeypatch.setattr("apps.accounts.sign_in.social.account_create_linked", broken)
    assert failing(finished(plain_browser, back), UNEXPECTED)
    assert "the sign-in with Google failed" in [each.message for each in caplog.records]
    assert not User.objects.exists()


def test_a_way_that_cannot_begin_says_so(google, monkeypatch, caplog):
    plain_browser = PlainBrowser()

    def broken(*_, **__):
        raise OSError("away")

    monkeypatch.setattr("allauth.socialaccount.internal.statekit.stash_state", broken)
    assert begun(plain_browser, "/login?next=/news").to == "/login?next=%2Fnews"
    assert "Unexpected error during login. Please try again." in plain_browser.get("/login").text
    assert begun(plain_browser, "/register").to == "/register"
    assert "Failed to sign in with Google" in plain_browser.get("/register").text
    assert "the redirect to Google failed" in [each.message for each in caplog.records]


def test_ways_to_google_are_counted(google):
    plain_browser = PlainBrowser()
    assert {begun(plain_browser).to[:4] for _ in range(30)} == {"http"}
    assert begun(plain_browser).to == "/login"
    assert "Too many attempts. Please try again later." in plain_browser.get("/login").text


def test_whoever_says_no_at_google_keeps_the_way_back(google):
    plain_browser = PlainBrowser()
    asked = begun(plain_browser, "/login?next=/news").to
    state = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(asked).query))["state"]
    seen = finished(plain_browser, f"/auth/callback?error=access_denied&state={state}")
    assert seen.headers["Refresh"] == "3; url=/login?next=%2Fnews"
    assert 'href="/login?next=%2Fnews"' in seen.html
