"""What Django's own way adds to its answers: the headers that every page carries."""

from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import cast

from asgiref.sync import iscoroutinefunction
from django.http import HttpRequest, HttpResponse
from django.utils.decorators import sync_and_async_middleware

from components.page import Page
from project.http.headers import security_headers

Answer = Callable[[HttpRequest], HttpResponse]
AsyncAnswer = Callable[[HttpRequest], Awaitable[HttpResponse]]


@sync_and_async_middleware
def security_middleware(get_response: Answer | AsyncAnswer) -> Answer | AsyncAnswer:
    """Put the security headers on every response, errors included, and a screen's status and Refresh header."""
    if iscoroutinefunction(get_response):

        async def answer(request: HttpRequest) -> HttpResponse:
            return _with_headers(request, await cast("AsyncAnswer", get_response)(request))

        return answer
    return lambda request: _with_headers(request, cast("Answer", get_response)(request))


def _with_headers(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    for name, value in security_headers().items():
        response.headers[name] = value
    if "public" not in response.headers.get("Cache-Control", ""):
        response.headers["Cache-Control"] = "no-store"
    page: Page | None = getattr(request, "page_shown", None)
    if page is not None:
        if response.status_code == HTTPStatus.OK:
            response.status_code = page.status
        if page.refresh is not None:
            response.headers["Refresh"] = f"{page.refresh.seconds}; url={page.refresh.to}"
    return response
