"""Polls: the repeated requests of an open page without a socket to its own address (ADR 21).

`GET /sessions/4?watch=7&parts=1&half=…&versions=page~V,KEY~V,…` returns the shared parts that this page's `load` shows
to this viewer and that the browser does not hold in this version. It adds the whole page's model, filled slots
included, if its version differs. The versions are only compared, never used as keys for a look-up, so that a poll
cannot reach parts outside the page.
"""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from apps.accounts.actors import ANONYMOUS, Viewer
from components.runtime.page import Page
from components.runtime.rendering.browser_half import is_outdated
from components.runtime.rendering.encoding import encode
from components.runtime.rendering.frames import parts_message
from components.runtime.rendering.live_part import LivePart
from project.visit import Poll

PAGE = "page"  # key of the page model's version; the keys of parts contain colons
POLL_AFTER = "Poll-After"  # header of an answer: the seconds until the next poll, if they are more than usual


@dataclass(frozen=True, slots=True)
class PollAnswer:
    """The answer to a poll by the account; `shown` is the version of the page's model."""

    poll: Poll
    account: int | None
    parts: Sequence[LivePart]
    shown: str

    @property
    def version(self) -> str:
        """Return the version of this state of the page, for this account and client version."""
        about = f"{self.account or ''}{'.outdated' if is_outdated(self.poll.half) else ''}"
        return "-".join([self.shown, about, *(part.version for part in self.parts)])

    @property
    def needs_model(self) -> bool:
        """Return whether the browser holds another version of the page's model."""
        return self.poll.versions.get(PAGE) != self.shown

    def body(self, model: Callable[[], str]) -> bytes:
        """Return the frames that a socket would send, inner parts before outer ones, with account and page version.

        `model` returns the page's model as JSON, and is called if the browser needs it.
        """
        held = self.poll.versions
        missing = [part.full for part in self.parts if held.get(part.ref.key) != part.version][::-1]
        frames = [parts_message(missing)] if missing else []
        if self.needs_model:
            frames.append(b'{"type":"layout-update","path":"","model":%b}' % model().encode())
        if is_outdated(self.poll.half):
            frames.append(b'{"type":"outdated"}')
        about = encode({"account": self.account, PAGE: self.shown}).removesuffix(b"}")
        return b'%b,"frames":[%b]}' % (about, b",".join(frames))


def content_version(page: Page) -> str:
    """Return a hash of the data of a page's model, without its viewer and slots."""
    keys = [ref.key for ref in page.all_parts]
    return _hash(repr((page.component.__qualname__, page.title, page.address, page.language, page.data, keys)))


def model_version(content: str, page: Page, viewer: Viewer) -> str:
    """Return the version of a page's model for this viewer."""
    return content if viewer == ANONYMOUS else _hash(repr((content, viewer, sorted(page.all_fills.items()))))


def _hash(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=9).hexdigest()
