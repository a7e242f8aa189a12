"""Writes of programs."""

from django.core.exceptions import ValidationError
from django.db import transaction

from apps.accounts.actors import Actor
from apps.competition.events import ProgramChanged
from apps.competition.models import ProgramEntry, SessionParticipant
from apps.competition.permissions import can_edit_competition
from apps.competition.youtube import video_id
from apps.core.events import publish
from apps.core.permissions import require


@transaction.atomic
def program_entry_add(
    *,
    actor: Actor,
    session_participant_id: int,
    piece_id: int,
    slot: str = "",
    timestamp: int | None = None,
    youtube_url: str = "",
) -> ProgramEntry:
    """Add a piece to the end of a place's program and return the entry.

    `slot` is a category, the piece's own unless it says otherwise; `timestamp` counts seconds into the recording.
    Raises PermissionDenied, SessionParticipant.DoesNotExist, ValidationError.
    """
    require(can_edit_competition(actor), "Only administrators edit programs.")
    link = youtube_url.strip()
    if link and (video_id(link) is None or not link.startswith("https://")):
        raise ValidationError("This is not the https:// address of a YouTube video.")
    place = SessionParticipant.objects.select_for_update(no_key=True).get(pk=session_participant_id)
    last = place.program.order_by("-order_number").values_list("order_number", flat=True).first()
    entry = ProgramEntry(
        session_participant=place,
        piece_id=piece_id,
        order_number=(last or 0) + 1,
        slot=slot,
        timestamp=timestamp,
        youtube_url=link,
    )
    entry.clean_fields(exclude=["session_participant", "slot"])
    entry.slot = slot or entry.piece.category
    entry.clean_fields(exclude=["session_participant", "piece"])
    entry.save()
    publish(ProgramChanged(session_id=place.session_id, participant_id=place.participant_id))
    return entry
