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
from apps.accounts.services.accounts import account_create
from apps.accounts.services.factors import factors_reencrypt
from apps.accounts.sign_in.known_browsers import browser_known
from project.http.viewer import account_session_read
from tests.factories import PASSWORD
from tests.project.accounts.reset.resetting import NEW, reset
from tests.project.accounts.second_factors.setting_up import EMAIL, WRONG, by_code, codes_of, set_up
from tests.project.plain_browser import PlainBrowser, link_in, mails

pytestmark = pytest.mark.django_db(transaction=True)
PRESENT = "the key that follows " * 3
UNUSABLE = "Failed to verify reset token. Please request a new password reset."


@pytest.fixture
def fan(transactional_db):
    return account_create(email=EMAIL, password=PASSWORD, username="fan")


@pytest.fixture
def rotate(settings):
    """Return a function that changes the key and keeps the old one as a fallback if asked to."""
    old = settings.SECRET_KEY

    def change(*, fallback: bool) -> None:
        settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = PRESENT, [old] if fallback else []

    return change


def signed_in():
    plain_browser = PlainBrowser()
    plain_browser.sign_in(EMAIL, PASSWORD)
    return plain_browser


def key_of(plain_browser):
    return plain_browser.client.cookies[settings.SESSION_COOKIE_NAME].value


def known(plain_browser):
    """Return whether this browser counts as known for the address."""
    request = RequestFactory().get("/login")
    request.COOKIES[settings.BROWSER_COOKIE_NAME] = plain_browser.client.cookies[settings.BROWSER_COOKIE_NAME].value
    return bool(browser_known(request, EMAIL))


def test_with_the_old_key_as_a_fallback_a_session_goes_on(fan, rotate):
    plain_browser = signed_in()
    key = key_of(plain_browser)
    rotate(fallback=True)
    for _ in range(2):  # pages and sockets set no cookie, so the session keeps its key there
        assert account_session_read(key).viewer.id == fan.pk
    assert AuthSession.objects.filter(key=key).exists()
    assert plain_browser.get("/profile/two-factor").status == 200
    assert account_session_read(key_of(plain_browser)).viewer.id == fan.pk


def test_without_it_everybody_is_signed_out(fan, rotate):
    plain_browser = signed_in()
    rotate(fallback=False)
    assert account_session_read(key_of(plain_browser)) == NO_SESSION


def test_codes_of_an_app_fit_as_long_as_the_old_key_is_a_fallback(fan, rotate):
    secret = set_up(signed_in())
    rotate(fallback=True)
    plain_browser = signed_in()
    assert by_code(plain_browser, secret).to == "/"
    rotate(fallback=False)
    plain_browser = signed_in()
    assert WRONG in by_code(plain_browser, secret).text


def test_secrets_encrypted_anew_need_the_old_key_no_more(fan, rotate, capsys):
    plain_browser = signed_in()
    secret, codes = set_up(plain_browser), codes_of(plain_browser)
    before = dict(Authenticator.objects.values_list("type", "data"))
    rotate(fallback=True)
    call_command("second_factor", "reencrypt")
    assert capsys.readouterr().out == "2 encrypted with the present key, 0 that no known key reads.\n"
    after = dict(Authenticator.objects.values_list("type", "data"))
    assert before["totp"]["secret"] != after["totp"]["secret"]
    assert factor_keys().decrypt(after["totp"]["secret"]).decode() == secret
    rotate(fallback=False)
    plain_browser = signed_in()
    assert by_code(plain_browser, secret).to == "/"
    plain_browser = signed_in()
    assert plain_browser.post("/two-factor", code=codes[0]).to == "/"


def test_secrets_that_no_key_reads_are_counted_and_kept(fan, rotate, capsys):
    set_up(signed_in())
    before = list(Authenticator.objects.order_by("pk").values_list("data", flat=True))
    rotate(fallback=False)
    call_command("second_factor", "reencrypt")
    assert capsys.readouterr().out == "0 encrypted with the present key, 2 that no known key reads.\n"
    assert list(Authenticator.objects.order_by("pk").values_list("data", flat=True)) == before


def test_nobody_but_those_who_run_the_site_encrypts_anew(fan):
    with pytest.raises(PermissionDenied, match="Only administrators"):
        factors_reencrypt(actor=Viewer(fan.pk, "fan", False, ""))


@pytest.mark.parametrize("fallback", [True, False])
def test_a_reset_link_holds_whatever_the_key(fan, rotate, fallback):
    PlainBrowser().post("/forgot-password", email=EMAIL)
    (message,) = mails()
    rotate(fallback=fallback)
    plain_browser = PlainBrowser()
    assert reset(plain_browser, link_in(message)).to == "/reset-password/done"
    assert plain_browser.sign_in(EMAIL, NEW).to == "/"


@pytest.mark.parametrize("fallback", [True, False])
def test_a_link_that_confirms_an_address_holds_as_well(transactional_db, rotate, fallback):
    plain_browser = PlainBrowser()
    plain_browser.post("/register", email="new@example.org", username="newcomer", password1=PASSWORD)
    (message,) = mails()
    rotate(fallback=fallback)
    assert plain_browser.post(link_in(message)).to == "/"  # signed in: the browser's key and the mailed one are valid
    assert plain_browser.user_id


@pytest.mark.parametrize("fallback", [True, False])
def test_a_known_browser_stays_known_as_long(fan, rotate, fallback):
    plain_browser = signed_in()
    assert known(plain_browser)
    rotate(fallback=fallback)
    assert known(plain_browser) is fallback
