"""Page views and polls: complete HTML for every visitor; pages of anonymous visitors come from the page cache."""

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe

from apps.accounts.actors import ANONYMOUS, Viewer
from apps.core.observability import address_key, context_for, identify, request_context
from apps.core.scale.replica import replica
from apps.core.threads import in_thread
from components.refill import form_refill
from components.routes import Access, Target, find
from components.runtime.hooks import PageViewConnection
from components.runtime.page import Page, Redirect
from components.runtime.rendering.document import Document
from components.runtime.rendering.layout import HookConnection, first_model
from components.runtime.rendering.live_part import LivePart, copies, is_large
from components.runtime.rendering.serializer import to_json
from components.site import site
from components.ui.posted_forms import without_answer
from project.http.errors import busy_response, failed_response
from project.http.middleware import PERSONAL, csrf_cookie, csrf_token, language_of, page_headers, secret_of
from project.http.misspelled import meant
from project.http.page_cache import GZIP, CachedPage, page_cache, page_filled, page_load
from project.http.page_poll import (
    POLL_AFTER,
    Poll,
    PollAnswer,
    content_version,
    model_version,
    poll_of,
    redirect_response,
)
from project.http.posted_commands import is_shown_again, posted_of
from project.http.viewer import Headers, session_key, viewer_of
from project.limits.connections import UNLIMITED
from project.limits.rates import PAGE_WAIT, POLL_EVERY
from project.observability.metrics import numbers
from project.process.web_process import process

log = logging.getLogger(__name__)


async def page_response(
    path: str, headers: Headers, if_none_match: str = "", address: str = "", *, coding: str = ""
) -> HttpResponse:
    """Return the page at `path`, or the answer to a poll of it, for the viewer of these headers.

    `address` is the key of rate limits, empty if unknown. `coding` is the compression: BROTLI, which allows gzip too,
    GZIP, or empty. A failure becomes an error page.
    """
    poll = poll_of(path)
    turn = process.connection_limits.poll(address) if poll is not None else UNLIMITED
    response = _cached(path, poll, headers, if_none_match, coding=coding) if turn.is_answered else None
    if response is None:
        with request_context(context_for(headers, path)):
            try:
                if seconds := turn.refused_for or process.connection_limits.search(address, path):
                    response = busy_response(seconds)
                else:
                    async with asyncio.timeout(PAGE_WAIT):
                        if poll is not None:
                            response = await _polled(poll, headers, if_none_match, coding=coding)
                        else:
                            response = await _response(path, headers, if_none_match, coding=coding)
            except Exception as error:  # noqa: BLE001 - a page view always answers with a plain sentence
                response = failed_response(error)
        for name, value in page_headers(PERSONAL).items():
            response.headers.setdefault(name, value)
    if turn.after > POLL_EVERY:
        response.headers[POLL_AFTER] = str(turn.after)
    return response


def _cached(path: str, poll: Poll | None, headers: Headers, if_none_match: str, *, coding: str) -> HttpResponse | None:
    """Return an anonymous visitor's page, or the answer to a poll of it, from the page cache and the shared parts.

    Return None for a browser with a session, and if a read, a render or a large compression is needed.
    """
    if session_key(headers):
        return None
    entry = page_cache.get(poll.address if poll is not None else path, language_of(headers))
    if entry is None or entry.document is None or (parts := process.parts.complete_if_fresh(entry.part_keys)) is None:
        return None
    if poll is not None:
        if entry.document.plain:
            return None
        return _public_poll(entry, entry.document, poll, parts, if_none_match, coding=coding)
    return None if coding and not entry.is_ready(parts, coding) else entry.response(parts, if_none_match, coding=coding)


async def _response(path: str, headers: Headers, if_none_match: str, *, coding: str) -> HttpResponse:
    viewer = await viewer_of(headers)
    identify(viewer.id)
    target = find(path, viewer)
    if isinstance(target, Redirect):
        is_misspelled = target.is_unknown and target.to != "/"
        return HttpResponseRedirect(await in_thread(partial(meant, path, viewer)) if is_misspelled else target.to)
    if session_key(headers):
        return await _personal(target, viewer, headers, coding=coding)
    entry = await page_cache.load(target, language_of(headers))
    if entry.page.redirect:
        return HttpResponseRedirect(entry.page.redirect)
    await _shared_document(entry, plain=target.route.plain)
    parts = await process.parts.complete(entry.page.all_parts)
    if coding and not entry.is_ready(parts, coding):
        parts = await entry.get_ready(parts, coding)
    response = entry.response(parts, if_none_match, coding=coding)
    page_cache.trim()
    return response


async def _shared_document(entry: CachedPage, *, plain: bool) -> Document:
    """Return the document that all anonymous visitors share; the first request makes it."""
    if entry.document is None:
        entry.document = Document(entry.page, await first_view(entry.page, ANONYMOUS), plain=plain)
    return entry.document


