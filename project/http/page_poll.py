"""Polls: what an open page without a socket asks its own address for, again and again (ADR 21).

`GET /sessions/4?watch=7&parts=1&half=…&versions=page~V,KEY~V,…` answers the shared parts that this page's `load` shows
to this viewer and that the browser does not hold, and the whole page's model, filled slots included, where that is
another. It names no part that `load` does not: the versions are compared, and nothing is looked up by them.
"""

import hashlib
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from urllib.parse import unquote

from django.http import HttpResponse, HttpResponseNotModified

from apps.accounts.actors import ANONYMOUS, Viewer
from components.page import Page, Redirect
from components.rendering.browser_half import is_outdated
from components.rendering.encoding import encode
from components.rendering.live_part import LivePart, payload
from project.http.middleware import PERSONAL, PUBLIC, page_headers, versions_of
from project.http.page_cache import PolledAnswers, versions

POLL = re.compile(r"[?&]parts=1(?:&half=(?P<half>[^&]*))?(?:&versions=(?P<versions>[^&]*))?$")
PAGE = "page"  # what the version of the page's model is called among those of parts, whose keys have colons
JSON = "application/json"


@dataclass(frozen=True, slots=True)
class Poll:
    """A poll of the page at `address`, by a browser with this half and these versions, as they were sent."""

    address: str
    half: str
    held: str


def poll_of(path: str) -> Poll | None:
    """Return the poll that this address asks for, or None for a page view."""
    found = POLL.search(path)
    if found is None:
        return None
    half, held = found["half"] or "", unquote(found["versions"] or "")
    return Poll(path[: found.start()], half, held)


def redirect_response(redirect: Redirect, account: int | None) -> HttpResponse:
    """Return the answer that has the browser of this account load another page."""
    body = json.dumps({"account": account, "leave": redirect.to})
    return HttpResponse(body, content_type=JSON, headers=page_headers(PERSONAL))


@dataclass(frozen=True, slots=True)
class PollAnswer:
    """What a poll by the account is answered; `shown` is the version of the page's model."""

    poll: Poll
    account: int | None
    parts: Sequence[LivePart]
    shown: str

    @property
    def etag(self) -> str:
        """The name of exactly this state of the page, for this account and browser half."""
        about = f"{self.account or ''}{'.outdated' if is_outdated(self.poll.half) else ''}"
        return "-".join([self.shown, about, *(part.version for part in self.parts)])

    @property
    def needs_model(self) -> bool:
        """Whether the browser has another model of the page."""
        return versions_of(self.poll.held).get(PAGE) != self.shown

    def response(
        self, if_none_match: str, model: Callable[[], str], kept: PolledAnswers | None = None, *, compress: bool = False
    ) -> HttpResponse:
        """Return the answer, with the page's `model` as JSON where it is needed; or 304.

        `kept` are the answers that all anonymous visitors share; only those are compressed (BREACH).
        """
        etag = self.etag
        headers = page_headers(PERSONAL if kept is None else PUBLIC) | {"ETag": f'"{etag}"'}
        if etag in versions(if_none_match):
            return HttpResponseNotModified(headers=headers)
        if kept is None:
            return HttpResponse(self._body(model), content_type=JSON, headers=headers)
        if compress:
            headers["Content-Encoding"] = "gzip"
        body = kept.get(etag, self.poll.held, lambda: self._body(model), compress=compress)
        return HttpResponse(body, content_type=JSON, headers=headers)

    def _body(self, model: Callable[[], str]) -> bytes:
        """Return the frames that a socket would bring, inner parts before what shows them, and for whom they are."""
        held = versions_of(self.poll.held)
        frames = [payload(part.full_frame) for part in self.parts if held.get(part.ref.key) != part.version][::-1]
        if self.needs_model:
            frames.append(b'{"type":"layout-update","path":"","model":%b}' % model().encode())
        if is_outdated(self.poll.half):
            frames.append(b'{"type":"outdated"}')
        about = encode({"account": self.account, PAGE: self.shown}).removesuffix(b"}")
        return b'%b,"frames":[%b]}' % (about, b",".join(frames))


def content_version(page: Page) -> str:
    """Return the name of what a page's model is made of, besides its viewer and their slots."""
    keys = [ref.key for ref in page.all_parts]
    return _hash(
        repr((page.component.__qualname__, page.title, page.address, page.language, page.data, page.menu, keys))
    )


def model_version(content: str, page: Page, viewer: Viewer) -> str:
    """Return the name of a page's model, as this viewer sees it."""
    return content if viewer == ANONYMOUS else _hash(repr((content, viewer, sorted(page.all_fills.items()))))


def _hash(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=9).hexdigest()
