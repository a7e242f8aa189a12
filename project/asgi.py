"""The ASGI application: routes page views, static files, health checks and sockets past Django, the rest to it."""

import os
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import Any, cast

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "project.settings")

import django as framework
from django.apps import apps

if not apps.ready:  # a second set-up would restore log handlers that were removed since
    framework.setup(set_prefix=False)

from project.http.unstored_bodies import BodyHandler

django = BodyHandler()

from channels.routing import ProtocolTypeRouter  # noqa: E402 - after Django's set-up
from django.conf import settings  # noqa: E402 - Django is set up by the line above
from django.http.request import split_domain_port, validate_host  # noqa: E402 - as above

from apps.core.observability import address_key, request_context, security_count  # noqa: E402 - as above
from components.runtime.rendering.document import LIVE  # noqa: E402 - as above
from project.http.middleware import public_origin  # noqa: E402 - as above
from project.http.page_view import answer  # noqa: E402 - as above
from project.observability import logs  # noqa: E402 - as above
from project.server import health  # noqa: E402 - as above
from project.server.static_files import is_static, static_app  # noqa: E402 - as above
from project.sockets.page_socket import PageSocket  # noqa: E402 - as above
from project.urls import is_other  # noqa: E402 - as above
from project.visit import Visit  # noqa: E402 - as above

Scope = dict[str, Any]
Send = Callable[[dict[str, Any]], Awaitable[None]]


def header(scope: Scope, header_name: bytes) -> str:
    """Return the only header of this name; empty if there is none or more than one."""
    values = [value.decode("latin1") for name, value in scope["headers"] if name == header_name]
    return values[0] if len(values) == 1 else ""


def is_page(scope: Scope) -> bool:
    """Whether this is the view of a live page, which only reads and finds its viewer itself."""
    if scope["method"] not in ("GET", "HEAD") or is_other(scope["path"]):
        return False
    return validate_host(split_domain_port(header(scope, b"host"))[0], settings.ALLOWED_HOSTS)


async def page(scope: Scope, _receive: Callable[..., Any], send: Send) -> None:
    """Answer a page view without Django's middleware: under ASGI each upstream middleware costs two thread hops."""
    response = await answer(Visit.of(scope))
    headers = [(name.lower().encode(), value.encode("latin1")) for name, value in response.items()]
    if response.status_code != HTTPStatus.NOT_MODIFIED:  # with 304 it would have to be the length of the whole page
        headers.append((b"content-length", str(len(response.content)).encode()))
    await send({"type": "http.response.start", "status": response.status_code, "headers": headers})
    await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else response.content})


async def http(scope: Scope, receive: Callable[..., Any], send: Send) -> None:
    """Answer one HTTP request."""
    if is_static(scope["path"]):
        await static_app(cast("Any", scope), receive, cast("Any", send))
    elif not await health.answer_machine(scope, send):
        await logs.with_request_log(page if is_page(scope) else cast("Any", django), scope, receive, send)


async def websocket(scope: Scope, receive: Callable[..., Any], send: Send) -> None:
    """Serve one socket. Refuses sockets from another origin or for another path."""
    if scope["path"] == LIVE and header(scope, b"origin") == public_origin():
        with request_context(logs.context_of(scope)):
            await PageSocket(scope, receive, send).run()
    else:
        reason = "foreign origin" if scope["path"] == LIVE else "unknown address"
        security_count("socket refused", reason=reason, client=address_key(scope.get("client")))
        await send({"type": "websocket.close"})


application = ProtocolTypeRouter({"http": http, "websocket": websocket})
