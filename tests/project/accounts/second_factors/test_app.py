"""An authenticator app and recovery codes: set up, requested after the password, renewed and removed."""

import re
import time

import pytest
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.core.signing import Signer

from apps.accounts.models import AuthSession
from apps.accounts.selectors.own_account import factors_get
from apps.accounts.selectors.sessions import viewer_get
from apps.accounts.services.accounts import account_create
from apps.core.audit import audit_own
from components.routes import find
from components.runtime.page import Redirect
from tests.factories import PASSWORD
from tests.project.accounts.second_factors.setting_up import EMAIL, WRONG, by_code, code, codes_of, set_up
from tests.project.plain_browser import PlainBrowser, mails

pytestmark = pytest.mark.django_db(transaction=True)
CHOSEN = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"


def test_the_overview_says_what_there_is(plain_browser):
    seen = plain_browser.get("/profile/two-factor")
    assert (seen.status, seen.headers["Cache-Control"]) == (200, "no-store")
    assert "Authenticator app Off" in seen.text
    assert "Recovery codes" not in seen.text
    set_up(plain_browser)
    seen = plain_browser.get("/profile/two-factor")
    assert "Authenticator app On" in seen.text
    assert "Recovery codes" in seen.text


def test_setting_up_shows_the_secret_in_two_forms_and_keeps_it_encrypted(plain_browser, fan):
    page = plain_browser.get("/profile/two-factor/app")
    assert '<svg class="qr"' in page.html
    assert page.fields["code"]["autocomplete"] == "one-time-code"
    secret = set_up(plain_browser)
    stored = Authenticator.objects.get(type="totp").data["secret"]
    assert secret not in stored
    assert [each.action for each in audit_own(user_id=fan.pk)] == ["factor.app.add"]
    [mail] = mails()
    assert mail.to == [EMAIL]
    assert "an authenticator app was added" in mail.body
    assert "an authenticator app was added" in mail.alternatives[0][0]
    assert secret not in mail.body


def test_a_wrong_code_sets_nothing_up_and_keeps_the_secret(plain_browser):
    first = plain_browser.get("/profile/two-factor/app")
    hidden = {name: first.fields[name]["value"] for name in ("csrfmiddlewaretoken", "secret")}
    answer = plain_browser._seen(plain_browser.client.post("/profile/two-factor/app", {**hidden, "code": "000000"}))
    assert WRONG in answer.text
    assert answer.wrong == ["code"]
    shown = re.findall(r'class="secret">([^<]+)<', answer.html)
    assert shown == re.findall(r'class="secret">([^<]+)<', first.html)
    assert "Please enter the code" in plain_browser.post("/profile/two-factor/app", code="").text
    assert not Authenticator.objects.exists()


def test_a_secret_that_somebody_else_has_chosen_is_none(plain_browser, fan):
    page = plain_browser.get("/profile/two-factor/app")
    hidden = {"csrfmiddlewaretoken": page.fields["csrfmiddlewaretoken"]["value"]}
    theirs = Signer(salt=f"parterre.totp.{fan.pk + 1}").sign(CHOSEN)
    for brought in (CHOSEN, f"{CHOSEN}:made-up", theirs, ""):
        answer = plain_browser.client.post(
            "/profile/two-factor/app", {**hidden, "secret": brought, "code": code(CHOSEN)}
        )
        assert WRONG in answer.content.decode()
    assert not Authenticator.objects.exists()


def test_after_the_password_the_code_is_asked(plain_browser, fan):
    secret = set_up(plain_browser)
    other = PlainBrowser()
    assert other.sign_in(EMAIL, PASSWORD, "/login?next=/news").to == "/two-factor"
    assert other.user_id == ""
    assert find("/profile", viewer_get(user_id=None)) == Redirect("/login?next=%2Fprofile")
    assert WRONG in other.post("/two-factor", code="000000").text
    assert by_code(other, secret).to == "/news"
    assert other.user_id == str(fan.pk)


@pytest.mark.parametrize("remember", [{}, {"remember": "on"}])
def test_remember_me_holds_though_a_code_was_asked(plain_browser, fan, remember):
    secret = set_up(plain_browser)
    other = PlainBrowser()
    assert other.sign_in(EMAIL, PASSWORD, **remember).to == "/two-factor"
    assert by_code(other, secret).to == "/"
    cookie = other.client.cookies[settings.SESSION_COOKIE_NAME]
    assert cookie["max-age"] == (30 * 24 * 3600 if remember else "")
    assert AuthSession.objects.get(key=cookie.value).remembered is bool(remember)


