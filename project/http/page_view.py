"""Page views and polls: the target of a visit, its content for this viewer, and the response that is written of it."""

import asyncio
from functools import partial

from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe

from apps.core.threads import in_thread
from components.routes import Target, find
from components.runtime.page import Redirect
from project.http import anonymous_view, member_view
from project.http.content import response_of
from project.http.errors import busy_response, failed_response
from project.http.middleware import PERSONAL, page_headers
from project.http.misspelled import meant
from project.http.page_cache import page_cache
from project.http.page_poll import POLL_AFTER
from project.http.viewer import identified
from project.limits.connections import UNLIMITED
from project.limits.rates import PAGE_WAIT, POLL_EVERY
from project.process.web_process import process
from project.visit import Visit


async def answer(visit: Visit) -> HttpResponse:
    """Return the page that is visited, or the answer to a poll of it. A failure becomes an error page."""
    turn = UNLIMITED if visit.poll is None else process.connection_limits.poll(visit.client)
    kept = anonymous_view.kept_content(visit) if turn.is_answered else None
    response = response_of(visit, kept) if kept is not None else await _made(visit, turn.refused_for)
    if turn.after > POLL_EVERY:
        response.headers[POLL_AFTER] = str(turn.after)
    return response


async def _made(visit: Visit, refused_for: int) -> HttpResponse:
    """Return the answer that needs a read or a render; a refusal for a browser that must wait `refused_for` seconds."""
    try:
        if seconds := refused_for or process.connection_limits.search(visit.client, visit.address):
            response = busy_response(seconds)
        else:
            async with asyncio.timeout(PAGE_WAIT):
                response = await _response(visit)
    except Exception as error:  # noqa: BLE001 - a page view always answers with a plain sentence
        response = failed_response(error)
    for name, value in page_headers(PERSONAL).items():
        response.headers.setdefault(name, value)
    return response


async def _response(visit: Visit) -> HttpResponse:
    visit = await identified(visit)
    target = await _target(visit)
    if isinstance(target, Redirect):
        return response_of(visit, target)
    view = member_view if visit.session_key else anonymous_view
    response = response_of(visit, await view.content(visit, target))
    page_cache.trim()
    return response


async def _target(visit: Visit) -> Target | Redirect:
    """Return the page of this address, or where it leads; a page of forms is not polled."""
    target = find(visit.address, visit.viewer)
    if isinstance(target, Target):
        return Redirect(target.address) if visit.poll is not None and target.route.plain else target
    if target.is_unknown and target.to != "/":
        return Redirect(await in_thread(partial(meant, visit.address, visit.viewer)))
    return target


@csrf_exempt  # it only reads: other methods get 405 instead of a CSRF failure
@require_safe
async def page(request: HttpRequest) -> HttpResponse:
    """Answer a page view that passes through Django's middleware."""
    return await answer(Visit.of(request.scope))  # type: ignore[attr-defined]  # set by Channels and Daphne
