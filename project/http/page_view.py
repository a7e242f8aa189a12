"""Page views: real HTML for everybody, joined from cached pieces for strangers."""

import asyncio
import gzip
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseNotModified, HttpResponseRedirect
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe
from reactpy.types import Connection, Location

from apps.accounts.actors import Viewer
from apps.core.request_context import context_for, identify, request_context
from components.page import Page, Redirect
from components.rendering.document import Document
from components.rendering.layout import first_model
from components.rendering.live_parts import LivePart
from components.rendering.refill import refilled
from components.routes import Target, find
from components.site import site
from project.http.csrf import csrf_cookie, csrf_token, secret_of
from project.http.error_responses import busy_response, failed_response
from project.http.headers import security_headers
from project.http.language import language_of
from project.http.posted_answers import posted_of
from project.http.viewer import Headers, session_key, viewer_of
from project.limits.rates import PAGE_WAIT, address_key
from project.observability.metrics import numbers
from project.process.page_loader import page_load
from project.process.web_process import process

log = logging.getLogger(__name__)
HELD = 500  # documents of strangers that a process keeps
STRANGERS = "public, max-age=0, s-maxage=2, must-revalidate"  # a proxy may hold a stranger's page for two seconds
PERSONAL = "no-store"


class StillConnection:
    """What components may ask of a page view: it shows, and nothing ever changes."""

    def __init__(self, page: Page, viewer: Viewer, token: str = "", posted: Mapping[str, Any] | None = None) -> None:
        self.posted = posted
        self.page, self.viewer, self.language, self.token = page, viewer, page.language, token

    async def navigate(self, path: str, held: object) -> Page | Redirect:  # noqa: ARG002 - the carrier's shape
        """Send the browser there itself."""
        return Redirect(path)

    def on_page(self, show: Callable[[Page], None]) -> None:
        """Nothing will be loaded again."""

    def follow(self, *_: object, **__: object) -> Callable[[], None]:
        """Nothing will change."""
        return lambda: None


@dataclass(slots=True)
class Kept:
    """A stranger's document, the whole page as it was last asked for, and the end of its following."""

    page: Page
    document: Document
    stops: list[Callable[[], None]]
    keys: tuple[str, ...] = ()
    etag: str = ""
    packed: bytes = b""
    heads: dict[int, list[tuple[bytes, bytes]]] = field(default_factory=dict)  # by status

    def whole(self, parts: list[LivePart]) -> None:
        """Join and compress the page, once for each set of versions: a tenth of the bytes to hold and to send."""
        etag = self.document.etag(parts)
        if etag == self.etag:
            return
        self.packed = gzip.compress(self.document.html(parts), mtime=0)
        self.etag = etag
        response = HttpResponse(status=self.page.status)
        _with_headers(response, strangers=True)
        pairs = [*response.items(), ("ETag", f'{etag[:-1]}-gzip"')]
        head = [(name.lower().encode(), value.encode("latin1")) for name, value in pairs]
        packed = [(b"content-encoding", b"gzip"), (b"content-length", str(len(self.packed)).encode())]
        self.heads = {self.page.status: head + packed, 304: head}


class Documents:
    """Strangers' documents by path, each until one of its page's topics changes."""

    def __init__(self) -> None:
        self.kept: dict[tuple[str, str], Kept] = {}

    def get(self, path: str, language: str) -> tuple[Page, Document] | None:
        """The page and its document, if kept."""
        found = self.kept.get((path, language))
        return (found.page, found.document) if found else None

    def keep(self, page: Page, document: Document, sequence: int) -> None:
        """Hold a document that was read at the bus's `turn`, unless something changed or nobody would tell us."""
        if not process.bus.connected.is_set() or process.bus.changed_since(sequence, page.topics):
            return
        if len(self.kept) >= HELD:
            self.drop(next(iter(self.kept)))
        place = (page.path, page.language)
        stops = [process.bus.subscribe(topic, lambda: self.drop(place)) for topic in page.topics]
        self.kept[place] = Kept(page, document, stops, tuple(ref.key for ref in page.parts))

    def drop(self, place: tuple[str, str]) -> None:
        """Forget one document."""
        if (found := self.kept.pop(place, None)) is not None:
            for stop in found.stops:
                stop()


documents = Documents()


