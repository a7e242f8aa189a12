"""Writes of programs."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.db import transaction

from apps.accounts.actors import Actor
from apps.accounts.audit_notes import change_note
from apps.competition.events import ProgramChanged
from apps.competition.models import Piece, ProgramEntry, SessionParticipant
from apps.competition.permissions import can_edit_competition
from apps.competition.youtube import video_id
from apps.core.events import publish
from apps.core.permissions import require


@dataclass(frozen=True, slots=True)
class NewEntry:
    """A piece to be put into a program.

    `slot` is a category, the piece's own unless it says otherwise; `timestamp` counts seconds into the recording.
    """

    piece_id: int
    slot: str = ""
    timestamp: int | None = None
    youtube_url: str = ""


@transaction.atomic
def program_add(*, actor: Actor, session_participant_id: int, entries: Sequence[NewEntry]) -> tuple[ProgramEntry, ...]:
    """Add pieces, in their order, to the end of an appearance's program and return the new entries.

    Raises PermissionDenied, SessionParticipant.DoesNotExist, ValidationError; then nothing is added.
    """
    require(can_edit_competition(actor), "Only administrators edit programs.")
    appearance = SessionParticipant.objects.select_for_update(no_key=True).get(pk=session_participant_id)
    last = appearance.program.order_by("-order_number").values_list("order_number", flat=True).first() or 0
    pieces = Piece.objects.in_bulk({entry.piece_id for entry in entries})
    rows = [_row(appearance, entry, pieces, number) for number, entry in enumerate(entries, start=last + 1)]
    stored = ProgramEntry.objects.bulk_create(rows)
    after = {"pieces": [row.piece.name for row in stored]}
    change_note(
        actor=actor, action="program.add", subject_id=appearance.pk, name=appearance.participant.name, after=after
    )
    publish(ProgramChanged(session_id=appearance.session_id, participant_id=appearance.participant_id))
    return tuple(stored)


def _row(appearance: SessionParticipant, new: NewEntry, pieces: dict[int, Piece], order_number: int) -> ProgramEntry:
    """Return the row of a new entry, checked. Raises ValidationError."""
    piece = pieces.get(new.piece_id)
    if piece is None:
        raise ValidationError("This piece is not in the catalogue.")
    link = new.youtube_url.strip()
    if link and (video_id(link) is None or not link.startswith("https://")):
        raise ValidationError("This is not the https:// address of a YouTube video.")
    row = ProgramEntry(
        session_participant=appearance,
        piece=piece,
        order_number=order_number,
        slot=new.slot or piece.category,
        timestamp=new.timestamp,
        youtube_url=link,
    )
    row.clean_fields(exclude=["session_participant", "piece"])  # both are known to exist
    return row
