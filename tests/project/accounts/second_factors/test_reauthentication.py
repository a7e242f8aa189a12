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
PLACES = ("/app", "/app/off", "/codes", "/codes/new", "/codes/download")
PASSKEYS = ("/profile/passkeys/add", "/profile/passkeys/name?key=1", "/profile/passkeys/remove?key=1")


def test_strangers_are_sent_to_the_door():
    for path in ("/profile/two-factor", "/profile/passkeys", "/reauthenticate/code", *PASSKEYS):
        assert PlainBrowser().get(path).to.startswith("/login?next=/"), path
    assert PlainBrowser().get("/two-factor").to == "/login"


def test_what_matters_needs_a_fresh_sign_in(plain_browser, fan):
    set_up(plain_browser)
    older(fan.pk, 601)
    for path in [*(f"/profile/two-factor{each}" for each in PLACES), *PASSKEYS]:
        assert plain_browser.get(path).to.startswith("/reauthenticate?next=/profile/"), path
    assert plain_browser.get("/profile/two-factor").status == 200
    token = plain_browser.get("/reauthenticate").fields["csrfmiddlewaretoken"]["value"]
    answer = plain_browser.client.post("/profile/two-factor/app/off", {"csrfmiddlewaretoken": token})
    assert answer["Location"].startswith("/reauthenticate?")
    assert Authenticator.objects.filter(type="totp").exists()
    page = "/reauthenticate?next=/profile/two-factor/codes"
    assert "Incorrect password." in plain_browser.post(page, password="wrong").text
    assert plain_browser.post(page, password=PASSWORD).to == "/profile/two-factor/codes"
    assert len(codes_of(plain_browser)) == 10


def test_whoever_proved_it_once_more_has_another_key(plain_browser, fan, monkeypatch):
    told = []
    monkeypatch.setattr("apps.accounts.services.sessions.publish", told.append)
    before = AuthSession.objects.get()
    assert plain_browser.post("/reauthenticate?next=/profile", password=PASSWORD).to == "/profile"
    after = AuthSession.objects.get()
    assert (after.key != before.key, after.handle, after.created_at) == (True, before.handle, before.created_at)
    assert plain_browser.client.cookies[settings.SESSION_COOKIE_NAME].value == after.key
    assert not account_session_read(before.key).viewer.is_signed_in
    assert told == [AccountChanged(fan.pk)], "windows come back with the new cookie at once"


def test_a_code_proves_it_too(plain_browser, fan):
    secret = set_up(plain_browser)
    older(fan.pk, 601)
    assert (
        'href="/reauthenticate/code?next=' in plain_browser.get("/reauthenticate?next=/profile/two-factor/codes").html
    )
    path = "/reauthenticate/code?next=/profile/two-factor/codes"
    assert WRONG in plain_browser.post(path, code="000000").text
    assert by_code(plain_browser, secret, path).to == "/profile/two-factor/codes"
    assert len(codes_of(plain_browser)) == 10


def test_whoever_has_no_password_is_not_taken_for_fresh(fan):
    plain_browser = PlainBrowser()
    plain_browser.sign_in(EMAIL, PASSWORD)
    User.objects.filter(pk=fan.pk).update(password="!unusable")
    session = plain_browser.client.session
    session["_auth_user_hash"] = User.objects.get(pk=fan.pk).get_session_auth_hash()
    session.save()
    older(fan.pk, 601)
    assert plain_browser.get("/profile/two-factor/app").to == "/reauthenticate?next=/profile/two-factor/app"
    seen = plain_browser.get("/reauthenticate")
    assert "password" not in seen.fields
    assert 'href="/forgot-password"' in seen.html


def test_codes_that_another_key_has_stored_let_nobody_in(plain_browser, settings):
    secret = set_up(plain_browser)
    other = PlainBrowser()
    other.sign_in(EMAIL, PASSWORD)
    data = {"secret": Authenticator.objects.get(type="totp").data["secret"][:-4] + "AAA="}
    Authenticator.objects.filter(type="totp").update(data=data)
    assert WRONG in other.post("/two-factor", code=code(secret)).text
    assert other.user_id == ""


def test_the_operator_forgets_what_somebody_has_lost(plain_browser, fan):
    set_up(plain_browser)
    mails()
    out = io.StringIO()
    call_command("second_factor", "forget", "FAN", stdout=out)
    call_command("second_factor", "forget", EMAIL, stdout=out)
    assert out.getvalue().splitlines() == [
        "FAN signs in without a second factor now.",
        f"{EMAIL} has no second factor.",
    ]
    with pytest.raises(CommandError, match="There is no account 'nobody'"):
        call_command("second_factor", "forget", "nobody")
    assert ["all second factors were taken away" in each.body for each in mails()] == [True]
    assert PlainBrowser().sign_in(EMAIL, PASSWORD).to == "/"


def test_nobody_else_forgets_second_factors(plain_browser, fan):
    set_up(plain_browser)
    with pytest.raises(PermissionDenied):
        factors_forget(actor=Viewer(id=fan.pk), account_id=fan.pk)
    assert Authenticator.objects.exists()


def test_open_windows_are_told(plain_browser, fan, monkeypatch):
    told = []
    monkeypatch.setattr("apps.accounts.services.factors.publish", told.append)
    set_up(plain_browser)
    assert told == [AccountChanged(fan.pk)]
