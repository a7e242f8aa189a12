"""Mails of the site under test, read from its log: without EMAIL_URL the site prints them."""

import asyncio
import re
import time

from tests.e2e.server import Server

PATIENCE = 30.0  # seconds until an expected mail is missing
LOOKS_EVERY = 0.05
BETWEEN = re.compile(r"^-{79}$", re.MULTILINE)
LINK = r"https?://[^\s\"<>]+{path}\?key=[^\s\"<>&]+"


def mails(server: Server, to: str) -> list[str]:
    """Return all mails to this address, oldest first."""
    return [mail for mail in BETWEEN.split(server.said()) if f"\nTo: {to}\n" in mail]


async def mail(server: Server, to: str, words: str, count: int = 1) -> str:
    """Wait for `count` mails to this address that contain `words`; return the newest."""
    until = time.monotonic() + PATIENCE
    while len(found := [each for each in mails(server, to) if words in each]) < count:
        assert time.monotonic() < until, f"no mail with {words!r} to {to}, only {mails(server, to)}"
        await asyncio.sleep(LOOKS_EVERY)
    return found[-1]


async def link(server: Server, to: str, path: str, count: int = 1) -> str:
    """Wait for `count` mails to this address with a link to `path`; return the newest link."""
    found = re.search(LINK.format(path=re.escape(path)), await mail(server, to, f"{path}?key=", count))
    assert found is not None
    return found[0]
