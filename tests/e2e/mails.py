"""Mails of the site under test: without EMAIL_URL it prints them, and its log keeps them."""

import asyncio
import re
import time

from tests.e2e.server import Server

PATIENCE = 30.0  # seconds until a mail that should have come is missing
LOOKS_EVERY = 0.05
BETWEEN = re.compile(r"^-{79}$", re.MULTILINE)
LINK = r"https?://[^\s\"<>]+{path}\?key=[^\s\"<>&]+"


def mails(server: Server, to: str) -> list[str]:
    """Every mail to this address so far, the oldest first."""
    return [mail for mail in BETWEEN.split(server.said()) if f"\nTo: {to}\n" in mail]


async def mail(server: Server, to: str, words: str, count: int = 1) -> str:
    """The newest mail to this address with these words in it, once there are so many of them."""
    until = time.monotonic() + PATIENCE
    while len(found := [each for each in mails(server, to) if words in each]) < count:
        assert time.monotonic() < until, f"no mail with {words!r} to {to}, only {mails(server, to)}"
        await asyncio.sleep(LOOKS_EVERY)
    return found[-1]


async def link(server: Server, to: str, path: str, count: int = 1) -> str:
    """The link to `path` in the newest mail to this address that has one, once there are so many of them."""
    found = re.search(LINK.format(path=re.escape(path)), await mail(server, to, f"{path}?key=", count))
    assert found is not None
    return found[0]
