"""Google's addresses and this site's account there, from the environment, so that tests can name another provider."""

import os
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from project.config.errors import Refusal

ENDPOINTS = {
    "GOOGLE_AUTHORIZE_URL": "https://accounts.google.com/o/oauth2/v2/auth",
    "GOOGLE_TOKEN_URL": "https://oauth2.googleapis.com/token",
    "GOOGLE_ISSUER": "https://accounts.google.com",
    "GOOGLE_KEYS_URL": "https://www.googleapis.com/oauth2/v3/certs",
}
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


@dataclass(frozen=True, slots=True)
class Google:
    """This site's account at Google, if it has one, and Google's addresses."""

    client_id: str = ""
    client_secret: str = ""
    authorize_url: str = ENDPOINTS["GOOGLE_AUTHORIZE_URL"]
    token_url: str = ENDPOINTS["GOOGLE_TOKEN_URL"]
    issuer: str = ENDPOINTS["GOOGLE_ISSUER"]
    keys_url: str = ENDPOINTS["GOOGLE_KEYS_URL"]

    @property
    def is_there(self) -> bool:
        """Whether people can sign in with it."""
        return bool(self.client_id and self.client_secret)

    @property
    def origin(self) -> str:
        """Where the form of this site's button ends up, for the policy."""
        parts = urlsplit(self.authorize_url)
        return f"{parts.scheme}://{parts.netloc}"

    @property
    def provider(self) -> dict[str, Any]:
        """The settings of allauth's provider."""
        app = {"client_id": self.client_id, "secret": self.client_secret}
        return {
            "APPS": [app] if self.is_there else [],
            "SCOPE": ["openid", "profile", "email"],
            "AUTH_PARAMS": {"prompt": "select_account"},
            "OAUTH_PKCE_ENABLED": True,
        }


def google_read() -> Google:
    """Google as the environment names it; raises Refusal for an address over which secrets would travel open."""
    found = {name: os.environ.get(name) or otherwise for name, otherwise in ENDPOINTS.items()}
    for name, address in found.items():
        parts = urlsplit(address)
        if not parts.hostname or not (parts.scheme == "https" or parts.hostname in LOOPBACK):
            raise Refusal(f"{name} is {address!r}, but it must begin with https://.")
    return Google(os.environ.get("GOOGLE_CLIENT_ID", ""), os.environ.get("GOOGLE_CLIENT_SECRET", ""), *found.values())
