"""Invalid passkeys sign nobody in and cause no server error."""

import json

import pytest
from allauth.mfa.models import Authenticator

from tests.project.plain_browser import PlainBrowser

pytestmark = pytest.mark.django_db(transaction=True)
ATTESTED = {"clientDataJSON": "e30", "authenticatorData": "AA", "attestationObject": "oA", "signature": "AA"}
PASSKEY = {"id": "AA", "rawId": "AA", "type": "public-key"}
NO_PASSKEYS = [
    *("", "no json", "[]", "{}", '"x"', "null", "1", "[" * 20_000, '{"a":' * 10_000, '{"id": "x", "response": 1}'),
    *(json.dumps(PASSKEY | {"response": each}) for each in ({}, ATTESTED, ATTESTED | {"userHandle": "_w"})),
]


def asked(plain_browser: PlainBrowser, path: str, token: str):
    """Return the challenge that this browser receives for a passkey."""
    answer = plain_browser.client.post(path, {"csrfmiddlewaretoken": token, "question": "1"})
    assert answer.status_code == 200, answer.content
    return answer.json()


def test_what_a_browser_is_asked_with_takes_a_post_with_a_token(plain_browser, fan):
    assert PlainBrowser().get("/login/passkey").to == "/login"
    assert PlainBrowser().client.post("/login/passkey", {"question": "1"}).status_code == 403
    token = plain_browser.get("/profile/passkeys/add").fields["csrfmiddlewaretoken"]["value"]
    assert asked(plain_browser, "/profile/passkeys/add", token)["publicKey"]["user"]["name"]
    refused = plain_browser.client.post("/reauthenticate/passkey", {"csrfmiddlewaretoken": token, "question": "1"})
    assert refused.status_code == 400, "this account has none"
    stranger = PlainBrowser()
    token = stranger.get("/login").fields["csrfmiddlewaretoken"]["value"]
    answer = stranger.client.post("/profile/passkeys/add", {"csrfmiddlewaretoken": token, "question": "1"})
    assert answer["Location"].startswith("/login?next=")


@pytest.mark.parametrize("credential", NO_PASSKEYS)
def test_what_is_no_passkey_is_refused(plain_browser, fan, credential):
    stranger = PlainBrowser()
    token = stranger.get("/login").fields["csrfmiddlewaretoken"]["value"]
    challenge = asked(stranger, "/login/passkey", token)["publicKey"]
    assert (challenge["rpId"], challenge["userVerification"]) == ("localhost", "required")
    answer = stranger.client.post("/login/passkey", {"csrfmiddlewaretoken": token, "credential": credential})
    assert answer["Location"] == "/login"
    assert "This passkey could not be used here. Please log in another way." in stranger.get("/login").text
    assert stranger.user_id == ""
    assert plain_browser.post("/profile/passkeys/add", credential=credential, name="x").status == 200
    assert not Authenticator.objects.exists()
