"""Refused answers of Google, and sign-ins with Google that fail half-way."""

import re
import urllib.parse
from dataclasses import replace

import pytest
from allauth.socialaccount.providers.oauth2.client import OAuth2Client
from jwt import PyJWKClient

from apps.accounts import attempts
from apps.accounts.models import AuthSession, User
from apps.accounts.services.accounts import account_create
from apps.accounts.sign_in import social
from tests.factories import PASSWORD
from tests.offenders import check_each
from tests.project.accounts.google.steps import ERROR, google_finish, google_sign_in, google_start, provider_answer
from tests.project.plain_browser import PlainBrowser, Seen
from tests.provider import FAULTS, free_port
from tests.rate_limits import attempts_clear

pytestmark = pytest.mark.django_db(transaction=True)
UNEXPECTED = "Unexpected error. Redirecting to login..."


def is_refused(response: Seen, error: str = ERROR) -> bool:
    assert error in response.text
    assert "Return to login" in response.text
    assert response.headers["Refresh"] == "3; url=/login"
    return not AuthSession.objects.filter(user__isnull=False).exists()


def state_in(address: str) -> str:
    """Return the OAuth state in the address of the redirect to Google."""
    return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(address).query))["state"]


def test_denied_permission_is_shown_and_keeps_next(google):
    browser = PlainBrowser()
    back = provider_answer(google_start(browser).to, action="deny")
    assert "error=access_denied" in back
    assert is_refused(google_finish(browser, back))
    state = state_in(google_start(browser).to)
    assert is_refused(google_finish(browser, f"/auth/callback?error=access_denied&state={state}"))
    state = state_in(google_start(browser, "/login?next=/news").to)
    response = google_finish(browser, f"/auth/callback?error=access_denied&state={state}")
    assert response.headers["Refresh"] == "3; url=/login?next=%2Fnews"
    assert 'href="/login?next=%2Fnews"' in response.html


def test_callback_without_a_sign_in_is_refused(google):
    errors = ("error=server_error", "error=server_error&state=made-up")
    for query in (*errors, "code=made-up", "code=made-up&state=made-up"):
        assert is_refused(google_finish(PlainBrowser(), f"/auth/callback?{query}")), query


def test_forged_and_foreign_callbacks_are_refused(google):
    for pattern, forged in ((r"state=\w", "state=_"), (r"code=\w+", "code=madeup")):
        browser = PlainBrowser()
        back = re.sub(pattern, forged, provider_answer(google_start(browser).to, sub="1001"))
        assert is_refused(google_finish(browser, back))
    other = PlainBrowser()
    google_start(other)
    assert is_refused(google_finish(other, provider_answer(google_start(PlainBrowser()).to, sub="1001")))
    assert not User.objects.exists()


def test_replayed_callback_is_refused(google):
    browser = PlainBrowser()
    back = provider_answer(google_start(browser).to, sub="1001")
    assert google_finish(browser, back).to == "/"
    AuthSession.objects.all().delete()
    assert is_refused(google_finish(browser, back))
    assert is_refused(google_finish(PlainBrowser(), back))


def test_id_token_with_a_fault_is_refused(google):
    another_state = google_start(PlainBrowser()).to
    assert is_refused(google_finish(PlainBrowser(), provider_answer(another_state, sub="1001")))

    def check(fault):
        attempts_clear()
        browser = PlainBrowser()
        assert is_refused(google_sign_in(browser, sub=fault))
        assert (browser.user_id, User.objects.count()) == ("", 0)

    check_each(FAULTS, check)


def test_response_without_an_id_token_is_refused(google, monkeypatch):
    fetch = OAuth2Client.get_access_token

    def without(*values, **options):
        return {name: value for name, value in fetch(*values, **options).items() if name != "id_token"}

    monkeypatch.setattr(OAuth2Client, "get_access_token", without)
    assert is_refused(google_sign_in(PlainBrowser()))
    assert not User.objects.exists()


def test_signing_keys_are_fetched_once(google, monkeypatch):
    fetched = []
    fetch = PyJWKClient.fetch_data
    monkeypatch.setattr(PyJWKClient, "fetch_data", lambda self: fetched.append(self.uri) or fetch(self))
    social._keys.cache_clear()
    for _ in range(3):
        assert google_sign_in(PlainBrowser()).to == "/"
    assert len(fetched) == 1
    assert social._keys(fetched[0]).timeout == 5


def test_unreachable_signing_keys_refuse_the_sign_in(google, settings):
    settings.GOOGLE = replace(settings.GOOGLE, keys_url=f"http://127.0.0.1:{free_port()}/jwks")
    assert is_refused(google_sign_in(PlainBrowser()))
    assert not User.objects.exists()


def test_unreachable_google_does_not_affect_passwords(google_unreachable):
    browser = PlainBrowser()
    state = state_in(google_start(browser).to)
    assert is_refused(google_finish(browser, f"/auth/callback?code=any&state={state}"))
    account_create(email="fan@example.org", password=PASSWORD, username="fan")
    assert browser.sign_in("fan@example.org", PASSWORD).to == "/"


def test_error_during_the_callback_is_shown_and_logged(google, monkeypatch, caplog):
    browser = PlainBrowser()
    back = provider_answer(google_start(browser).to, sub="1001")

    def broken(**_):
        raise OSError("away")

    monkeypatch.setattr("apps.accounts.sign_in.social.account_create_linked", broken)
    assert is_refused(google_finish(browser, back), UNEXPECTED)
    assert "the sign-in with Google failed" in [record.message for record in caplog.records]
    assert not User.objects.exists()


def test_error_before_the_redirect_is_shown_and_logged(google, monkeypatch, caplog):
    browser = PlainBrowser()

    def broken(*_, **__):
        raise OSError("away")

    monkeypatch.setattr("allauth.socialaccount.internal.statekit.stash_state", broken)
    assert google_start(browser, "/login?next=/news").to == "/login?next=%2Fnews"
    assert "Unexpected error during login. Please try again." in browser.get("/login").text
    assert google_start(browser, "/register").to == "/register"
    assert "Failed to sign in with Google" in browser.get("/register").text
    assert "the redirect to Google failed" in [record.message for record in caplog.records]


def test_redirects_to_google_are_limited(google, monkeypatch):
    monkeypatch.setattr(attempts, "GOOGLE_CLIENT", replace(attempts.GOOGLE_CLIENT, amount=3))
    browser = PlainBrowser()
    assert {google_start(browser).to[:4] for _ in range(3)} == {"http"}
    assert google_start(browser).to == "/login"
    assert "Too many attempts. Please try again later." in browser.get("/login").text
