"""What Django's own way adds to its answers: the headers that every page carries."""

from collections.abc import Awaitable, Callable
from typing import cast

from asgiref.sync import iscoroutinefunction
from django.http import HttpRequest, HttpResponse
from django.utils.decorators import sync_and_async_middleware

from project.policy import security_headers

Answer = Callable[[HttpRequest], HttpResponse]
AsyncAnswer = Callable[[HttpRequest], Awaitable[HttpResponse]]


@sync_and_async_middleware
def secured(get_response: Answer | AsyncAnswer) -> Answer | AsyncAnswer:
    """Put the security headers on every answer, errors included."""
    if iscoroutinefunction(get_response):

        async def answer(request: HttpRequest) -> HttpResponse:
            return _with_headers(await cast("AsyncAnswer", get_response)(request))

        return answer
    return lambda request: _with_headers(cast("Answer", get_response)(request))


def _with_headers(response: HttpResponse) -> HttpResponse:
    for name, value in security_headers().items():
        response.headers[name] = value
    return response
