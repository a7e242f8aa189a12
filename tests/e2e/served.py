"""Every page as the server sends it, fetched once for each kind of viewer."""

import gzip
import re
from dataclasses import dataclass, field
from functools import cached_property
from html import unescape
from http.client import HTTPConnection
from urllib.parse import urljoin, urlsplit

import brotli  # type: ignore[import-untyped]  # it has no stubs

from tests.e2e.accounts import ADMINISTRATOR, LISTENER
from tests.e2e.conftest import Site
from tests.e2e.places import BACKSTAGE, MISSING, PUBLIC, SHARED

VISITOR = ""
# The pages of each viewer, by username.
PAGES = {
    VISITOR: PUBLIC,
    LISTENER: (*SHARED, *MISSING, "/profile"),
    ADMINISTRATOR: (*SHARED, *MISSING, *BACKSTAGE),
}
CODINGS = {"gzip": gzip.decompress, "br": brotli.decompress, None: bytes}
FILE = re.compile(r'<(?:script|link)\b[^>]*\b(?:src|href)="(/static/[^"]+\.(?:js|css|woff2))"')
MODULE = re.compile(r'"source":"(/static/[^"]+\.js)"')  # of a component in the browser
ADDRESS = re.compile(r'<(?:a|link|script|img|meta)\b[^>]*? (?:href|src|content)="([^"]*)"')


@dataclass(frozen=True)
class Served:
    """An answer of the server; `size` is the number of transferred bytes of its body."""

    address: str
    status: int
    size: int
    kind: str
    location: str
    text: str

    @cached_property
    def files(self) -> set[str]:
        """Return the paths of the scripts, style sheets and fonts that the page loads."""
        return {*FILE.findall(self.text), *MODULE.findall(self.text)}

    def links(self) -> set[str]:
        """Return the page's addresses of this site, without origin and fragment."""
        parts = [urlsplit(urljoin(self.address, unescape(each))) for each in ADDRESS.findall(self.text) if "/" in each]
        origin = urlsplit(self.address)[:2]
        return {each._replace(scheme="", netloc="", fragment="").geturl() for each in parts if each[:2] == origin}


@dataclass
class ServedPages:
    """Fetches pages of the site and keeps them."""

    site: Site
    cookies: dict[str, str] = field(default_factory=lambda: {VISITOR: ""})
    kept: dict[tuple[str, str], Served] = field(default_factory=dict)

    def of(self, viewer: str) -> dict[str, Served]:
        """Return all pages of this viewer by pattern."""
        return {pattern: self.get(self.site.appearances.at(pattern), viewer) for pattern in PAGES[viewer]}

    def get(self, path: str, viewer: str = VISITOR) -> Served:
        """Return the answer to this viewer's request for this path, without following redirects."""
        if (path, viewer) not in self.kept:
            if viewer not in self.cookies:
                self.cookies[viewer] = f"session={self.site.sign_in(viewer)}"
            self.kept[path, viewer] = _fetched(self.site.server.address + path, self.cookies[viewer])
        return self.kept[path, viewer]


def _fetched(address: str, cookie: str) -> Served:
    parts = urlsplit(address)
    connection = HTTPConnection(parts.netloc, timeout=60)
    headers = {"Accept-Encoding": "gzip, br", "Cookie": cookie}
    connection.request("GET", parts._replace(scheme="", netloc="").geturl(), headers=headers)
    answer = connection.getresponse()
    body, coding = answer.read(), answer.headers["Content-Encoding"]
    connection.close()
    kind, location = answer.headers.get("Content-Type", ""), answer.headers.get("Location", "")
    text = CODINGS[coding](body).decode(errors="replace")
    return Served(address, answer.status, len(body), kind, location, text)
