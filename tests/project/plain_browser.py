"""What tests of signing in share: a browser without scripts, and the mails that were sent."""

import re
from dataclasses import dataclass
from html import unescape
from typing import Any

from django.core import mail
from django.test import Client

from tests.mails import mails_settle

FIELD = re.compile(r"<input[^>]*>")
ATTRIBUTE = re.compile(r'([a-zA-Z-]+)(?:="([^"]*)")?')


@dataclass
class Seen:
    """One answer, as somebody without scripts meets it."""

    status: int
    headers: Any
    html: str

    @property
    def to(self) -> str:
        """Where it sends the browser."""
        return str(self.headers.get("Location", ""))

    @property
    def text(self) -> str:
        """Its words."""
        return " ".join(unescape(re.sub(r"<[^>]+>", " ", self.html)).split())

    @property
    def fields(self) -> dict[str, dict[str, str]]:
        """Its inputs' attributes, by name."""
        written = [ATTRIBUTE.findall(each[len("<input") : -1]) for each in FIELD.findall(self.html)]
        found = [{name.lower(): value for name, value in each} for each in written]
        return {each["name"]: {name: unescape(value) for name, value in each.items()} for each in found}

    @property
    def wrong(self) -> list[str]:
        """The names of the fields that are marked as wrong."""
        return [name for name, attributes in self.fields.items() if attributes.get("aria-invalid") == "true"]


class PlainBrowser:
    """A browser at a form: it brings the token that the page gave it, so CSRF is checked."""

    def __init__(self, **headers: str) -> None:
        self.client = Client(enforce_csrf_checks=True, **headers)

    def get(self, path: str) -> Seen:
        """Open a page."""
        return self._seen(self.client.get(path))

    def post(self, path: str, **typed: str) -> Seen:
        """Open the page at `path` and send its form, hidden fields included, with this typed in."""
        page = self.get(path)
        hidden = {name: each["value"] for name, each in page.fields.items() if each.get("type") == "hidden"}
        return self._seen(self.client.post(path, {**hidden, **typed}))

    def sign_in(self, email: str, password: str, path: str = "/login", **more: str) -> Seen:
        """Try to sign in."""
        return self.post(path, login=email, password=password, **more)

    @property
    def user_id(self) -> str:
        """Whose session this browser has."""
        return str(self.client.session.get("_auth_user_id", ""))

    def _seen(self, response: Any) -> Seen:
        return Seen(response.status_code, response.headers, response.content.decode())


def mails() -> list[Any]:
    """The mails that were sent so far, once the last is out; they are taken away."""
    assert mails_settle()
    sent, mail.outbox[:] = list(mail.outbox), []
    return sent


def link_in(message: Any) -> str:
    """The link of a mail, without the site's address."""
    links = re.findall(r"http://localhost:\d+(/\S+\?key=\S+)", message.body)
    assert len(links) == 1, message.body
    return str(links[0])
