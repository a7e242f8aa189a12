"""An OpenID provider as a process: oidc-provider-mock, with a check of PKCE.

`python -m tests.provider PORT CLAIMS` serves users with these claims (a JSON list, each with a `sub`). A user whose
`sub` is in FAULTS gets an ID token with that fault.
"""

import base64
import hashlib
import json
import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Any
from urllib.parse import parse_qs, urlsplit

import flask
import jwt
import uvicorn
from cryptography.hazmat.primitives.asymmetric import rsa

from tests.e2e.server import free_port

CLIENT = {"GOOGLE_CLIENT_ID": "parterre-tests", "GOOGLE_CLIENT_SECRET": "not-much-of-a-secret"}
PATIENCE = 120.0  # seconds
HOUR = 3_600  # seconds
Claims = Mapping[str, Any]
EditConflict = Callable[[dict[str, Any]], dict[str, Any]]
FAULTS: Mapping[
    str, EditConflict
] = {  # the changed claims of a faulty token; all but the first two are signed correctly
    "forged": lambda claims: claims,
    "unsigned": lambda claims: claims,
    "another-audience": lambda claims: {**claims, "aud": "another-client"},
    "several-audiences": lambda claims: {**claims, "aud": [*claims["aud"], "another-client"]},
    "another-issuer": lambda claims: {**claims, "iss": "https://accounts.example"},
    "not-yet": lambda claims: {**claims, "nbf": int(time.time()) + HOUR},
    "issued-later": lambda claims: {**claims, "iat": int(time.time()) + HOUR},
    "expired": lambda claims: {**claims, "exp": int(time.time()) - HOUR},
    "without-end": lambda claims: {name: each for name, each in claims.items() if name != "exp"},
    "another-nonce": lambda claims: {**claims, "nonce": "another"},
    "without-nonce": lambda claims: {name: each for name, each in claims.items() if name != "nonce"},
}


@contextmanager
def provider(people: Sequence[Claims]) -> Iterator[str]:
    """Yield the address of a provider of these users."""
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    command = [sys.executable, "-m", "tests.provider", str(port), json.dumps(list(people))]
    environment = {**os.environ, "AUTHLIB_INSECURE_TRANSPORT": "1"}
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            until = time.monotonic() + PATIENCE
            while not _answers(address):
                assert process.poll() is None, "the provider did not start"
                assert time.monotonic() < until, "the provider does not answer"
                time.sleep(0.05)
            yield address
        finally:
            process.kill()


def environment(address: str) -> dict[str, str]:
    """Return the environment variables with which a site uses this provider."""
    return {
        **CLIENT,
        "GOOGLE_AUTHORIZE_URL": f"{address}/oauth2/authorize",
        "GOOGLE_TOKEN_URL": f"{address}/oauth2/token",
        "GOOGLE_ISSUER": address,
        "GOOGLE_KEYS_URL": f"{address}/jwks",
    }


def _answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(f"{address}/.well-known/openid-configuration", timeout=5) as response:  # noqa: S310 - ours
            return bool(response.status == 200)
    except (urllib.error.URLError, OSError):
        return False


def _serve(port: int, people: Sequence[dict[str, Any]]) -> None:
    mock: Any = import_module("oidc_provider_mock")
    users = [mock.User(sub=each.pop("sub"), claims=each) for each in people]
    served = mock.app(user_claims=users, issue_refresh_token=False)
    challenges: dict[str, str] = {}

    def keep(response: flask.Response) -> flask.Response:
        code = parse_qs(urlsplit(response.headers.get("Location", "")).query).get("code")
        if code:
            assert flask.request.args["code_challenge_method"] == "S256"
            challenges[code[0]] = flask.request.args["code_challenge"]
        return response

    def proved() -> Any:
        if not flask.request.path.endswith("/token"):
            return None
        verifier = flask.request.form.get("code_verifier", "")
        made = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")
        wanted = challenges.pop(flask.request.form.get("code", ""), None)
        return None if made == wanted else (flask.jsonify({"error": "invalid_grant"}), 400)

    def signed(response: flask.Response) -> flask.Response:
        answer = response.get_json(silent=True) if flask.request.path.endswith("/token") else None
        if answer and "id_token" in answer:
            kept = import_module("oidc_provider_mock._app").storage.jwk
            response.set_data(json.dumps({**answer, "id_token": _signed(answer["id_token"], kept)}))
        return response

    served.after_request(keep)
    served.after_request(signed)
    served.before_request(proved)
    uvicorn.run(served, interface="wsgi", port=port, log_level="error")


def _signed(token: str, kept: Any) -> str:
    """Return the token with its key's id, or with the fault that its `sub` names."""
    claims = jwt.decode(token, options={"verify_signature": False})
    fault = claims["sub"]
    changed = FAULTS[fault](claims) if fault in FAULTS else claims
    headers = {"kid": kept.as_dict(is_private=False).get("kid") or kept.thumbprint()}
    if fault == "unsigned":
        return jwt.encode(changed, None, algorithm="none", headers=headers)
    key = jwt.PyJWK(kept.as_dict(is_private=True), algorithm="RS256").key
    if fault == "forged":
        key = rsa.generate_private_key(65537, 2048)
    return jwt.encode(changed, key, algorithm="RS256", headers=headers)


if __name__ == "__main__":
    _serve(int(sys.argv[1]), json.loads(sys.argv[2]))
