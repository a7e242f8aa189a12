"""What browsers may send in place of a passkey lets nobody in and breaks nothing."""

import json

import pytest
from allauth.mfa.models import Authenticator

from tests.project.doors import Door

pytestmark = pytest.mark.django_db(transaction=True)
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
