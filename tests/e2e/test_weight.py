"""The bytes that a first visit of each public page transfers: HTML, scripts, styles and font, as served."""

import gzip
import re
import urllib.error
import urllib.request

import brotli  # type: ignore[import-untyped]  # it has no stubs
import pytest

from tests.e2e.conftest import Site
from tests.e2e.places import MISSING, PLAIN, SHARED

KIB = 1024
LIVE = "/sessions/{live}"
SESSIONS = "/sessions/{"
LIMIT = 120 * KIB
SESSION_LIMIT = 150 * KIB  # the live page of all, and every session's page of a member, with all its forms of marks
OWN = 11 * KIB  # what a member's other pages may have more than LIMIT: their own text is not compressed (BREACH)
CODINGS = {"gzip": gzip.decompress, "br": brotli.decompress, None: bytes}
LINKED = re.compile(r'<(?:script|link)\b[^>]*\b(?:src|href)="(/static/[^"]+\.(?:js|css|woff2))"')
MODULE = re.compile(r'"source":"(/static/[^"]+\.js)"')  # of a component in the browser


def fetched(address: str, cookie: str = "") -> tuple[int, str]:
    """Return the number of bytes that this address transfers, and its text."""
    headers = {"Accept-Encoding": "gzip, br", "Cookie": cookie}
    try:
        answer = urllib.request.urlopen(urllib.request.Request(address, headers=headers), timeout=60)  # noqa: S310 - http
    except urllib.error.HTTPError as missing:
        answer = missing
    with answer:
        body, coding = answer.read(), answer.headers["Content-Encoding"]
    return len(body), CODINGS[coding](body).decode(errors="replace")


def weights(base: str, path: str, cookie: str) -> dict[str, int]:
    """Return the bytes of a first visit of this page by file, the heaviest first."""
    size, html = fetched(base + path, cookie)
    found = {"HTML": size}
    for file in {*LINKED.findall(html), *MODULE.findall(html)}:
        found[file.rpartition("/")[2]], _ = fetched(base + file)
    return dict(sorted(found.items(), key=lambda each: -each[1]))


def limit(pattern: str, *, member: bool) -> int:
    """Return how many bytes a first visit of this page may transfer."""
    if pattern == LIVE or (member and pattern.startswith(SESSIONS)):
        return SESSION_LIMIT
    return LIMIT + (OWN if member else 0)


@pytest.mark.parametrize("name", ["", "una_corda"], ids=["visitor", "member"])
async def test_no_public_page_is_heavy(site: Site, name: str) -> None:
    cookie = f"session={site.sign_in(name)}" if name else ""
    heavy: list[str] = []
    seen: set[str] = set()
    for pattern in (*SHARED, *MISSING, *(() if name else PLAIN)):
        files = weights(site.server.address, site.appearances.at(pattern), cookie)
        seen |= files.keys()
        total, most = sum(files.values()), limit(pattern, member=bool(name))
        if total > most:
            heavy.append(f"{pattern}: {total} bytes of {most}: {files}")
    assert not heavy, "\n".join(heavy)
    for kind in ("client.", "parterre.", "home.", "video.", "session.", "stages.", "serif.", "score.", "video-player."):
        assert any(file.startswith(kind) for file in seen), f"no page was found to load {kind}: {seen}"


async def test_public_pages_do_not_load_the_styles_of_administration(site: Site) -> None:
    sheets = {
        pattern: [file for file in weights(site.server.address, site.appearances.at(pattern), "") if ".css" in file]
        for pattern in ("/", LIVE, "/login")
    }
    kinds = {pattern: {file.partition(".")[0] for file in files} for pattern, files in sheets.items()}
    assert kinds == {
        "/": {"parterre", "home"},
        LIVE: {"parterre", "video", "session"},
        "/login": {"parterre", "backstage"},
    }
