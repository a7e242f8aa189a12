"""What anonymous visitors get: the page that all of them share, from the page cache, and the answers to its polls."""

from apps.accounts.actors import ANONYMOUS
from components.routes import Target
from components.runtime.page import Redirect
from components.runtime.rendering.document import Document
from components.runtime.rendering.live_part import LivePart
from project.http.content import JSON, Content
from project.http.first_view import first_view
from project.http.page_cache import CachedPage, page_cache
from project.http.page_poll import PollAnswer, content_version
from project.process.web_process import process
from project.visit import GZIP, Visit


def kept_content(visit: Visit) -> Content | None:
    """Return what answers this visit if the page cache and the shared parts hold all of it.

    Return None for a browser with a session, and if a read, a render or a large compression is needed.
    """
    if visit.session_key:
        return None
    entry = page_cache.get(visit.address, visit.language)
    if entry is None or entry.document is None or (parts := process.parts.complete_if_fresh(entry.part_keys)) is None:
        return None
    if visit.poll is not None:
        return None if entry.document.plain else _polled(visit, entry, entry.document, parts)
    return None if visit.coding and not entry.is_ready(parts, visit.coding) else entry.content(parts, visit.coding)


async def content(visit: Visit, target: Target) -> Content | Redirect:
    """Return the page at `target`, or the answer to a poll of it; its redirect if it has one."""
    entry = await page_cache.load(target, visit.language)
    if entry.page.redirect:
        return Redirect(entry.page.redirect)
    document = await shared_document(entry, plain=target.route.plain)
    parts = await process.parts.complete(entry.page.all_parts)
    if visit.poll is not None:
        found = _polled(visit, entry, document, parts)
    else:
        if visit.coding and not entry.is_ready(parts, visit.coding):
            parts = await entry.get_ready(parts, visit.coding)
        found = entry.content(parts, visit.coding)
    return found


async def shared_document(entry: CachedPage, *, plain: bool) -> Document:
    """Return the document that all anonymous visitors share; the first request makes it."""
    if entry.document is None:
        entry.document = Document(entry.page, await first_view(entry.page, ANONYMOUS), plain=plain)
    return entry.document


def shared_version(entry: CachedPage) -> str:
    """Return the version of the page's model for anonymous visitors; the first poll makes it."""
    entry.content_version = entry.content_version or content_version(entry.page)
    return entry.content_version


def _polled(visit: Visit, entry: CachedPage, document: Document, parts: list[LivePart]) -> Content:
    """Return the answer to the poll of this visit, which all browsers that hold the same versions share."""
    assert visit.poll is not None  # noqa: S101 - for mypy
    held, is_packed = visit.poll.held, visit.coding != ""
    answer = PollAnswer(visit.poll, None, parts, shared_version(entry))

    def body() -> bytes:
        return entry.polled.get(answer.version, held, lambda: answer.body(lambda: document.data), compress=is_packed)

    return Content(body=body, version=answer.version, is_public=True, media_type=JSON, coding=GZIP if is_packed else "")
