"""Helpers that set up an authenticator app and enter its codes."""

import re
import time

from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value

from apps.accounts.models import AuthSession
from apps.accounts.session_store import SessionStore
from tests.project.plain_browser import PlainBrowser

EMAIL = "fan@example.org"
WRONG = "This code does not fit. Please try again with a new one."


def code(secret: str, at: float | None = None) -> str:
    """Return the code that the app shows."""
    return format_hotp_value(hotp_value(secret, int(time.time() if at is None else at) // 30))


def set_up(browser: PlainBrowser) -> str:
    """Set up an app and return its secret.

    The code is computed right before the post, so that its 30 seconds do not end in between.
    """
    for _ in range(2):
        page = browser.get("/profile/two-factor/app")
        secret = re.sub(r"\s", "", re.findall(r'class="secret">([A-Z2-7 ]+)<', page.html)[0])
        hidden = {name: page.fields[name]["value"] for name in ("csrfmiddlewaretoken", "secret")}
        form = {**hidden, "code": code(secret)}
        if browser._seen(browser.client.post("/profile/two-factor/app", form)).to == "/profile/two-factor/codes":
            return secret
    raise AssertionError("no code was accepted")


def by_code(browser: PlainBrowser, secret: str, path: str = "/two-factor"):
    """Enter the code of the app. Enter a second one if the first expired before the post."""
    response = browser.post(path, code=code(secret))
    return response if response.status == 302 else browser.post(path, code=code(secret))


def codes_of(browser: PlainBrowser) -> list[str]:
    return re.findall(r"<code>(\d{8})</code>", browser.get("/profile/two-factor/codes").html)


def older(user_id: int, seconds: int) -> None:
    """Move the sign-in this many seconds into the past."""
    for session in AuthSession.objects.filter(user_id=user_id):
        store = SessionStore(session.key)
        records = store["account_authentication_methods"]
        store["account_authentication_methods"] = [{**record, "at": record["at"] - seconds} for record in records]
        store.save()
