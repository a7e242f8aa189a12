"""One command, from what was sent to the answer: as the account and the session are now, once for each key."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.core.exceptions import ValidationError

from apps.accounts.actors import Viewer
from apps.accounts.selectors import answer_get, signed_in_lately, viewer_get
from apps.core.commands.arguments import UNREADABLE, Arguments
from apps.core.commands.command_once import command_once
from apps.core.commands.registry import REGISTERED, Frame, refusal, refusal_of
from apps.core.database.standby import standby
from apps.core.texts import texts
from project.process.command_access import COMMAND_ACCESS, Access

LONG_TEXT = "long_text"  # what the form answers are called that hold long texts, and the field that names one
KEYS = 256  # fields of a command, and entries of anything that a browser sends
TOO_MUCH = "This is too much at once. Please choose or write less."
TOO_FAST = "That was a little fast. Please try again in a moment."


@dataclass(frozen=True, slots=True)
class CommandRequest:
    """A command as a browser sent it; all of it comes from a stranger."""

    name: str
    key: str  # in the spelling of the browser
    argument: str
    fields: Mapping[str, Any]


def command_run(command_request: CommandRequest, viewer: Viewer, *, path: str, language: str) -> Frame:
    """Do a command that was sent from the page at `path`, and return its answer, whatever happens.

    In a worker thread. `viewer` is who sent it, as known before: the account is read again.
    """
    t, command = texts(language), REGISTERED.get(command_request.name)
    if command is None:
        return refusal(t(UNREADABLE))
    try:
        actor = viewer_get(user_id=viewer.id, session=viewer.session)
        if actor.id is None:
            return refusal("", leave="/login?" + urlencode({"next": path}))
        if _is_stale(command_request.name, actor):
            return refusal("", leave="/reauthenticate?" + urlencode({"next": path}))
        arguments = Arguments(command_request.argument, _fields(command_request.fields, user_id=actor.id))
        work = partial(command.answer, actor, arguments, t)
        return command_once(user_id=actor.id, key=UUID(command_request.key), name=command_request.name, work=work)
    except Exception as error:  # noqa: BLE001 - every failure has its sentence, and is logged there
        return refusal_of(error, command, t)
    finally:
        standby.newest_require()  # whoever wrote may look before everybody is told


def _is_stale(name: str, actor: Viewer) -> bool:
    """Whether this command needs a fresh sign-in of an administrator, and the session has none."""
    is_needed = COMMAND_ACCESS.get(name) is Access.FRESH_ADMINISTRATOR and actor.is_admin
    return is_needed and not signed_in_lately(viewer=actor)


def _fields(fields: Mapping[str, Any], *, user_id: int) -> Mapping[str, Any]:
    """Return the fields that were sent, or those that this person posted ahead because one frame does not hold them.

    Raises ValidationError when those are gone.
    """
    answer_id = fields.get(LONG_TEXT)
    if not isinstance(answer_id, str) or len(fields) > 1:
        return fields
    name, data = answer_get(answer_id=answer_id, user_id=user_id) or ("", {})
    if name != LONG_TEXT:
        raise ValidationError("That took too long. Please save it once more.")
    posted_fields: Mapping[str, Any] = data["fields"]
    return posted_fields
