"""What a browser with a session gets: its own page, written for its viewer, and the answers to its polls."""

from collections.abc import Callable, Sequence
from functools import partial

from apps.core.scale.replica import replica
from apps.core.threads import in_thread
from components.refill import form_refill
from components.routes import Access, Target
from components.runtime.page import Page, Redirect
from components.runtime.rendering.document import Document
from components.runtime.rendering.live_part import LivePart, copies, is_large
from components.runtime.rendering.serializer import to_json
from components.ui.posted_forms import without_answer
from project.http.anonymous_view import shared_document, shared_version
from project.http.content import JSON, Content
from project.http.first_view import first_view
from project.http.middleware import csrf_cookie, csrf_token
from project.http.page_cache import page_cache, page_filled, page_load
from project.http.page_poll import PollAnswer, content_version, model_version
from project.http.posted_commands import is_shown_again, posted_of
from project.process.web_process import process
from project.visit import GZIP, Visit


async def content(visit: Visit, target: Target) -> Content | Redirect:
    """Return the page at `target` for this viewer, or the answer to a poll of it; its redirect if it has one."""
    if visit.poll is not None:
        return await _polled(visit, target)
    viewer, known = visit.viewer, visit.csrf_secret
    token, secret = csrf_token(known) if viewer.is_signed_in else ("", known)
    page = await page_load(target, viewer, visit.language)
    if page.redirect:
        return Redirect(page.redirect)
    posted = await posted_of(page.address, viewer)
    if posted is not None:  # the bus may not have delivered the command's topics yet
        replica.require_up_to_date()
        process.parts.expire(page.shown_parts)
    parts = await process.parts.complete(page.shown_parts, page.cover)
    model = form_refill(await first_view(page, viewer, token, posted), posted, [part.model for part in parts])
    visitors = await _visitors(visit, target) if visit.coding else None
    document = Document(page, model, plain=target.route.plain, account=viewer.id, visitors=visitors)
    if await is_shown_again(page.address, viewer):  # after the render: a failed page has not shown the answer
        return Redirect(without_answer(page.address))
    written = await _written(document.packed if visit.coding else document.html, parts, token)
    return Content(
        body=lambda: written,
        status=page.status,
        coding=GZIP if visit.coding else "",
        cookie=csrf_cookie(secret) if secret != known else "",
    )


async def _visitors(visit: Visit, target: Target) -> Document | None:
    """Return the page's document for anonymous visitors: only what they get too is compressed (BREACH).

    Return None if they may not see it, and for an address with a query: an attacker may choose it, and pages repeat it.
    """
    if target.route.access is not Access.PUBLIC or target.route.plain or target.query:
        return None
    return await shared_document(await page_cache.load(target, visit.language, from_replica=False), plain=False)


async def _written(write: Callable[[Sequence[LivePart], str], bytes], parts: Sequence[LivePart], token: str) -> bytes:
    """Return the page that `write` returns for these parts; a thread writes a large one."""
    if not is_large(parts):
        return write(parts, token)
    copied = copies(parts)
    text = await in_thread(partial(write, copied, token))
    for part, copy in zip(parts, copied, strict=True):
        if copy.markup[2] == part.version:  # the next page view needs no new HTML of this part
            part.markup = copy.markup
    return text


async def _polled(visit: Visit, target: Target) -> Content | Redirect:
    """Return the changes of this viewer's open page."""
    assert visit.poll is not None  # noqa: S101 - for mypy
    viewer = visit.viewer
    page, version = await _page_and_version(visit, target)
    if page.redirect:
        return Redirect(page.redirect)
    parts = await process.parts.complete(page.shown_parts, page.cover)
    answer = PollAnswer(visit.poll, viewer.id, parts, model_version(version, page, viewer))
    model = ""
    if answer.needs_model:
        token = csrf_token(visit.csrf_secret)[0] if viewer.is_signed_in else ""
        model = to_json(await first_view(page, viewer, token, await posted_of(page.address, viewer)))
    return Content(body=lambda: answer.body(lambda: model), version=answer.version, media_type=JSON)


async def _page_and_version(visit: Visit, target: Target) -> tuple[Page, str]:
    """Return the page for this viewer, and the version of its content without the viewer's."""
    if target.route.access is not Access.PUBLIC:
        page = await page_load(target, visit.viewer, visit.language)
        return page, content_version(page)
    entry = await page_cache.load(target, visit.language, from_replica=not visit.viewer.is_signed_in)
    return await page_filled(entry.page, visit.viewer), shared_version(entry)