def kept_answer(path: str, headers: Headers, if_none_match: str) -> tuple[int, list[tuple[bytes, bytes]], bytes] | None:
    """Status, headers and compressed content of a stranger's page that is wholly at hand; None asks for all the rest.

    Nothing in such a page is secret or repeats what was asked, so compressing it tells nobody anything.
    """
    if session_key(headers):
        return None
    kept = documents.kept.get((path, language_of(headers)))
    if kept is None or (parts := process.parts.fresh(kept.keys)) is None:
        return None
    kept.whole(parts)
    known = kept.etag.strip('"') in tags(if_none_match)
    status = HTTPStatus.NOT_MODIFIED if known else kept.page.status
    return status, kept.heads[status], b"" if known else kept.packed


def tags(if_none_match: str) -> set[str]:
    """The versions that an If-None-Match names; proxies that compress weaken them, and we mark what we compress."""
    return {tag.strip().removeprefix("W/").strip('"').removesuffix("-gzip") for tag in if_none_match.split(",")}


def _with_headers(response: HttpResponse, *, strangers: bool) -> HttpResponse:
    response["Cache-Control"] = STRANGERS if strangers else PERSONAL
    response["Vary"] = "Cookie, Accept-Encoding"
    for name, value in security_headers().items():
        response[name] = value
    return response


async def page_response(path: str, headers: Headers, if_none_match: str = "", address: str = "") -> HttpResponse:
    """The page at `path` for whoever these headers belong to, with every header it carries.

    `address` is what they are counted by, where that is known.
    """
    anonymous = not session_key(headers)
    with request_context(context_for(headers, path)):
        try:
            if seconds := process.connection_limits.search(address, path):
                return _with_headers(busy_response(seconds), strangers=False)
            async with asyncio.timeout(PAGE_WAIT):
                response = await _answer(path, headers, if_none_match, anonymous=anonymous)
        except Exception as error:  # noqa: BLE001 - a page view always answers with a plain sentence
            response = failed_response(error)
    return _with_headers(response, strangers=anonymous and "ETag" in response)


async def _answer(path: str, headers: Headers, if_none_match: str, *, anonymous: bool) -> HttpResponse:
    viewer = await viewer_of(headers)
    identify(viewer.id)
    target = find(path, viewer)
    if isinstance(target, Redirect):
        return HttpResponseRedirect(target.to)
    if not anonymous:
        return await _personal(target, viewer, headers)
    language = language_of(headers)
    page, document = documents.get(target.path, language) or await _document(target, viewer, language, keep=True)
    parts = await process.parts.complete(page.parts)
    etag = document.etag(parts)
    known = etag.strip('"') in tags(if_none_match)
    response = HttpResponseNotModified() if known else HttpResponse(document.html(parts), status=page.status)
    response["ETag"] = etag
    return response


async def _personal(target: Target, viewer: Viewer, headers: Headers) -> HttpResponse:
    """The page for somebody with a session; whoever is signed in may post its plain forms."""
    known = secret_of(headers)
    token, secret = csrf_token(known) if viewer.is_signed_in else ("", known)
    page, document = await _document(target, viewer, language_of(headers), token)
    parts = await process.parts.complete(page.parts)
    response = HttpResponse(document.html(parts, page.fills, token), status=page.status)
    if secret != known:
        response["Set-Cookie"] = csrf_cookie(secret)
    return response


async def _document(
    target: Target, viewer: Viewer, language: str, token: str = "", *, keep: bool = False
) -> tuple[Page, Document]:
    sequence = process.bus.sequence
    page = await page_load(target, viewer, language, sequence)
    posted = await posted_of(target.path, viewer)
    model = await still_model(page, viewer, token, posted)
    if posted and posted["values"]:
        model, fills = refilled(model, posted)
        page = replace(page, fills={**page.fills, **fills})
    document = Document(page, model, plain=target.route.plain, account=viewer.id)
    if keep:
        documents.keep(page, document, sequence)
    return page, document


async def still_model(
    page: Page, viewer: Viewer, token: str = "", posted: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """The whole page's model as `viewer` first sees it; `token` is what its plain forms post.

    `posted` is what a command has answered that came without a script.
    """
    scope = {"type": "http", "user": viewer}
    connection = Connection(scope, Location(page.place, ""), StillConnection(page, viewer, token, posted))
    with numbers.render.measured():
        return await first_model(site(), connection)


@csrf_exempt  # it reads only: another method is told so, and not asked for a token
@require_safe
async def page(request: HttpRequest) -> HttpResponse:
    """Any page, through Django's middleware."""
    headers: Headers = request.scope["headers"]  # type: ignore[attr-defined]  # Channels and Daphne always give one
    if_none_match, client = request.headers.get("If-None-Match", ""), request.scope.get("client")  # type: ignore[attr-defined]
    return await page_response(request.get_full_path(), headers, if_none_match, address_key(client))
