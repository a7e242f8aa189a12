"""Commands of sessions."""

from typing import Any

from django.core.exceptions import ValidationError

from apps.accounts.actors import Viewer
from apps.competition import services
from apps.competition.limits import DESCRIPTION_LENGTH, ORDER_LENGTH, TITLE_LENGTH, VIDEO_LENGTH
from apps.core.commands.arguments import Arguments
from apps.core.commands.registry import Answer, command
from apps.core.limits import ID_DIGITS, MOMENT_LENGTH, VERSION_LENGTH
from apps.core.texts import Texts

LIST = "/admin/sessions"
STAGE_MOST = 2**31 - 1  # of its ids


@command()
def session_create(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Create a session."""
    services.session_create(actor=actor, **_session(given), participant_ids=_participants(given))
    return Answer(t("Session created successfully"), go=LIST)


@command()
def session_update(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Save the session in the argument; without the field `participant_ids`, which a script adds, the order stays."""
    saved = services.session_update(
        actor=actor,
        session_id=given.id(),
        **_session(given),
        participant_ids=_participants(given) if "participant_ids" in given.fields else None,
        seen=given.text("seen", VERSION_LENGTH) or None,
        confirmed=given.flag("confirmed"),
    )
    return Answer(t("Session updated successfully"), go=LIST, kept_fields=saved.kept_fields)


@command(confirm="Delete this session?")
def session_delete(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Delete the session in the argument."""
    services.session_delete(actor=actor, session_id=given.id(), confirmed=given.flag("confirmed"))
    return Answer(t("Session deleted successfully"))


def _session(given: Arguments) -> dict[str, Any]:
    date, time = given.text("date", MOMENT_LENGTH), given.text("time", MOMENT_LENGTH)
    return {
        "title": given.text("title", TITLE_LENGTH),
        "starts_at": services.venue_moment(date=date, time=time),
        "description": given.text("description", DESCRIPTION_LENGTH),
        "youtube_id": given.text("youtube_id", VIDEO_LENGTH),
        "stage_id": given.number("stage", 1, STAGE_MOST),
    }


def _participants(given: Arguments) -> list[int]:
    """Return the ids in their order. Raises ValidationError, also when `adding`, the search, was left filled in."""
    words = [word for word in given.text("participant_ids", ORDER_LENGTH).split(",") if word]
    if given.text("adding", TITLE_LENGTH):
        raise ValidationError({"adding": "Each participant row needs a selected participant."})
    if not all(word.isascii() and word.isdecimal() and len(word) <= ID_DIGITS for word in words):
        raise ValidationError({"adding": "Selected participant not found"})
    return [int(word) for word in words]
