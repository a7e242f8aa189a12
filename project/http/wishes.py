"""A visitor's press without scripts waits for the sign-in in a signed cookie: the last one, for 15 minutes.

Only commands with `waits` do, by their argument alone. The cookie is bound to the browser in which the button was
pressed: no address contains the press, so that no link carries one out for another account. With scripts the client
keeps it (`components/client/src/commands.js`).
"""

import re
from uuid import uuid4

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from apps.accounts.actors import TYPED_BY
from apps.core.commands import REGISTERED
from project.http.middleware import public_origin
from project.process.commands import CommandRequest

_SALT = "parterre.wish"
_LIFETIME = 15 * 60  # seconds
WISH = re.compile(r"([0-9a-f]{32}) ([a-z_]{1,60}) ([a-z0-9:-]{1,60})", re.ASCII)  # key, command, argument


def wish_keep(request: HttpRequest, response: HttpResponse, command_request: CommandRequest) -> None:
    """Keep the command that a visitor's button posted, if it may wait.

    A visitor's page has no token: the Origin header, which browsers send with every post, states that the button was
    this site's. A form that was loaded by an account never waits for another one.
    """
    name, wish = command_request.name, f"{uuid4().hex} {command_request.name} {command_request.argument}"
    if not _may_wait(name) or not WISH.fullmatch(wish) or TYPED_BY in request.POST:
        return
    if request.headers.get("Origin") != public_origin():
        return
    response.set_signed_cookie(
        settings.WISH_COOKIE_NAME,
        wish,
        salt=_SALT,
        max_age=_LIFETIME,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def wish_take(request: HttpRequest, response: HttpResponse) -> CommandRequest | None:
    """Return the command that waits in this browser, and let the browser forget it; None without one."""
    if settings.WISH_COOKIE_NAME not in request.COOKIES:
        return None
    response.delete_cookie(settings.WISH_COOKIE_NAME, samesite="Lax")
    kept = request.get_signed_cookie(settings.WISH_COOKIE_NAME, default="", salt=_SALT, max_age=_LIFETIME)
    found = WISH.fullmatch(kept or "")
    if found is None or not _may_wait(found[2]):
        return None
    return CommandRequest(found[2], found[1], found[3], {"wish": "1"})


def _may_wait(name: str) -> bool:
    return name in REGISTERED and REGISTERED[name].waits
