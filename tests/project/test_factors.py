"""Second factors: set up, asked after the password, lost, renewed, taken away."""

import io
import json
import re
import time

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.core.management import CommandError, call_command

from apps.accounts.actors import Viewer
from apps.accounts.events import AccountChanged
from apps.accounts.models import AuthSession, User
from apps.accounts.permissions import is_administrator
from apps.accounts.selectors import factors_get, seats_get, viewer_get
from apps.accounts.services import account_create, factors_forget
from apps.core.audit import audit_own
from components.page import Redirect
from components.routes import find
from tests.factories import PASSWORD
from tests.project.doors import Door, mails

pytestmark = pytest.mark.django_db(transaction=True)
EMAIL = "fan@example.org"
WRONG = "This code does not fit. Please try again with a new one."
PLACES = ("/app", "/app/off", "/codes", "/codes/new", "/codes/download")
PASSKEYS = ("/profile/passkeys/add", "/profile/passkeys/name?key=1", "/profile/passkeys/remove?key=1")


@pytest.fixture
def fan(transactional_db):
    return account_create(email=EMAIL, password=PASSWORD, username="fan")


@pytest.fixture
def door(fan):
    signed_in = Door()
    signed_in.sign_in(EMAIL, PASSWORD)
    return signed_in


def code(secret: str, at: float | None = None) -> str:
    """What the app shows now."""
    return format_hotp_value(hotp_value(secret, int(time.time() if at is None else at) // 30))


def set_up(door: Door) -> str:
    """Set up an app and return its secret; the code is fresh, so that time does not run out under it."""
    for _ in range(2):
        page = door.get("/profile/two-factor/app")
        secret = re.sub(r"\s", "", re.findall(r'class="secret">([A-Z2-7 ]+)<', page.html)[0])
        token = page.fields["csrfmiddlewaretoken"]["value"]
        path, typed = "/profile/two-factor/app", {"csrfmiddlewaretoken": token, "code": code(secret)}
        if door._seen(door.client.post(path, typed)).to == "/profile/two-factor/codes":
            return secret
    raise AssertionError("no code was taken")


def by_code(door: Door, secret: str, path: str = "/two-factor"):
    """Type the code of the app; a second time if its half minute ended meanwhile."""
    seen = door.post(path, code=code(secret))
    return seen if seen.status == 302 else door.post(path, code=code(secret))


def codes_of(door: Door) -> list[str]:
    return re.findall(r"<code>(\d{8})</code>", door.get("/profile/two-factor/codes").html)


def older(user_id: int, seconds: int) -> None:
    """Let the sign-in be so much longer ago."""
    for session in AuthSession.objects.filter(user_id=user_id):
        from apps.accounts.sessions import SessionStore

        store = SessionStore(session.key)
        records = store["account_authentication_methods"]
        store["account_authentication_methods"] = [{**each, "at": each["at"] - seconds} for each in records]
        store.save()


def test_strangers_are_sent_to_the_door():
    for path in ("/profile/two-factor", "/profile/passkeys", "/reauthenticate/code", *PASSKEYS):
        assert Door().get(path).to.startswith("/login?next=/"), path
    assert Door().get("/two-factor").to == "/login"


def test_the_overview_says_what_there_is(door):
    seen = door.get("/profile/two-factor")
    assert (seen.status, seen.headers["Cache-Control"]) == (200, "no-store")
    assert "Authenticator app Off" in seen.text
    assert "Recovery codes" not in seen.text
    set_up(door)
    seen = door.get("/profile/two-factor")
    assert "Authenticator app On" in seen.text
    assert "Recovery codes" in seen.text


def test_setting_up_shows_the_secret_in_two_forms_and_keeps_it_encrypted(door, fan):
    page = door.get("/profile/two-factor/app")
    assert '<svg class="qr"' in page.html
    assert page.fields["code"]["autocomplete"] == "one-time-code"
    secret = set_up(door)
    stored = Authenticator.objects.get(type="totp").data["secret"]
    assert secret not in stored
    assert [each.action for each in audit_own(user_id=fan.pk)] == ["factor.app.add"]
    [mail] = mails()
    assert mail.to == [EMAIL]
    assert "an authenticator app was added" in mail.body
    assert "an authenticator app was added" in mail.alternatives[0][0]
    assert secret not in mail.body


def test_a_wrong_code_sets_nothing_up_and_keeps_the_secret(door):
    first = door.get("/profile/two-factor/app")
    token = first.fields["csrfmiddlewaretoken"]["value"]
    answer = door._seen(door.client.post("/profile/two-factor/app", {"csrfmiddlewaretoken": token, "code": "000000"}))
    assert WRONG in answer.text
    assert answer.wrong == ["code"]
    shown = re.findall(r'class="secret">([^<]+)<', answer.html)
    assert shown == re.findall(r'class="secret">([^<]+)<', first.html)
    assert "Please enter the code" in door.post("/profile/two-factor/app", code="").text
    assert not Authenticator.objects.exists()


def test_after_the_password_the_code_is_asked(door, fan):
    secret = set_up(door)
    other = Door()
    assert other.sign_in(EMAIL, PASSWORD, "/login?next=/news").to == "/two-factor"
    assert other.user_id == ""
    assert find("/profile", viewer_get(user_id=None)) == Redirect("/login?next=%2Fprofile")
    assert WRONG in other.post("/two-factor", code="000000").text
    assert by_code(other, secret).to == "/news"
    assert other.user_id == str(fan.pk)


def test_a_code_is_taken_once(door):
    secret = set_up(door)
    first, second = Door(), Door()
    first.sign_in(EMAIL, PASSWORD)
    second.sign_in(EMAIL, PASSWORD)
    before = time.time()
    typed = code(secret, before)
    if first.post("/two-factor", code=typed).status == 302:
        assert WRONG in second.post("/two-factor", code=typed).text
    assert second.user_id == ""


def test_codes_cannot_be_guessed(door):
    secret = set_up(door)
    guesser = Door()
    guesser.sign_in(EMAIL, PASSWORD)
    answers = [guesser.post("/two-factor", code=f"{number:06}").text for number in range(6)]
    assert [WRONG in each for each in answers] == [True] * 5 + [False]
    assert "Too many attempts. Please try again later." in answers[-1]
    assert guesser.post("/two-factor", code=code(secret)).status == 200
    assert guesser.user_id == ""


def test_a_recovery_code_lets_in_once(door, fan):
    set_up(door)
    kept = codes_of(door)
    assert len(set(kept)) == 10
    downloaded = door.get("/profile/two-factor/codes/download")
    assert downloaded.html.split() == kept
    assert "attachment" in downloaded.headers["Content-Disposition"]
    other = Door()
    other.sign_in(EMAIL, PASSWORD)
    assert other.post("/two-factor", code=kept[3]).to == "/"
    assert other.user_id == str(fan.pk)
    again = Door()
    again.sign_in(EMAIL, PASSWORD)
    assert WRONG in again.post("/two-factor", code=kept[3]).text
    assert codes_of(door) == [each for each in kept if each != kept[3]]


def test_new_codes_end_the_old_ones(door, fan):
    set_up(door)
    old = codes_of(door)
    assert door.post("/profile/two-factor/codes/new").to == "/profile/two-factor/codes"
    seen = door.get("/profile/two-factor/codes")
    assert "These are your new recovery codes. The old ones no longer work." in seen.text
    assert not set(old) & set(codes_of(door))
    assert "new recovery codes were made" in mails()[-1].body
    assert [each.action for each in audit_own(user_id=fan.pk)][-1] == "factor.codes.renew"


def test_turning_off_asks_first_and_leaves_nothing(door, fan):
    set_up(door)
    mails()
    assert "Turn off the authenticator app?" in door.get("/profile/two-factor/app/off").text
    assert door.post("/profile/two-factor/app/off").to == "/profile/two-factor"
    assert "Codes from your app are no longer asked." in door.get("/profile/two-factor").text
    assert not Authenticator.objects.exists()
    assert "the authenticator app was taken away" in mails()[0].body
    assert Door().sign_in(EMAIL, PASSWORD).to == "/"


def test_what_is_not_there_leads_to_what_is(door):
    for path in ("/app/off", "/codes", "/codes/download"):
        assert door.get(f"/profile/two-factor{path}").to == "/profile/two-factor", path
    for path in ("name?key=1", "remove?key=x", "remove"):
        assert door.get(f"/profile/passkeys/{path}").to == "/profile/two-factor", path


def test_another_persons_passkey_is_none(door, fan):
    other = account_create(email="other@example.org", password=PASSWORD, username="other")
    key = Authenticator.objects.create(user=other, type="webauthn", data={"name": "theirs", "credential": {}}).pk
    for what in ("name", "remove"):
        assert door.get(f"/profile/passkeys/{what}?key={key}").to == "/profile/two-factor"
        token = door.get("/profile/two-factor/app").fields["csrfmiddlewaretoken"]["value"]
        typed = {"csrfmiddlewaretoken": token, "name": "mine"}
        answer = door.client.post(f"/profile/passkeys/{what}?key={key}", typed)
        assert answer["Location"] == "/profile/two-factor"
    assert factors_get(user_id=other.pk).passkeys[0].name == "theirs"


def test_what_matters_needs_a_fresh_sign_in(door, fan):
    set_up(door)
    older(fan.pk, 601)
    for path in [*(f"/profile/two-factor{each}" for each in PLACES), *PASSKEYS]:
        assert door.get(path).to.startswith("/reauthenticate?next=/profile/"), path
    assert door.get("/profile/two-factor").status == 200
    token = door.get("/reauthenticate").fields["csrfmiddlewaretoken"]["value"]
    answer = door.client.post("/profile/two-factor/app/off", {"csrfmiddlewaretoken": token})
    assert answer["Location"].startswith("/reauthenticate?")
    assert Authenticator.objects.filter(type="totp").exists()
    page = "/reauthenticate?next=/profile/two-factor/codes"
    assert "Incorrect password." in door.post(page, password="wrong").text
    assert door.post(page, password=PASSWORD).to == "/profile/two-factor/codes"
    assert len(codes_of(door)) == 10


def test_a_code_proves_it_too(door, fan):
    secret = set_up(door)
    older(fan.pk, 601)
    assert 'href="/reauthenticate/code?next=' in door.get("/reauthenticate?next=/profile/two-factor/codes").html
    path = "/reauthenticate/code?next=/profile/two-factor/codes"
    assert WRONG in door.post(path, code="000000").text
    assert by_code(door, secret, path).to == "/profile/two-factor/codes"
    assert len(codes_of(door)) == 10


def test_whoever_has_no_password_is_not_taken_for_fresh(fan):
    door = Door()
    door.sign_in(EMAIL, PASSWORD)
    User.objects.filter(pk=fan.pk).update(password="!unusable")
    session = door.client.session
    session["_auth_user_hash"] = User.objects.get(pk=fan.pk).get_session_auth_hash()
    session.save()
    older(fan.pk, 601)
    assert door.get("/profile/two-factor/app").to == "/reauthenticate?next=/profile/two-factor/app"
    seen = door.get("/reauthenticate")
    assert "password" not in seen.fields
    assert 'href="/forgot-password"' in seen.html


def test_codes_that_another_key_has_stored_let_nobody_in(door, settings):
    secret = set_up(door)
    other = Door()
    other.sign_in(EMAIL, PASSWORD)
    data = {"secret": Authenticator.objects.get(type="totp").data["secret"][:-4] + "AAA="}
    Authenticator.objects.filter(type="totp").update(data=data)
    assert WRONG in other.post("/two-factor", code=code(secret)).text
    assert other.user_id == ""


def test_the_operator_forgets_what_somebody_has_lost(door, fan):
    set_up(door)
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
    assert Door().sign_in(EMAIL, PASSWORD).to == "/"


def test_nobody_else_forgets_second_factors(door, fan):
    set_up(door)
    with pytest.raises(PermissionDenied):
        factors_forget(actor=Viewer(id=fan.pk), account_id=fan.pk)
    assert Authenticator.objects.exists()


@pytest.fixture
def asked_of_administrators(settings):
    settings.MFA_REQUIRED_FOR_ADMINISTRATORS = True


@pytest.fixture
def administrator(fan):
    User.objects.filter(pk=fan.pk).update(is_admin=True)
    return fan


def test_an_administrator_without_a_second_factor_is_none(asked_of_administrators, administrator):
    door = Door()
    assert door.sign_in(EMAIL, PASSWORD).to == "/profile/two-factor"
    assert "Administrators need one of these" in door.get("/profile/two-factor").text
    key = door.client.cookies[settings.SESSION_COOKIE_NAME].value
    viewers = [viewer_get(user_id=administrator.pk), seats_get(keys=[(key, administrator.pk)])[key].viewer]
    assert {(each.is_admin, each.lacks_factor) for each in viewers} == {(False, True)}
    assert not is_administrator(viewers[0])
    assert find("/admin", viewers[0]) == Redirect("/profile/two-factor")
    assert find("/admin/sessions", viewers[1]) == Redirect("/profile/two-factor")


def test_with_one_it_is_an_administrator(asked_of_administrators, administrator):
    door = Door()
    door.sign_in(EMAIL, PASSWORD)
    secret = set_up(door)
    key = door.client.cookies[settings.SESSION_COOKIE_NAME].value
    viewers = [viewer_get(user_id=administrator.pk), seats_get(keys=[(key, administrator.pk)])[key].viewer]
    assert {(each.is_admin, each.lacks_factor) for each in viewers} == {(True, False)}
    assert is_administrator(viewers[0])
    other = Door()
    other.sign_in(EMAIL, PASSWORD)
    assert by_code(other, secret).to == "/"
    door.post("/profile/two-factor/app/off")
    assert not is_administrator(viewers[0])


def test_fans_are_asked_nothing(asked_of_administrators, fan):
    viewer = viewer_get(user_id=fan.pk)
    assert (viewer.is_admin, viewer.lacks_factor) == (False, False)
    assert find("/admin", viewer) == Redirect("/")
    assert Door().sign_in(EMAIL, PASSWORD).to == "/"


def test_recovery_codes_alone_are_no_second_factor(asked_of_administrators, administrator):
    Authenticator.objects.create(user=administrator, type="recovery_codes", data={})
    assert not is_administrator(Viewer(id=administrator.pk))


def test_on_ones_own_machine_the_flag_is_enough(administrator):
    assert settings.MFA_REQUIRED_FOR_ADMINISTRATORS is False
    assert is_administrator(Viewer(id=administrator.pk))
    assert viewer_get(user_id=administrator.pk).is_admin


def test_open_windows_are_told(door, fan, monkeypatch):
    told = []
    monkeypatch.setattr("apps.accounts.services.factors.publish", told.append)
    set_up(door)
    assert told == [AccountChanged(fan.pk)]


ATTESTED = {"clientDataJSON": "e30", "authenticatorData": "AA", "attestationObject": "oA", "signature": "AA"}
PASSKEY = {"id": "AA", "rawId": "AA", "type": "public-key"}
NO_PASSKEYS = [
    *("", "no json", "[]", "{}", '"x"', "null", "1", "[" * 20_000, '{"a":' * 10_000, '{"id": "x", "response": 1}'),
    *(json.dumps(PASSKEY | {"response": each}) for each in ({}, ATTESTED, ATTESTED | {"userHandle": "_w"})),
]


@pytest.mark.parametrize("credential", NO_PASSKEYS)
def test_what_is_no_passkey_is_refused(door, fan, credential):
    stranger = Door()
    challenge = stranger.client.get("/login/passkey").json()["publicKey"]
    assert (challenge["rpId"], challenge["userVerification"]) == ("localhost", "required")
    token = stranger.get("/login").fields["csrfmiddlewaretoken"]["value"]
    answer = stranger.client.post("/login/passkey", {"csrfmiddlewaretoken": token, "credential": credential})
    assert answer["Location"] == "/login"
    assert "This passkey could not be used here. Please log in another way." in stranger.get("/login").text
    assert stranger.user_id == ""
    assert door.post("/profile/passkeys/add", credential=credential, name="x").status == 200
    assert not Authenticator.objects.exists()
