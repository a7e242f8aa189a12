"""Invalid passkeys do not sign in and cause no server error."""

import json
from unittest.mock import DEFAULT, patch

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.webauthn.internal import auth
from django.conf import settings
from django.core.exceptions import ValidationError

from apps.accounts.models import AuthSession
from tests.offenders import check_each
from tests.project.plain_browser import PlainBrowser
from tests.rate_limits import attempts_clear

pytestmark = pytest.mark.django_db(transaction=True)
ATTESTED = {"clientDataJSON": "e30", "authenticatorData": "AA", "attestationObject": "oA", "signature": "AA"}
PASSKEY = {"id": "AA", "rawId": "AA", "type": "public-key"}
INVALID_PASSKEYS = [
    *("", "no json", "[]", "{}", '"x"', "null", "1", "[" * 20_000, '{"a":' * 10_000, '{"id": "x", "response": 1}'),
    *(json.dumps(PASSKEY | {"response": response}) for response in ({}, ATTESTED, ATTESTED | {"userHandle": "_w"})),
]


def challenge_get(browser: PlainBrowser, path: str, token: str):
    """Return the challenge that this browser receives for a passkey."""
    answer = browser.client.post(path, {"csrfmiddlewaretoken": token, "question": "1"})
    assert answer.status_code == 200, answer.content
    return answer.json()


def test_passkey_challenge_requires_a_post_with_a_token(browser, fan):
    assert PlainBrowser().get("/login/passkey").to == "/login"
    assert PlainBrowser().client.post("/login/passkey", {"question": "1"}).status_code == 403
    token = browser.get("/profile/passkeys/add").fields["csrfmiddlewaretoken"]["value"]
    assert challenge_get(browser, "/profile/passkeys/add", token)["publicKey"]["user"]["name"]
    refused = browser.client.post("/reauthenticate/passkey", {"csrfmiddlewaretoken": token, "question": "1"})
    assert refused.status_code == 400, "this account has none"
    anonymous = PlainBrowser()
    token = anonymous.get("/login").fields["csrfmiddlewaretoken"]["value"]
    answer = anonymous.client.post("/profile/passkeys/add", {"csrfmiddlewaretoken": token, "question": "1"})
    assert answer["Location"].startswith("/login?next=")


def test_passkey_challenge_of_the_sign_in_leaves_sessions_alone():
    """A late answer for the sign-in page does not replace the session of a sign-in in another tab."""
    anonymous = PlainBrowser()
    token = anonymous.get("/login").fields["csrfmiddlewaretoken"]["value"]
    form = {"csrfmiddlewaretoken": token, "credential": json.dumps(PASSKEY | {"response": ATTESTED})}
    challenge_get(anonymous, "/login/passkey", token)
    challenge = anonymous.client.cookies[settings.PASSKEY_COOKIE_NAME]
    assert settings.SESSION_COOKIE_NAME not in anonymous.client.cookies
    assert (challenge["httponly"], challenge["samesite"]) == (True, "Lax")
    assert not AuthSession.objects.exists()
    used = []

    def noted(*_):
        used.append(auth.get_state())
        raise ValidationError("refused")

    others = dict.fromkeys(("parse_authentication_response", "extract_user_from_response"), DEFAULT)
    with patch.multiple(auth, complete_authentication=noted, **others):
        for value in (challenge.value, challenge.value, f"{challenge.value[:-1]}!", ""):
            anonymous.client.cookies[settings.PASSKEY_COOKIE_NAME] = value
            anonymous.client.post("/login/passkey", form)
            assert anonymous.client.cookies[settings.PASSKEY_COOKIE_NAME].value == ""
    assert [state and len(state["challenge"]) > 20 for state in used] == [True, None, None, None]
    assert not AuthSession.objects.exists()


def test_invalid_passkey_is_refused(browser, fan):
    def check(credential):
        attempts_clear()
        anonymous = PlainBrowser()
        token = anonymous.get("/login").fields["csrfmiddlewaretoken"]["value"]
        challenge = challenge_get(anonymous, "/login/passkey", token)["publicKey"]
        assert (challenge["rpId"], challenge["userVerification"]) == ("localhost", "required")
        response = anonymous.client.post("/login/passkey", {"csrfmiddlewaretoken": token, "credential": credential})
        assert response["Location"] == "/login"
        assert "This passkey could not be used here. Please log in another way." in anonymous.get("/login").text
        assert anonymous.user_id == ""
        assert browser.post("/profile/passkeys/add", credential=credential, name="x").status == 200

    check_each(INVALID_PASSKEYS, check)
    assert not Authenticator.objects.exists()
