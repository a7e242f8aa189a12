"""Changes of the second factors require a fresh sign-in, and operators can remove lost factors."""

import io

import pytest
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.core.management import CommandError, call_command

from apps.accounts.actors import Viewer
from apps.accounts.events import AccountChanged
from apps.accounts.models import AuthSession, User
from apps.accounts.services.factors import factors_forget
from project.http.viewer import account_session_read
from tests.factories import PASSWORD
from tests.project.accounts.second_factors.setting_up import EMAIL, WRONG, by_code, code, codes_of, older, set_up
from tests.project.plain_browser import PlainBrowser, mails

pytestmark = pytest.mark.django_db(transaction=True)
FACTOR_PAGES = ("/app", "/app/off", "/codes", "/codes/new", "/codes/download")
PASSKEYS = ("/profile/passkeys/add", "/profile/passkeys/name?key=1", "/profile/passkeys/remove?key=1")


def test_factor_pages_require_a_sign_in():
    for path in ("/profile/two-factor", "/profile/passkeys", "/reauthenticate/code", *PASSKEYS):
        assert PlainBrowser().get(path).to.startswith("/login?next=/"), path
    assert PlainBrowser().get("/two-factor").to == "/login"


def test_factor_changes_require_a_fresh_sign_in(browser, fan):
    set_up(browser)
    older(fan.pk, 601)
    for path in [*(f"/profile/two-factor{page}" for page in FACTOR_PAGES), *PASSKEYS]:
        assert browser.get(path).to.startswith("/reauthenticate?next=/profile/"), path
    assert browser.get("/profile/two-factor").status == 200
    token = browser.get("/reauthenticate").fields["csrfmiddlewaretoken"]["value"]
    answer = browser.client.post("/profile/two-factor/app/off", {"csrfmiddlewaretoken": token})
    assert answer["Location"].startswith("/reauthenticate?")
    assert Authenticator.objects.filter(type="totp").exists()
    page = "/reauthenticate?next=/profile/two-factor/codes"
    assert "Incorrect password." in browser.post(page, password="wrong").text
    assert browser.post(page, password=PASSWORD).to == "/profile/two-factor/codes"
    assert len(codes_of(browser)) == 10


def test_reauthentication_changes_the_session_key(browser, fan, monkeypatch):
    published = []
    monkeypatch.setattr("apps.accounts.services.sessions.publish", published.append)
    before = AuthSession.objects.get()
    assert browser.post("/reauthenticate?next=/profile", password=PASSWORD).to == "/profile"
    after = AuthSession.objects.get()
    assert (after.key != before.key, after.handle, after.created_at) == (True, before.handle, before.created_at)
    assert browser.client.cookies[settings.SESSION_COOKIE_NAME].value == after.key
    assert not account_session_read(before.key).viewer.is_signed_in
    assert published == [AccountChanged(fan.pk)], "open windows reconnect with the new cookie"
    assert browser.post("/reauthenticate?next=//evil.example", password=PASSWORD).to == "/"


def test_code_counts_as_reauthentication(browser, fan):
    secret = set_up(browser)
    older(fan.pk, 601)
    assert 'href="/reauthenticate/code?next=' in browser.get("/reauthenticate?next=/profile/two-factor/codes").html
    path = "/reauthenticate/code?next=/profile/two-factor/codes"
    assert WRONG in browser.post(path, code="000000").text
    assert by_code(browser, secret, path).to == "/profile/two-factor/codes"
    assert len(codes_of(browser)) == 10


def test_account_without_a_password_must_reauthenticate(fan):
    browser = PlainBrowser()
    browser.sign_in(EMAIL, PASSWORD)
    User.objects.filter(pk=fan.pk).update(password="!unusable")
    session = browser.client.session
    session["_auth_user_hash"] = User.objects.get(pk=fan.pk).get_session_auth_hash()
    session.save()
    older(fan.pk, 601)
    assert browser.get("/profile/two-factor/app").to == "/reauthenticate?next=/profile/two-factor/app"
    response = browser.get("/reauthenticate")
    assert "password" not in response.fields
    assert 'href="/forgot-password"' in response.html


def test_secret_encrypted_with_another_key_is_refused(browser, settings):
    secret = set_up(browser)
    other = PlainBrowser()
    other.sign_in(EMAIL, PASSWORD)
    data = {"secret": Authenticator.objects.get(type="totp").data["secret"][:-4] + "AAA="}
    Authenticator.objects.filter(type="totp").update(data=data)
    assert WRONG in other.post("/two-factor", code=code(secret)).text
    assert other.user_id == ""


def test_operator_removes_lost_factors(browser, fan):
    set_up(browser)
    mails()
    out = io.StringIO()
    call_command("second_factor", "forget", "FAN_OF_G", stdout=out)
    call_command("second_factor", "forget", EMAIL, stdout=out)
    assert out.getvalue().splitlines() == [
        "FAN_OF_G signs in without a second factor now.",
        f"{EMAIL} has no second factor.",
    ]
    with pytest.raises(CommandError, match="There is no account 'unknown'"):
        call_command("second_factor", "forget", "unknown")
    assert ["all second factors were taken away" in message.body for message in mails()] == [True]
    assert PlainBrowser().sign_in(EMAIL, PASSWORD).to == "/"


def test_fan_cannot_remove_factors_as_an_operator(browser, fan, monkeypatch):
    published = []
    monkeypatch.setattr("apps.accounts.services.factors.publish", published.append)
    set_up(browser)
    assert published == [AccountChanged(fan.pk)], "open windows are updated"
    with pytest.raises(PermissionDenied):
        factors_forget(actor=Viewer(id=fan.pk), account_id=fan.pk)
    assert Authenticator.objects.exists()
