"""Commands of sessions."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from django.core.exceptions import ValidationError

from apps.accounts.actors import Viewer
from apps.competition import services
from apps.competition.limits import DESCRIPTION_LENGTH, ORDER_LENGTH, TITLE_LENGTH, VIDEO_LENGTH
from apps.core.commands.arguments import Arguments
from apps.core.commands.registry import Answer, command
from apps.core.edits.field_errors import FieldErrors
from apps.core.limits import ID_DIGITS, MOMENT_LENGTH, VERSION_LENGTH
from apps.core.texts import Texts

LIST = "/admin/sessions"
STAGE_MOST = 2**31 - 1  # of its ids
NUMBER_MOST = 999  # in an order of playing
NEVER = datetime.max.replace(tzinfo=UTC) - timedelta(days=1)  # stands for a moment that was not given; it is not stored


@command()
def session_create(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Create a session."""
    errors = FieldErrors()
    fields, participants = _session(given, errors), errors.checked(lambda: _participants(given), None)
    errors.checked(partial(services.session_create, actor=actor, **fields, participant_ids=participants or ()), None)
    errors.require_none()
    return Answer(t("Session created successfully"), go=LIST)


@command()
def session_update(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Save the session in the argument; where no field of the order came along, the order stays."""
    errors = FieldErrors()
    update = partial(
        services.session_update,
        actor=actor,
        session_id=given.id(),
        **_session(given, errors),
        participant_ids=errors.checked(lambda: _participants(given), None),
        version=given.text("version", VERSION_LENGTH) or None,
        confirmed=given.flag("confirmed"),
    )
    saved = errors.checked(update, None)
    errors.require_none()
    undo = ("program_undo", saved.undo_id) if saved and saved.undo_id else None
    kept_fields = saved.kept_fields if saved else ()
    return Answer(t("Session updated successfully"), go=LIST, undo=undo, kept_fields=kept_fields)


@command(confirm="Delete this session?")
def session_delete(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Delete the session in the argument."""
    services.session_delete(actor=actor, session_id=given.id(), confirmed=given.flag("confirmed"))
    return Answer(t("Session deleted successfully"))


def _session(given: Arguments, errors: FieldErrors) -> dict[str, Any]:
    date, time = given.text("date", MOMENT_LENGTH), given.text("time", MOMENT_LENGTH)
    return {
        "title": given.text("title", TITLE_LENGTH),
        "starts_at": errors.checked(partial(services.venue_moment, date=date, time=time), NEVER),
        "description": given.text("description", DESCRIPTION_LENGTH),
        "youtube_id": given.text("youtube_id", VIDEO_LENGTH),
        "stage_id": given.number("stage", 1, STAGE_MOST),
    }


def _participants(given: Arguments) -> list[int] | None:
    """The chosen ids in their order, by the field of the script or by those that stand in for it; None without any."""
    if "playing" in given.fields:
        return _numbered(given)
    return _chosen(given) if "participant_ids" in given.fields else None


def _chosen(given: Arguments) -> list[int]:
    """The ids of one field; what was typed into the search and not chosen is a row without a participant."""
    words = [word for word in given.text("participant_ids", ORDER_LENGTH).split(",") if word]
    if given.text("adding", TITLE_LENGTH):
        raise ValidationError({"adding": "Each participant row needs a selected participant."})
    return _ids(words, "adding")


def _numbered(given: Arguments) -> list[int]:
    """The ids by their numbers, then those whose box is ticked; whoever has no number is left out.

    Of two with one number, the one that was moved there has it: before the other on the way up, after it down.
    """
    playing = _ids([word for word in given.text("playing", ORDER_LENGTH).split(",") if word], "playing")
    order: list[tuple[int, int, int, int]] = []
    for before, pk in enumerate(playing, start=1):
        number = given.number(f"number-{pk}", 1, NUMBER_MOST)
        if number is not None:
            order.append((number, (number > before) - (number < before), before, pk))
    added = _ids(given.several("added", NUMBER_MOST), "added")
    return [pk for _number, _way, _before, pk in sorted(order)] + added


def _ids(words: Sequence[str], field: str) -> list[int]:
    """These ids as numbers. Raises ValidationError at the field for what is none."""
    if not all(word.isascii() and word.isdecimal() and len(word) <= ID_DIGITS for word in words):
        raise ValidationError({field: "Selected participant not found"})
    return [int(word) for word in words]
