"""Browsers without scripts at a real web process, with the address that a proxy would name."""

import http.client
import json
import re
from dataclasses import dataclass
from html import unescape
from http.cookies import SimpleCookie
from urllib.parse import urlencode

from tests.e2e.server import Server

TOKEN = re.compile(r'name="csrfmiddlewaretoken"[^>]*value="([^"]*)"|value="([^"]*)"[^>]*name="csrfmiddlewaretoken"')
PATIENCE = 60.0  # seconds


@dataclass(frozen=True, slots=True)
class Reply:
    """A response."""

    status: int
    headers: list[tuple[str, str]]
    html: str

    @property
    def to(self) -> str:
        return next((value for name, value in self.headers if name.lower() == "location"), "")

    @property
    def text(self) -> str:
        return " ".join(unescape(re.sub(r"<[^>]+>", " ", self.html)).split())


class Visitor:
    """A browser with its cookies. All its requests have these `headers`."""

    def __init__(self, server: Server, **headers: str) -> None:
        self.server = server
        self.headers = {"Host": f"localhost:{server.port}"} | {n.replace("_", "-"): v for n, v in headers.items()}
        self.cookies: SimpleCookie = SimpleCookie()
        self.token = ""

    def get(self, path: str) -> Reply:
        """Open a page, and keep the token of its forms."""
        reply = self._ask("GET", path)
        if token := TOKEN.search(reply.html):
            self.token = unescape(token[1] or token[2])
        return reply

    def post(self, path: str, **typed: str) -> Reply:
        """Post a form with the token of the last page."""
        return self._ask("POST", path, urlencode({"csrfmiddlewaretoken": self.token, **typed}))

    def post_json(self, path: str, value: object) -> Reply:
        """Post JSON with the token of the last page, as the client's script does."""
        more = {"Content-Type": "application/json", "X-CSRFToken": self.token}
        return self._ask("POST", path, json.dumps(value), **more)

    def sign_in(self, email: str, password: str) -> Reply:
        return self.post("/login", login=email, password=password)

    def _ask(self, method: str, path: str, body: str = "", **more: str) -> Reply:
        cookies = "; ".join(f"{name}={each.value}" for name, each in self.cookies.items() if each.value)
        headers = {**self.headers, "Content-Type": "application/x-www-form-urlencoded", "Cookie": cookies, **more}
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=PATIENCE)
        try:
            connection.request(method, path, body or None, headers)
            answer = connection.getresponse()
            reply = Reply(answer.status, answer.getheaders(), answer.read().decode())
        finally:
            connection.close()
        for name, value in reply.headers:
            if name.lower() == "set-cookie":
                self.cookies.load(value)
        return reply
