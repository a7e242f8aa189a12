"""The one place that keeps public pages: what was read, its HTML, and the newest whole page as it travels.

One rule: an entry is true until one of its page's topics changes, which the bus's sequence tells; while the bus is not
connected nothing is. Shared parts are no business of an entry: they come with each answer, and their versions are in
its ETag.
"""

import gzip
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from django.http import HttpResponse, HttpResponseNotModified

from apps.accounts.actors import ANONYMOUS, Viewer
from apps.core.scale.replica import replica, replica_read
from apps.core.threads import in_thread
from components.page import Page, filled
from components.rendering.document import Document
from components.rendering.live_part import LivePart, copies, is_large
from components.routes import Access, Target
from project.http.middleware import PUBLIC, page_headers
from project.limits.rates import PAGE_CACHE_BYTES, PAGE_CACHE_PAGES
from project.process.web_process import once, process

GZIP = "-gzip"  # marks the ETag of what we compress


class PolledAnswers:
    """The newest answers to polls of a public page (`page_poll.py`), by what the browser holds: most hold the same."""

    MOST = 8

    def __init__(self) -> None:
        self.etag = ""
        self.bodies: dict[tuple[str, bool], bytes] = {}  # by the versions that were sent, and whether it is compressed

    @property
    def size(self) -> int:
        """Bytes that they take."""
        return sum(map(len, self.bodies.values()))

    def get(self, etag: str, held: str, make: Callable[[], bytes], *, compress: bool) -> bytes:
        """Return the answer to a browser that holds these versions, made once while the page is that of `etag`."""
        if etag != self.etag or len(self.bodies) >= self.MOST:
            self.etag, self.bodies = etag, {}
        body = self.bodies.get((held, compress))
        if body is None:
            body = self.bodies[held, compress] = gzip.compress(make(), mtime=0) if compress else make()
        return body


@dataclass(eq=False, slots=True)
class CachedPage:
    """A public page. `sequence` is the bus's up to which it is known to be true; HTML is made when a view asks for it.

    The compressed copy is that of the newest set of parts: a tenth of the bytes to hold and to send.
    Nothing in it is secret or repeats what was asked, so its length tells nobody anything.
    """

    page: Page
    sequence: int
    part_keys: tuple[str, ...]
    document: Document | None = None
    compressed: tuple[str, bytes] = ("", b"")  # its version and content
    content_version: str = ""  # its name for polls, made when one asks
    polled: PolledAnswers = field(default_factory=PolledAnswers)

    @property
    def size(self) -> int:
        """Bytes that its HTML and the answers to polls take."""
        return (self.document.size if self.document else 0) + len(self.compressed[1]) + self.polled.size

    def is_ready(self, parts: Sequence[LivePart]) -> bool:
        """Whether `response` compresses nothing large."""
        assert self.document is not None  # noqa: S101 - for mypy
        return not is_large(parts) or self.document.version(parts) == self.compressed[0]

    async def get_ready(self, parts: Sequence[LivePart]) -> list[LivePart]:
        """Compress the page in a thread, once for all who ask; returns the parts that it was made of."""
        assert self.document is not None  # noqa: S101 - for mypy
        kept = copies(parts)
        await once((self, self.document.version(kept)), partial(in_thread, partial(self._compress, kept)))
        return kept

    def _compress(self, parts: Sequence[LivePart]) -> bytes:
        assert self.document is not None  # noqa: S101 - for mypy
        version = self.document.version(parts)
        if version != self.compressed[0]:
            self.compressed = version, gzip.compress(self.document.html(parts), mtime=0)
        return self.compressed[1]

    def response(self, parts: Sequence[LivePart], if_none_match: str, *, compress: bool) -> HttpResponse:
        """Return the whole page with these parts, or 304 for a browser that has it. It has its document by now."""
        assert self.document is not None  # noqa: S101 - for mypy
        version = self.document.version(parts)
        headers = page_headers(PUBLIC) | {"ETag": f'"{version}{GZIP}"' if compress else f'"{version}"'}
        if version in versions(if_none_match):
            return HttpResponseNotModified(headers=headers)
        if not compress:
            return HttpResponse(self.document.html(parts), status=self.page.status, headers=headers)
        headers["Content-Encoding"] = "gzip"
        return HttpResponse(self._compress(parts), status=self.page.status, headers=headers)


class PageCache:
    """Public pages by address and language, the one that was asked for last at the end."""

    def __init__(self) -> None:
        self.entries: dict[tuple[str, str], CachedPage] = {}

    def get(self, address: str, language: str) -> CachedPage | None:
        """Return the page if it is cached and still true; what is no longer true is forgotten."""
        entry = self.entries.pop((address, language), None)
        if entry is None or not process.bus.connected.is_set():
            return None
        if process.bus.changed_since(entry.sequence, (*entry.page.topics, *entry.page.cache_topics)):
            return None
        entry.sequence = process.bus.sequence
        self.entries[address, language] = entry
        return entry

    async def load(self, target: Target, language: str, *, from_replica: bool = True) -> CachedPage:
        """Return the public page at `target`; those who ask after the same changes share one read.

        Not `from_replica` it is read at the primary: whoever asks may have written what no standby has yet.
        """
        if (known := self.get(target.address, language)) is not None:
            return known
        sequence = process.bus.sequence
        key = (target.address, language)

        async def read() -> CachedPage:
            page = await _read(target, ANONYMOUS, language, sequence, from_replica=from_replica)
            return CachedPage(page, sequence, tuple(ref.key for ref in page.all_parts))

        entry: CachedPage = await once((*key, sequence, from_replica), read)
        if process.bus.connected.is_set():
            self.entries[key] = entry  # what changed meanwhile is found out by whoever asks next
            self.trim()
        return entry

    def trim(self) -> None:
        """Forget what was asked for longest ago, until the rest may stay."""
        size = sum(entry.size for entry in self.entries.values())
        while self.entries and (len(self.entries) > PAGE_CACHE_PAGES or size > PAGE_CACHE_BYTES):
            size -= self.entries.pop(next(iter(self.entries))).size


def versions(if_none_match: str) -> set[str]:
    """Return the versions that an If-None-Match names; proxies that compress weaken them, and we mark our own."""
    return {tag.strip().removeprefix("W/").strip('"').removesuffix(GZIP) for tag in if_none_match.split(",")}


async def page_load(target: Target, viewer: Viewer, language: str) -> Page:
    """Return the page at `target` with this viewer's own values; a public one is everybody's, and may be cached."""
    if target.route.access is Access.PUBLIC:
        page = (await page_cache.load(target, language, from_replica=not viewer.is_signed_in)).page
    else:
        page = await _read(target, viewer, language, process.bus.sequence, from_replica=False)
    return await page_filled(page, viewer)


async def page_filled(page: Page, viewer: Viewer) -> Page:
    """Return the page with what fills the slots of this viewer, read in a thread."""
    return await in_thread(partial(filled, page, viewer)) if page.slots and viewer.is_signed_in else page


async def _read(target: Target, viewer: Viewer, language: str, sequence: int, *, from_replica: bool) -> Page:
    """Return the page, read in a thread; `sequence` is the bus's from before."""
    load = partial(target.load, viewer, language)
    if not process.bus.connected.is_set():  # then nobody tells us what the standby must have
        replica.require_up_to_date()
    page = await in_thread(partial(replica_read, load) if from_replica else load)
    if not from_replica:  # it may show what nobody was told of yet: nothing older may follow
        replica.require_up_to_date()
    return replace(page, sequence=sequence)


page_cache = PageCache()
