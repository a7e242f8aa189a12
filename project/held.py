"""Texts that one frame of a socket does not hold: posted ahead of the act that names them, kept for an hour.

For administrators, whose articles and biographies may be long. How it goes on: components/hooks/held.py.
"""

import json
from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_POST

from apps.accounts.services import answer_keep
from components.hooks.held import HELD
from project.frames import KEYS
from project.profile import viewer_of_request

LONGEST = 1 << 20  # bytes


@require_POST
def hold(request: HttpRequest) -> HttpResponse:
    """Keep the fields of an act and answer with the name by which it asks for them."""
    viewer = viewer_of_request(request)
    if viewer.id is None or not viewer.is_admin:
        return HttpResponse(status=HTTPStatus.FORBIDDEN)
    body = request.read(LONGEST + 1)  # not `body`, which takes no more than forms of everybody may have
    if len(body) > LONGEST:
        return HttpResponse(status=HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
    fields = _fields(body)
    if fields is None:
        return HttpResponse(status=HTTPStatus.BAD_REQUEST)
    kept = answer_keep(user_id=viewer.id, form=HELD, data={"fields": fields})
    return HttpResponse(str(kept), content_type="text/plain")


def _fields(body: bytes) -> dict[str, Any] | None:
    """The fields in a body, or None for what no client of ours posts."""
    try:
        fields = json.loads(body)
    except (ValueError, RecursionError):
        return None
    if not isinstance(fields, dict) or len(fields) > KEYS:
        return None
    return fields if all(map(_is_text, fields.values())) else None


def _is_text(value: Any) -> bool:
    """Whether this is what was typed into one field, or into several of one name; PostgreSQL's JSON holds no NUL."""
    typed = value if isinstance(value, list) else [value]
    return all(isinstance(each, str) and "\0" not in each for each in typed)
