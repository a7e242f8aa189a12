"""An authenticator app and recovery codes: set up, requested after the password, renewed and removed."""

import re

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


def test_setup_shows_the_secret_and_stores_it_encrypted(browser, fan):
    overview = browser.get("/profile/two-factor")
    assert (overview.status, overview.headers["Cache-Control"]) == (200, "no-store")
    assert "Authenticator app Off" in overview.text
    assert "Recovery codes" not in overview.text
    page = browser.get("/profile/two-factor/app")
    assert '<svg class="qr"' in page.html
    assert page.fields["code"]["autocomplete"] == "one-time-code"
    secret = set_up(browser)
    overview = browser.get("/profile/two-factor")
    assert "Authenticator app On" in overview.text
    assert "Recovery codes" in overview.text
    assert secret not in Authenticator.objects.get(type="totp").data["secret"]
    assert [entry.action for entry in audit_own(user_id=fan.pk)] == ["factor.app.add"]
    [mail] = mails()
    assert mail.to == [EMAIL]
    assert "an authenticator app was added" in mail.body
    assert "an authenticator app was added" in mail.alternatives[0][0]
    assert secret not in mail.body


def test_wrong_code_keeps_the_secret_and_adds_no_factor(browser):
    first = browser.get("/profile/two-factor/app")
    hidden = {name: first.fields[name]["value"] for name in ("csrfmiddlewaretoken", "secret")}
    answer = browser._seen(browser.client.post("/profile/two-factor/app", {**hidden, "code": "000000"}))
    assert WRONG in answer.text
    assert answer.wrong == ["code"]
    shown = re.findall(r'class="secret">([^<]+)<', answer.html)
    assert shown == re.findall(r'class="secret">([^<]+)<', first.html)
    assert "Please enter the code" in browser.post("/profile/two-factor/app", code="").text
    assert not Authenticator.objects.exists()


def test_secret_requires_the_signature_for_its_account(browser, fan):
    page = browser.get("/profile/two-factor/app")
    hidden = {"csrfmiddlewaretoken": page.fields["csrfmiddlewaretoken"]["value"]}
    other_signed = Signer(salt=f"parterre.totp.{fan.pk + 1}").sign(CHOSEN)
    for posted in (CHOSEN, f"{CHOSEN}:made-up", other_signed, ""):
        answer = browser.client.post("/profile/two-factor/app", {**hidden, "secret": posted, "code": code(CHOSEN)})
        assert WRONG in answer.content.decode()
    assert not Authenticator.objects.exists()


def test_sign_in_requires_the_code_after_the_password(browser, fan):
    secret = set_up(browser)
    other = PlainBrowser()
    assert other.sign_in(EMAIL, PASSWORD, "/login?next=/news").to == "/two-factor"
    assert other.user_id == ""
    assert find("/profile", viewer_get(user_id=None)) == Redirect("/login?next=%2Fprofile")
    assert WRONG in other.post("/two-factor", code="000000").text
    assert by_code(other, secret).to == "/news"
    assert other.user_id == str(fan.pk)


@pytest.mark.parametrize("remember", [{}, {"remember": "on"}])
def test_remember_me_applies_after_the_code(browser, fan, remember):
    secret = set_up(browser)
    other = PlainBrowser()
    assert other.sign_in(EMAIL, PASSWORD, **remember).to == "/two-factor"
    assert by_code(other, secret).to == "/"
    cookie = other.client.cookies[settings.SESSION_COOKIE_NAME]
    assert cookie["max-age"] == (30 * 24 * 3600 if remember else "")
    assert AuthSession.objects.get(key=cookie.value).remembered is bool(remember)


def test_code_is_accepted_once(browser):
    secret = set_up(browser)
    first, second = PlainBrowser(), PlainBrowser()
    first.sign_in(EMAIL, PASSWORD)
    second.sign_in(EMAIL, PASSWORD)
    shown = code(secret)
    if first.post("/two-factor", code=shown).status == 302:
        assert WRONG in second.post("/two-factor", code=shown).text
    assert second.user_id == ""


def test_wrong_codes_are_limited(browser):
    secret = set_up(browser)
    guesser = PlainBrowser()
    guesser.sign_in(EMAIL, PASSWORD)
    texts = [guesser.post("/two-factor", code=f"{number:06}").text for number in range(6)]
    assert [WRONG in text for text in texts] == [True] * 5 + [False]
    assert "Too many attempts. Please try again later." in texts[-1]
    assert guesser.post("/two-factor", code=code(secret)).status == 200
    assert guesser.user_id == ""


def test_recovery_code_is_accepted_once(browser, fan):
    set_up(browser)
    kept = codes_of(browser)
    assert len(set(kept)) == 10
    downloaded = browser.get("/profile/two-factor/codes/download")
    assert downloaded.html.split() == kept
    assert "attachment" in downloaded.headers["Content-Disposition"]
    other = PlainBrowser()
    other.sign_in(EMAIL, PASSWORD)
    assert other.post("/two-factor", code=kept[3]).to == "/"
    assert other.user_id == str(fan.pk)
    again = PlainBrowser()
    again.sign_in(EMAIL, PASSWORD)
    assert WRONG in again.post("/two-factor", code=kept[3]).text
    assert codes_of(browser) == [each for each in kept if each != kept[3]]


def test_new_recovery_codes_replace_the_old_ones(browser, fan):
    set_up(browser)
    old = codes_of(browser)
    assert browser.post("/profile/two-factor/codes/new").to == "/profile/two-factor/codes"
    response = browser.get("/profile/two-factor/codes")
    assert "These are your new recovery codes. The old ones no longer work." in response.text
    assert not set(old) & set(codes_of(browser))
    assert "new recovery codes were made" in mails()[-1].body
    assert [entry.action for entry in audit_own(user_id=fan.pk)][-1] == "factor.codes.renew"


def test_app_is_removed_after_a_confirmation(browser, fan):
    set_up(browser)
    mails()
    assert "Turn off the authenticator app?" in browser.get("/profile/two-factor/app/off").text
    assert browser.post("/profile/two-factor/app/off").to == "/profile/two-factor"
    assert "Codes from your app are no longer asked." in browser.get("/profile/two-factor").text
    assert not Authenticator.objects.exists()
    assert "the authenticator app was taken away" in mails()[0].body
    assert PlainBrowser().sign_in(EMAIL, PASSWORD).to == "/"


def test_missing_factors_redirect_to_the_overview(browser):
    for path in ("/app/off", "/codes", "/codes/download"):
        assert browser.get(f"/profile/two-factor{path}").to == "/profile/two-factor", path
    for path in ("name?key=1", "remove?key=x", "remove"):
        assert browser.get(f"/profile/passkeys/{path}").to == "/profile/two-factor", path


def test_passkey_can_be_changed_only_by_its_owner(browser, fan):
    other = account_create(email="other@example.org", password=PASSWORD, username="other")
    key = Authenticator.objects.create(user=other, type="webauthn", data={"name": "theirs", "credential": {}}).pk
    for what in ("name", "remove"):
        assert browser.get(f"/profile/passkeys/{what}?key={key}").to == "/profile/two-factor"
        token = browser.get("/profile/two-factor/app").fields["csrfmiddlewaretoken"]["value"]
        form = {"csrfmiddlewaretoken": token, "name": "mine"}
        answer = browser.client.post(f"/profile/passkeys/{what}?key={key}", form)
        assert answer["Location"] == "/profile/two-factor"
    assert factors_get(user_id=other.pk).passkeys[0].name == "theirs"
