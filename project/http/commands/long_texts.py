"""Texts that one frame of a socket does not hold: posted ahead of the command that names them, kept for an hour.

For administrators, whose articles and biographies may be long. How it goes on: project/process/command_run.py.
"""

import json
from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_POST

from apps.accounts.requests import viewer_of_request
from apps.accounts.services import answer_keep
from apps.core.commands.arguments import UNREADABLE
from apps.core.text_rules.characters import UNSTORABLE, is_storable
from apps.core.texts import texts
from project.http.language import request_language
from project.process.command_run import KEYS, LONG_TEXT

LONGEST = 1 << 20  # bytes
PLAIN = "text/plain; charset=utf-8"


@require_POST
def long_text_store(request: HttpRequest) -> HttpResponse:
    """Store the fields of a command; the response is the id under which the command names them."""
    viewer = viewer_of_request(request)
    if viewer.id is None or not viewer.is_admin:
        return HttpResponse(status=HTTPStatus.FORBIDDEN)
    body = request.read(LONGEST + 1)  # not `body`, which takes no more than forms of everybody may have
    if len(body) > LONGEST:
        return HttpResponse(status=HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
    try:
        fields = _fields(body)
    except ValueError as error:
        sentence = texts(request_language(request))(str(error))
        return HttpResponse(sentence, status=HTTPStatus.BAD_REQUEST, content_type=PLAIN)
    answer_id = answer_keep(user_id=viewer.id, form=LONG_TEXT, data={"fields": fields})
    return HttpResponse(str(answer_id), content_type=PLAIN)


def _fields(body: bytes) -> dict[str, Any]:
    """Return the fields in a body; raises ValueError with a sentence, a source of gettext, for what is not taken."""
    try:
        fields = json.loads(body.decode())  # bytes alone would be read with halves of characters in them
    except UnicodeDecodeError as error:
        raise ValueError(UNSTORABLE) from error
    except (ValueError, RecursionError) as error:
        raise ValueError(UNREADABLE) from error
    if not isinstance(fields, dict) or len(fields) > KEYS or not all(map(_is_typed, fields.values())):
        raise ValueError(UNREADABLE)
    if not is_storable(fields):
        raise ValueError(UNSTORABLE)
    return fields


def _is_typed(value: Any) -> bool:
    """Whether this is what was typed into one field, or into several of one name."""
    return all(isinstance(each, str) for each in (value if isinstance(value, list) else [value]))
