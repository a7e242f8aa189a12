"""An OpenID provider to sign in with, as a process: oidc-provider-mock, asking for the proof of PKCE.

`python -m tests.provider PORT CLAIMS` serves people with these claims (a JSON list, each with a `sub`).
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
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Any
from urllib.parse import parse_qs, urlsplit

import flask
import uvicorn

from tests.e2e.server import free_port

CLIENT = {"GOOGLE_CLIENT_ID": "parterre-tests", "GOOGLE_CLIENT_SECRET": "not-much-of-a-secret"}
PATIENCE = 120.0  # seconds
Claims = Mapping[str, Any]


@contextmanager
def provider(people: Sequence[Claims]) -> Iterator[str]:
    """The address of a provider that knows these people."""
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
    """What makes a site sign people in at this provider."""
    return {
        **CLIENT,
        "GOOGLE_AUTHORIZE_URL": f"{address}/oauth2/authorize",
        "GOOGLE_TOKEN_URL": f"{address}/oauth2/token",
        "GOOGLE_ISSUER": address,
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

    served.after_request(keep)
    served.before_request(proved)
    uvicorn.run(served, interface="wsgi", port=port, log_level="error")


if __name__ == "__main__":
    _serve(int(sys.argv[1]), json.loads(sys.argv[2]))
