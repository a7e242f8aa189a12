"""Run one command: check the account and session as they are now, and store one answer for each key."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.core.exceptions import ValidationError

from apps.accounts.actors import Viewer
from apps.accounts.selectors.own_account import answer_get
from apps.accounts.selectors.sessions import signed_in_lately, viewer_get
from apps.core.buckets import Buckets
from apps.core.commands import (
    REGISTERED,
    SIGN_IN,
    UNREADABLE,
    Access,
    Arguments,
    Command,
    Frame,
    command_once,
    refusal,
    refusal_of,
)
from apps.core.scale.replica import replica
from apps.core.texts import texts
from apps.core.threads import in_thread
from apps.live.reaction_batch import Batcher
from apps.live.services import ReactionMessage
from project.limits.rates import TAPS
from project.visit import Visit

LONG_TEXT = "long_text"  # the form name under which long texts are stored, and the field that names one
KEYS = 256  # limit on a command's fields, and on the entries of each JSON object or list of a browser
TOO_MUCH = "This is too much at once. Please choose or write less."
TOO_FAST = "That was a little fast. Please try again in a moment."


@dataclass(frozen=True, slots=True)
class CommandRequest:
    """A command as a browser sent it. All values are untrusted."""

    name: str
    key: str  # as the browser wrote it
    argument: str
    fields: Mapping[str, Any]


def command_run(command_request: CommandRequest, visit: Visit) -> Frame:
    """Run a command that was sent from the visited page, and return its answer; failures become answers too.

    Runs in a worker thread. The visit's viewer is the sender as known so far; the account is read again.
    """
    t, command = texts(visit.language), REGISTERED.get(command_request.name)
    if command is None:
        return refusal(t(UNREADABLE))
    try:
        actor = viewer_get(user_id=visit.viewer.id, session=visit.viewer.session)
        if actor.id is None:
            return refusal("", leave=f"{door_of(command.name, visit.viewer)}?{urlencode({'next': visit.address})}")
        if _is_stale(command, actor):
            return refusal("", leave="/reauthenticate?" + urlencode({"next": visit.address}))
        arguments = Arguments(command_request.argument, _fields(command_request.fields, user_id=actor.id))
        work = partial(command.answer, actor, arguments, t)
        return command_once(user_id=actor.id, key=UUID(command_request.key), name=command_request.name, work=work)
    except Exception as error:  # noqa: BLE001 - every failure has its sentence, and `refusal_of` logs it
        return refusal_of(error, command, t)
    finally:
        replica.require_up_to_date()  # read-your-writes: the sender may read before the change is published


def _is_stale(command: Command, actor: Viewer) -> bool:
    """Whether the command requires a fresh sign-in of an administrator, and the session has none."""
    is_needed = command.access is Access.FRESH_ADMINISTRATOR and actor.is_admin
    return is_needed and not signed_in_lately(viewer=actor)


def _fields(fields: Mapping[str, Any], *, user_id: int) -> Mapping[str, Any]:
    """Return the fields of the command, or the long texts that were posted before because they exceed one frame.

    Raises ValidationError when the stored texts have expired.
    """
    answer_id = fields.get(LONG_TEXT)
    if not isinstance(answer_id, str) or len(fields) > 1:
        return fields
    name, data = answer_get(answer_id=answer_id, user_id=user_id) or ("", {})
    if name != LONG_TEXT:
        raise ValidationError("That took too long. Please save it once more.")
    posted_fields: Mapping[str, Any] = data["fields"]
    return posted_fields


def door_of(name: str, viewer: Viewer) -> str:
    """Return the path of the page to which this sender of a command is sent: a member whose session ended signs in."""
    command = REGISTERED.get(name)
    return SIGN_IN if command is None or viewer.id is not None else command.door


class Reactions:
    """The live reactions of this process's audience: limited by account, and stored in batches."""

    def __init__(self) -> None:
        self.batcher = Batcher(in_thread)
        self.buckets = Buckets(TAPS)  # by account

    async def add(self, taps: ReactionMessage) -> tuple[int, str] | None:
        """Return the number of stored taps, and the reason why others are refused.

        Returns None when the outcome is unknown: the browser then sends the same message again.
        """
        count = sum(self.buckets.take(taps.user_id) for _ in taps.types)
        if not count:
            return 0, ""
        refusal = await self.batcher.add(replace(taps, types=taps.types[:count]))
        return None if refusal is None else (0 if refusal else count, refusal)

    async def stop(self) -> None:
        """Write the pending taps."""
        await self.batcher.stop()