def _public_poll(
    entry: CachedPage, document: Document, poll: Poll, parts: list[LivePart], if_none_match: str, *, coding: str
) -> HttpResponse:
    answer = PollAnswer(poll, None, parts, _content_version(entry))
    return answer.response(if_none_match, lambda: document.data, entry.polled, compress=bool(coding))


def _content_version(entry: CachedPage) -> str:
    entry.content_version = entry.content_version or content_version(entry.page)
    return entry.content_version


async def _polled(poll: Poll, headers: Headers, if_none_match: str, *, coding: str) -> HttpResponse:
    """Return the answer to a poll: the changes of an open page."""
    viewer, language = await viewer_of(headers), language_of(headers)
    identify(viewer.id)
    target = find(poll.address, viewer)
    if isinstance(target, Redirect) or target.route.plain:
        return redirect_response(target if isinstance(target, Redirect) else Redirect(target.address), viewer.id)
    if target.route.access is Access.PUBLIC:
        entry = await page_cache.load(target, language, from_replica=not viewer.is_signed_in)
        content = _content_version(entry)
        if not session_key(headers):
            document = await _shared_document(entry, plain=False)
            parts = await process.parts.complete(entry.page.all_parts)
            response = _public_poll(entry, document, poll, parts, if_none_match, coding=coding)
            page_cache.trim()
            return response
        page = await page_filled(entry.page, viewer)
    else:
        page = await page_load(target, viewer, language)
        content = content_version(page)
    parts = await process.parts.complete(page.shown_parts, page.cover)
    answer = PollAnswer(poll, viewer.id, parts, model_version(content, page, viewer))
    model = ""
    if answer.needs_model:
        token = csrf_token(secret_of(headers))[0] if viewer.is_signed_in else ""
        model = to_json(await first_view(page, viewer, token, await posted_of(page.address, viewer)))
    return answer.response(if_none_match, lambda: model)


async def _personal(target: Target, viewer: Viewer, headers: Headers, *, coding: str) -> HttpResponse:
    """Return the page for a browser with a session; a signed-in viewer gets a token for its plain forms.

    Only what visitors get too is compressed (BREACH): the public parts, and what their document has too.
    """
    known = secret_of(headers)
    token, secret = csrf_token(known) if viewer.is_signed_in else ("", known)
    page = await page_load(target, viewer, language_of(headers))
    if page.redirect:
        return HttpResponseRedirect(page.redirect)
    posted = await posted_of(page.address, viewer)
    if posted is not None:  # the bus may not have delivered the command's topics yet
        replica.require_up_to_date()
        process.parts.expire(page.shown_parts)
    parts = await process.parts.complete(page.shown_parts, page.cover)
    model = form_refill(await first_view(page, viewer, token, posted), posted, [part.model for part in parts])
    visitors = await _visitors(target, headers) if coding else None
    document = Document(page, model, plain=target.route.plain, account=viewer.id, visitors=visitors)
    if await is_shown_again(page.address, viewer):  # after the render: a failed page has not shown the answer
        return HttpResponseRedirect(without_answer(page.address))
    content = await _written(document.packed if coding else document.html, parts, token)
    response = HttpResponse(content, status=page.status)
    if coding:
        response["Content-Encoding"] = GZIP
    if secret != known:
        response["Set-Cookie"] = csrf_cookie(secret)
    return response


async def _visitors(target: Target, headers: Headers) -> Document | None:
    """Return the page's document for anonymous visitors.

    Return None if they may not see it, and for an address with a query: an attacker may choose it, and pages repeat it.
    """
    if target.route.access is not Access.PUBLIC or target.route.plain or target.query:
        return None
    return await _shared_document(await page_cache.load(target, language_of(headers), from_replica=False), plain=False)


async def _written(write: Callable[[Sequence[LivePart], str], bytes], parts: Sequence[LivePart], token: str) -> bytes:
    """Return the page that `write` returns for these parts; a thread writes a large one."""
    if not is_large(parts):
        return write(parts, token)
    copied = copies(parts)
    content = await in_thread(partial(write, copied, token))
    for part, copy in zip(parts, copied, strict=True):
        if copy.markup[2] == part.version:  # the next page view needs no new HTML of this part
            part.markup = copy.markup
    return content


async def first_view(
    page: Page, viewer: Viewer, token: str = "", posted: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Return the first model of the whole page for `viewer`; `token` is the CSRF token of its plain forms.

    `posted` is the answer to a command that was posted without the client script.
    """
    connection = HookConnection({"type": "http"}, PageViewConnection(page, viewer, token, posted))
    with numbers.render.measure():
        return await first_model(site(), connection)


@csrf_exempt  # it only reads: other methods get 405 instead of a CSRF failure
@require_safe
async def page(request: HttpRequest) -> HttpResponse:
    """Answer a page view that passes through Django's middleware."""
    headers: Headers = request.scope["headers"]  # type: ignore[attr-defined]  # set by Channels and Daphne
    if_none_match, client = request.headers.get("If-None-Match", ""), request.scope.get("client")  # type: ignore[attr-defined]
    return await page_response(request.get_full_path(), headers, if_none_match, address_key(client))
