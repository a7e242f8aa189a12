"""Page cache: the data of public pages, their HTML, and the newest compressed copies of each.

An entry is valid until one of its page's topics changes, which the bus's sequence shows. While the bus is disconnected,
no entry is valid. Shared parts are not stored in an entry: each answer adds them, and the ETag contains their versions.
"""

import gzip
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import brotli  # type: ignore[import-untyped]  # it has no stubs

from apps.accounts.actors import ANONYMOUS, Viewer
from apps.core.scale.replica import replica, replica_read
from apps.core.threads import in_thread
from components.routes import Access, Target
from components.runtime.page import Page, filled
from components.runtime.rendering.document import Document
from components.runtime.rendering.live_part import LivePart, copies, is_large
from project.http.content import Content
from project.limits.rates import PAGE_CACHE_BYTES, PAGE_CACHE_PAGES
from project.process.web_process import once, process
from project.visit import BROTLI, GZIP

QUALITY = 5  # of brotli: a fifth smaller than gzip and faster; 11 saves another tenth, but takes 150 ms
PACK: dict[str, Callable[[bytes], bytes]] = {
    BROTLI: partial(brotli.compress, quality=QUALITY),
    GZIP: partial(gzip.compress, mtime=0),
}
NOTHING = "", b""  # version and content of a compressed copy that is not made yet


class PolledAnswers:
    """Cache of the answers to polls of a public page (`page_poll.py`), by the versions that browsers hold.

    Most browsers hold the same versions, so that at most MOST answers are kept.
    """

    MOST = 8

    def __init__(self) -> None:
        self.etag = ""
        self.bodies: dict[tuple[str, bool], bytes] = {}  # by the browser's versions, and whether it is compressed

    @property
    def size(self) -> int:
        """Return the size of all answers in bytes."""
        return sum(map(len, self.bodies.values()))

    def get(self, etag: str, held: str, make: Callable[[], bytes], *, compress: bool) -> bytes:
        """Return the answer for a browser that holds the versions `held`; `make` runs once for each state `etag`."""
        if etag != self.etag or len(self.bodies) >= self.MOST:
            self.etag, self.bodies = etag, {}
        body = self.bodies.get((held, compress))
        if body is None:
            body = self.bodies[held, compress] = gzip.compress(make(), mtime=0) if compress else make()
        return body


@dataclass(eq=False, slots=True)
class CachedPage:
    """A cached public page; `sequence` is the highest bus sequence at which it is known to be valid.

    HTML is made at the first page view. A compressed copy belongs to the newest set of parts and has about a tenth of
    the bytes. It contains neither secrets nor request data, so that its length leaks no secret (BREACH).
    """

    page: Page
    sequence: int
    part_keys: tuple[str, ...]
    document: Document | None = None
    compressed: dict[str, tuple[str, bytes]] = field(
        default_factory=lambda: dict.fromkeys(PACK, NOTHING)
    )  # version and content
    content_version: str = ""  # for polls, made at the first one
    polled: PolledAnswers = field(default_factory=PolledAnswers)

    @property
    def size(self) -> int:
        """Return the size of the HTML and of the answers to polls in bytes."""
        copies_ = sum(len(content) for _, content in self.compressed.values())
        return (self.document.size if self.document else 0) + copies_ + self.polled.size

    def is_ready(self, parts: Sequence[LivePart], coding: str) -> bool:
        """Return whether `content` needs no compression of a large page."""
        assert self.document is not None  # noqa: S101 - for mypy
        return not is_large(parts) or self.document.version(parts) == self._version(coding)

    async def get_ready(self, parts: Sequence[LivePart], coding: str) -> list[LivePart]:
        """Compress the page in a thread, once for all concurrent requests; return the parts that it was made of."""
        assert self.document is not None  # noqa: S101 - for mypy
        kept = copies(parts)
        key = (self, coding, self.document.version(kept))
        await once(key, partial(in_thread, partial(self._compress, kept, coding)))
        return kept

    def _version(self, coding: str) -> str:
        return self.compressed[coding][0]

    def _compress(self, parts: Sequence[LivePart], coding: str) -> bytes:
        assert self.document is not None  # noqa: S101 - for mypy
        version = self.document.version(parts)
        if version != self._version(coding):
            self.compressed[coding] = version, PACK[coding](self.document.html(parts))
        return self.compressed[coding][1]

    def content(self, parts: Sequence[LivePart], coding: str) -> Content:
        """Return the whole page with these parts. The document must exist."""
        document = self.document
        assert document is not None  # noqa: S101 - for mypy
        return Content(
            body=partial(self._compress, parts, coding) if coding else partial(document.html, parts),
            version=document.version(parts),
            is_public=True,
            status=self.page.status,
            coding=coding,
        )


class PageCache:
    """Public pages by address and language, least recently used first."""

    def __init__(self) -> None:
        self.entries: dict[tuple[str, str], CachedPage] = {}

    def get(self, address: str, language: str) -> CachedPage | None:
        """Return the page if it is cached and valid, else None; an invalid entry is removed."""
        entry = self.entries.pop((address, language), None)
        if entry is None or not process.bus.connected.is_set():
            return None
        if process.bus.changed_since(entry.sequence, (*entry.page.topics, *entry.page.cache_topics)):
            return None
        entry.sequence = process.bus.sequence
        self.entries[address, language] = entry
        return entry

    async def load(self, target: Target, language: str, *, from_replica: bool = True) -> CachedPage:
        """Return the public page at `target`; concurrent requests at the same bus sequence share one read.

        Without `from_replica` it is read from the primary, for a viewer with writes that the replica may not have yet.
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
            self.entries[key] = entry  # the next `get` detects changes during this read
            self.trim()
        return entry

    def trim(self) -> None:
        """Evict the least recently used pages until PAGE_CACHE_PAGES and PAGE_CACHE_BYTES are kept."""
        size = sum(entry.size for entry in self.entries.values())
        while self.entries and (len(self.entries) > PAGE_CACHE_PAGES or size > PAGE_CACHE_BYTES):
            size -= self.entries.pop(next(iter(self.entries))).size


async def page_load(target: Target, viewer: Viewer, language: str) -> Page:
    """Return the page at `target` with this viewer's slots filled; a public page may come from the cache."""
    if target.route.access is Access.PUBLIC:
        page = (await page_cache.load(target, language, from_replica=not viewer.is_signed_in)).page
    else:
        page = await _read(target, viewer, language, process.bus.sequence, from_replica=False)
    return await page_filled(page, viewer)


async def page_filled(page: Page, viewer: Viewer) -> Page:
    """Return the page with this viewer's slots filled, read in a thread."""
    return await in_thread(partial(filled, page, viewer)) if page.slots and viewer.is_signed_in else page


async def _read(target: Target, viewer: Viewer, language: str, sequence: int, *, from_replica: bool) -> Page:
    """Return the page, read in a thread; `sequence` is the bus's before the read."""
    load = partial(target.load, viewer, language)
    if not process.bus.connected.is_set():  # without the bus, no topic marks a change that the replica must have
        replica.require_up_to_date()
    page = await in_thread(partial(replica_read, load) if from_replica else load)
    if not from_replica:  # it may include changes not yet on the bus: avoid a stale read next
        replica.require_up_to_date()
    return replace(page, sequence=sequence)


page_cache = PageCache()