def test_a_code_is_taken_once(plain_browser):
    secret = set_up(plain_browser)
    first, second = PlainBrowser(), PlainBrowser()
    first.sign_in(EMAIL, PASSWORD)
    second.sign_in(EMAIL, PASSWORD)
    before = time.time()
    typed = code(secret, before)
    if first.post("/two-factor", code=typed).status == 302:
        assert WRONG in second.post("/two-factor", code=typed).text
    assert second.user_id == ""


def test_codes_cannot_be_guessed(plain_browser):
    secret = set_up(plain_browser)
    guesser = PlainBrowser()
    guesser.sign_in(EMAIL, PASSWORD)
    answers = [guesser.post("/two-factor", code=f"{number:06}").text for number in range(6)]
    assert [WRONG in each for each in answers] == [True] * 5 + [False]
    assert "Too many attempts. Please try again later." in answers[-1]
    assert guesser.post("/two-factor", code=code(secret)).status == 200
    assert guesser.user_id == ""


def test_a_recovery_code_lets_in_once(plain_browser, fan):
    set_up(plain_browser)
    kept = codes_of(plain_browser)
    assert len(set(kept)) == 10
    downloaded = plain_browser.get("/profile/two-factor/codes/download")
    assert downloaded.html.split() == kept
    assert "attachment" in downloaded.headers["Content-Disposition"]
    other = PlainBrowser()
    other.sign_in(EMAIL, PASSWORD)
    assert other.post("/two-factor", code=kept[3]).to == "/"
    assert other.user_id == str(fan.pk)
    again = PlainBrowser()
    again.sign_in(EMAIL, PASSWORD)
    assert WRONG in again.post("/two-factor", code=kept[3]).text
    assert codes_of(plain_browser) == [each for each in kept if each != kept[3]]


def test_new_codes_end_the_old_ones(plain_browser, fan):
    set_up(plain_browser)
    old = codes_of(plain_browser)
    assert plain_browser.post("/profile/two-factor/codes/new").to == "/profile/two-factor/codes"
    seen = plain_browser.get("/profile/two-factor/codes")
    assert "These are your new recovery codes. The old ones no longer work." in seen.text
    assert not set(old) & set(codes_of(plain_browser))
    assert "new recovery codes were made" in mails()[-1].body
    assert [each.action for each in audit_own(user_id=fan.pk)][-1] == "factor.codes.renew"


def test_turning_off_asks_first_and_leaves_nothing(plain_browser, fan):
    set_up(plain_browser)
    mails()
    assert "Turn off the authenticator app?" in plain_browser.get("/profile/two-factor/app/off").text
    assert plain_browser.post("/profile/two-factor/app/off").to == "/profile/two-factor"
    assert "Codes from your app are no longer asked." in plain_browser.get("/profile/two-factor").text
    assert not Authenticator.objects.exists()
    assert "the authenticator app was taken away" in mails()[0].body
    assert PlainBrowser().sign_in(EMAIL, PASSWORD).to == "/"


def test_what_is_not_there_leads_to_what_is(plain_browser):
    for path in ("/app/off", "/codes", "/codes/download"):
        assert plain_browser.get(f"/profile/two-factor{path}").to == "/profile/two-factor", path
    for path in ("name?key=1", "remove?key=x", "remove"):
        assert plain_browser.get(f"/profile/passkeys/{path}").to == "/profile/two-factor", path


def test_another_persons_passkey_is_none(plain_browser, fan):
    other = account_create(email="other@example.org", password=PASSWORD, username="other")
    key = Authenticator.objects.create(user=other, type="webauthn", data={"name": "theirs", "credential": {}}).pk
    for what in ("name", "remove"):
        assert plain_browser.get(f"/profile/passkeys/{what}?key={key}").to == "/profile/two-factor"
        token = plain_browser.get("/profile/two-factor/app").fields["csrfmiddlewaretoken"]["value"]
        typed = {"csrfmiddlewaretoken": token, "name": "mine"}
        answer = plain_browser.client.post(f"/profile/passkeys/{what}?key={key}", typed)
        assert answer["Location"] == "/profile/two-factor"
    assert factors_get(user_id=other.pk).passkeys[0].name == "theirs"
