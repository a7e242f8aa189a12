"""Changing SECRET_KEY: with the old key as a fallback everything stays valid; without it, sessions and secrets end."""

import pytest
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.core.management import call_command
from django.test import RequestFactory

from apps.accounts.actors import Viewer
from apps.accounts.models import AuthSession
from apps.accounts.second_factor.adapter import factor_keys
from apps.accounts.selectors.sessions import NO_SESSION
from apps.accounts.services.factors import factors_reencrypt
from apps.accounts.sign_in.known_browsers import browser_known
from project.http.viewer import account_session_read
from tests.factories import PASSWORD
from tests.project.accounts.reset.resetting import NEW, reset
from tests.project.accounts.second_factors.setting_up import EMAIL, WRONG, by_code, codes_of, set_up
from tests.project.plain_browser import PlainBrowser, link_in, mails

pytestmark = pytest.mark.django_db(transaction=True)
PRESENT = "the following key " * 3
UNUSABLE = "Failed to verify reset token. Please request a new password reset."


@pytest.fixture
def rotate(settings):
    """Return a function that changes the key, with or without the old one as a fallback."""
    old = settings.SECRET_KEY

    def change(*, fallback: bool) -> None:
        settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = PRESENT, [old] if fallback else []

    return change


def signed_in():
    browser = PlainBrowser()
    browser.sign_in(EMAIL, PASSWORD)
    return browser


def key_of(browser):
    return browser.client.cookies[settings.SESSION_COOKIE_NAME].value


def known(browser):
    """Return whether this browser counts as known for the address."""
    request = RequestFactory().get("/login")
    request.COOKIES[settings.BROWSER_COOKIE_NAME] = browser.client.cookies[settings.BROWSER_COOKIE_NAME].value
    return bool(browser_known(request, EMAIL))


def test_session_continues_only_with_the_old_key_as_fallback(fan, rotate):
    browser = signed_in()
    key = key_of(browser)
    rotate(fallback=False)
    assert account_session_read(key) == NO_SESSION
    rotate(fallback=True)
    for _ in range(2):  # pages and sockets set no cookie, so the session keeps its key there
        assert account_session_read(key).viewer.id == fan.pk
    assert AuthSession.objects.filter(key=key).exists()
    assert browser.get("/profile/two-factor").status == 200
    assert account_session_read(key_of(browser)).viewer.id == fan.pk


def test_app_codes_are_valid_while_the_old_key_is_a_fallback(fan, rotate):
    secret = set_up(signed_in())
    rotate(fallback=True)
    browser = signed_in()
    assert by_code(browser, secret).to == "/"
    rotate(fallback=False)
    browser = signed_in()
    assert WRONG in by_code(browser, secret).text


def test_reencrypted_secrets_do_not_need_the_old_key(fan, rotate, capsys):
    browser = signed_in()
    secret, codes = set_up(browser), codes_of(browser)
    before = dict(Authenticator.objects.values_list("type", "data"))
    rotate(fallback=True)
    call_command("second_factor", "reencrypt")
    assert capsys.readouterr().out == "2 encrypted with the present key, 0 that no known key reads.\n"
    after = dict(Authenticator.objects.values_list("type", "data"))
    assert before["totp"]["secret"] != after["totp"]["secret"]
    assert factor_keys().decrypt(after["totp"]["secret"]).decode() == secret
    rotate(fallback=False)
    browser = signed_in()
    assert by_code(browser, secret).to == "/"
    browser = signed_in()
    assert browser.post("/two-factor", code=codes[0]).to == "/"


def test_secrets_without_a_known_key_are_counted_and_kept(fan, rotate, capsys):
    set_up(signed_in())
    before = list(Authenticator.objects.order_by("pk").values_list("data", flat=True))
    rotate(fallback=False)
    call_command("second_factor", "reencrypt")
    assert capsys.readouterr().out == "0 encrypted with the present key, 2 that no known key reads.\n"
    assert list(Authenticator.objects.order_by("pk").values_list("data", flat=True)) == before


def test_only_administrators_reencrypt(fan):
    with pytest.raises(PermissionDenied, match="Only administrators"):
        factors_reencrypt(actor=Viewer(fan.pk, "fan", False, ""))


@pytest.mark.parametrize("fallback", [True, False])
def test_reset_link_is_valid_after_a_rotation(fan, rotate, fallback):
    PlainBrowser().post("/forgot-password", email=EMAIL)
    (message,) = mails()
    rotate(fallback=fallback)
    browser = PlainBrowser()
    assert reset(browser, link_in(message)).to == "/reset-password/done"
    assert browser.sign_in(EMAIL, NEW).to == "/"


@pytest.mark.parametrize("fallback", [True, False])
def test_confirmation_link_is_valid_after_a_rotation(transactional_db, rotate, fallback):
    browser = PlainBrowser()
    browser.post("/register", email="new@example.org", username="newcomer", password1=PASSWORD)
    (message,) = mails()
    rotate(fallback=fallback)
    assert browser.post(link_in(message)).to == "/"  # signed in: the browser's key and the mailed one are valid
    assert browser.user_id


@pytest.mark.parametrize("fallback", [True, False])
def test_browser_stays_known_while_the_old_key_is_a_fallback(fan, rotate, fallback):
    browser = signed_in()
    assert known(browser)
    rotate(fallback=fallback)
    assert known(browser) is fallback
