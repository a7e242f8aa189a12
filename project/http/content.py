"""What answers a visit, and the response that is written of it: the whole content, 304, or a redirect."""

import json
from collections.abc import Callable
from dataclasses import dataclass

from django.http import HttpResponse, HttpResponseNotModified, HttpResponseRedirect

from components.runtime.page import Redirect
from project.http.middleware import PERSONAL, PUBLIC, page_headers
from project.visit import BROTLI, GZIP, Visit

HTML, JSON = "text/html; charset=utf-8", "application/json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """A page, or the answer to a poll of it. `body` is called unless the browser holds this version of it."""

    body: Callable[[], bytes]
    version: str = ""  # without one, no browser keeps it
    is_public: bool = False  # whether all anonymous visitors share it, so that proxies may keep it too
    status: int = 200
    media_type: str = HTML
    coding: str = ""  # of the body: BROTLI, GZIP or none
    cookie: str = ""  # a Set-Cookie value


def response_of(visit: Visit, content: Content | Redirect) -> HttpResponse:
    """Return the response to this visit."""
    if isinstance(content, Redirect):
        return _redirected(visit, content.to)
    headers = page_headers(PUBLIC if content.is_public else PERSONAL)
    if content.version:
        headers["ETag"] = f'"{content.version}-{content.coding}"' if content.coding else f'"{content.version}"'
        if content.version in versions(visit.known_tags):
            return HttpResponseNotModified(headers=headers)
    if content.coding:
        headers["Content-Encoding"] = content.coding
    if content.cookie:
        headers["Set-Cookie"] = content.cookie
    return HttpResponse(content.body(), status=content.status, content_type=content.media_type, headers=headers)


def _redirected(visit: Visit, to: str) -> HttpResponse:
    """Return the redirect of a page view; the answer to a poll tells the open page of this account to load another."""
    if visit.poll is None:
        return HttpResponseRedirect(to, headers=page_headers(PERSONAL))
    body = json.dumps({"account": visit.viewer.id, "leave": to})
    return HttpResponse(body, content_type=JSON, headers=page_headers(PERSONAL))


def versions(if_none_match: str) -> set[str]:
    """Return the versions in an If-None-Match header, without the weak prefix of proxies and the coding."""
    tags = (tag.strip().removeprefix("W/").strip('"') for tag in if_none_match.split(","))
    return {tag.removesuffix(f"-{GZIP}").removesuffix(f"-{BROTLI}") for tag in tags}
