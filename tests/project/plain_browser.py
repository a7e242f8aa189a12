"""Helpers for tests of signing in: a browser without scripts, and the mails that were sent."""

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
    """A response in a browser without scripts."""

    status: int
    headers: Any
    html: str

    @property
    def to(self) -> str:
        return str(self.headers.get("Location", ""))

    @property
    def text(self) -> str:
        return " ".join(unescape(re.sub(r"<[^>]+>", " ", self.html)).split())

    @property
    def fields(self) -> dict[str, dict[str, str]]:
        """Return the attributes of its inputs, by name."""
        written = [ATTRIBUTE.findall(each[len("<input") : -1]) for each in FIELD.findall(self.html)]
        inputs = [{name.lower(): value for name, value in each} for each in written]
        return {each["name"]: {name: unescape(value) for name, value in each.items()} for each in inputs}

    @property
    def wrong(self) -> list[str]:
        """Return the names of the fields that are marked as invalid."""
        return [name for name, attributes in self.fields.items() if attributes.get("aria-invalid") == "true"]


class PlainBrowser:
    """A browser that posts the CSRF token of the page, so that CSRF checks apply."""

    def __init__(self, **headers: str) -> None:
        self.client = Client(enforce_csrf_checks=True, **headers)

    def get(self, path: str) -> Seen:
        return self._seen(self.client.get(path))

    def post(self, path: str, **typed: str) -> Seen:
        """Open the page at `path` and post its form with its hidden fields and these values."""
        page = self.get(path)
        hidden = {name: each["value"] for name, each in page.fields.items() if each.get("type") == "hidden"}
        return self._seen(self.client.post(path, {**hidden, **typed}))

    def sign_in(self, email: str, password: str, path: str = "/login", **more: str) -> Seen:
        return self.post(path, login=email, password=password, **more)

    @property
    def user_id(self) -> str:
        """Return the id of the account that is signed in, or an empty text."""
        return str(self.client.session.get("_auth_user_id", ""))

    def _seen(self, response: Any) -> Seen:
        return Seen(response.status_code, response.headers, response.content.decode())


def mails() -> list[Any]:
    """Wait until all mails are sent, and take them out of the outbox."""
    assert mails_settle()
    sent, mail.outbox[:] = list(mail.outbox), []
    return sent


def link_in(message: Any) -> str:
    """Return the link in a mail, without the site's origin."""
    links = re.findall(r"http://localhost:\d+(/\S+\?key=\S+)", message.body)
    assert len(links) == 1, message.body
    return str(links[0])
