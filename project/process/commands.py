"""Run one command: check the account and session as they are now, and store one answer for each key."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.core.exceptions import ValidationError

from apps.accounts.actors import Viewer
from apps.accounts.selectors.own_account import answer_get
from apps.accounts.selectors.sessions import signed_in_lately, viewer_get
from apps.core.buckets import Buckets
from apps.core.commands import REGISTERED, UNREADABLE, Arguments, Frame, command_once, refusal, refusal_of
from apps.core.scale.replica import replica
from apps.core.texts import texts
from apps.core.threads import in_thread
from apps.live.reaction_batch import Batcher
from apps.live.services import Taps
from project.limits.rates import TAPS


class Access(StrEnum):
    """What a command requires of the account and of its session."""

    MEMBER = "member"
    ADMINISTRATOR = "administrator"
    FRESH_ADMINISTRATOR = "administrator who signed in within the last ten minutes"


_MEMBER = (
    *("post_add", "community_post_delete", "post_comment_add", "post_comment_delete", "post_reaction_set"),
    *("ratings_submit", "recommendation_set", "rating_delete", "mark_delete"),
    *("comment_add", "comment_delete", "reaction_add", "report_add"),
)
_ADMINISTRATOR = (
    *("report_decide", "reports_decide", "reports_decide_matching", "report_decision_undo"),
    *("rating_decide", "ratings_decide", "ratings_decide_matching", "decision_undo"),
    *("stage_create", "stage_update", "stage_move", "stage_archive", "stage_field_set", "stage_delete"),
    *("session_create", "session_update", "session_delete", "session_set_live", "session_end"),
    *("performer_set", "performer_next", "performer_clear", "live_restore"),
    *("program_select", "program_entry_move", "program_entry_remove", "program_entry_link"),
    *("piece_add", "piece_update", "piece_delete"),
    *("participant_create", "participant_update", "participant_delete"),
    *("ranking_close", "ranking_reopen", "ranking_release", "ranking_unrelease"),
    *("post_create", "post_update", "post_delete"),
    *("program_import", "program_text_clear", "program_undo"),
    *("import_save", "import_undo", "import_clear", "import_encoding_set", "import_category_set"),
    *("import_person_set", "import_piece_leave_out"),
    *("default_avatars_set", "account_unlock"),
)
_FRESH_ADMINISTRATOR = ("admin_grant", "admin_revoke", "account_deactivate", "account_activate", "factors_forget")

COMMAND_ACCESS: Mapping[str, Access] = {
    **dict.fromkeys(_MEMBER, Access.MEMBER),
    **dict.fromkeys(_ADMINISTRATOR, Access.ADMINISTRATOR),
    **dict.fromkeys(_FRESH_ADMINISTRATOR, Access.FRESH_ADMINISTRATOR),
}


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


def command_run(command_request: CommandRequest, viewer: Viewer, *, path: str, language: str) -> Frame:
    """Run a command that was sent from the page at `path`, and return its answer; failures become answers too.

    Runs in a worker thread. `viewer` is the sender as known so far; the account is read again.
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
    except Exception as error:  # noqa: BLE001 - every failure has its sentence, and `refusal_of` logs it
        return refusal_of(error, command, t)
    finally:
        replica.require_up_to_date()  # read-your-writes: the sender may read before the change is published


def _is_stale(name: str, actor: Viewer) -> bool:
    """Whether the command requires a fresh sign-in of an administrator, and the session has none."""
    is_needed = COMMAND_ACCESS.get(name) is Access.FRESH_ADMINISTRATOR and actor.is_admin
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


class Reactions:
    """The live reactions of this process's audience: limited by account, and stored in batches."""

    def __init__(self) -> None:
        self.batcher = Batcher(in_thread)
        self.buckets = Buckets(TAPS)  # by account

    async def add(self, taps: Taps) -> tuple[int, str] | None:
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
