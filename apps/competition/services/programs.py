"""Writes of programs."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction

from apps.accounts.actors import Actor
from apps.accounts.audit_notes import change_note
from apps.competition.events import ProgramChanged
from apps.competition.models import Piece, ProgramEntry, SessionParticipant
from apps.competition.permissions import can_edit_competition
from apps.competition.selectors.admin import program_fields
from apps.competition.services.program_changes import program_change_begin
from apps.competition.services.program_locks import programs_lock
from apps.competition.youtube import video_id
from apps.core.edits.edit_merge import EditConflict, FieldConflict, version_of
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
    publish(ProgramChanged(appearance.session_id, appearance.participant_id, appearance.session.stage_id))
    return tuple(stored)


@transaction.atomic
def program_replace(
    *,
    actor: Actor,
    session_participant_id: int,
    entries: Sequence[NewEntry],
    version: str | None = None,
    confirmed: bool = False,
) -> None:
    """Put these pieces, in their order, in place of an appearance's program.

    A piece that stays keeps its link and second unless its new entry names others, and its ratings; those of a piece
    that leaves are deleted with it. `version` is
    that of the program which the editor read. Raises PermissionDenied, SessionParticipant.DoesNotExist,
    ValidationError, EditConflict when somebody else changed the program, PiecesRated; then nothing changes.
    """
    require(can_edit_competition(actor), "Only administrators edit programs.")
    appearance = SessionParticipant.objects.select_for_update(no_key=True).get(pk=session_participant_id)
    programs_lock(appearance_ids=(appearance.pk,))
    old = list(appearance.program.select_related("piece").order_by("order_number"))
    before = program_fields(entry.piece.name for entry in old)
    if version is not None and version != version_of(before):
        change = FieldConflict("text", "The program", ", ".join(before["pieces"]))
        raise EditConflict((change,), version_of(before))
    pieces = Piece.objects.in_bulk({entry.piece_id for entry in entries})
    rows = [_row(appearance, entry, pieces, number) for number, entry in enumerate(entries, start=1)]
    kept = _kept(old, rows)
    gone = [entry for entry in old if entry not in kept]
    program_change_begin(actor, appearance, old, [row.piece_id for row in rows], confirmed=confirmed)
    ProgramEntry.objects.filter(pk__in=[entry.pk for entry in gone]).delete()
    ProgramEntry.objects.bulk_update(kept, ["order_number", "slot", "timestamp", "youtube_url"])
    stored = {entry.order_number for entry in kept}
    ProgramEntry.objects.bulk_create([row for row in rows if row.order_number not in stored])
    _replaced_announce(actor, appearance, before, program_fields(row.piece.name for row in rows))


def _kept(old: Sequence[ProgramEntry], rows: Sequence[ProgramEntry]) -> list[ProgramEntry]:
    """Return the old entries whose pieces stay, each in its new place."""
    left: dict[int, list[ProgramEntry]] = defaultdict(list)
    for entry in old:
        left[entry.piece_id].append(entry)
    kept = []
    for row in rows:
        if not left[row.piece_id]:
            continue
        entry = left[row.piece_id].pop(0)
        entry.order_number, entry.slot = row.order_number, row.slot
        if row.youtube_url or row.timestamp is not None:
            entry.youtube_url, entry.timestamp = row.youtube_url, row.timestamp
        kept.append(entry)
    return kept


def _replaced_announce(
    actor: Actor, appearance: SessionParticipant, before: dict[str, Any], after: dict[str, Any]
) -> None:
    change_note(
        actor=actor,
        action="program.replace",
        subject_id=appearance.pk,
        name=appearance.participant.name,
        before=before,
        after=after,
    )
    publish(ProgramChanged(appearance.session_id, appearance.participant_id, appearance.session.stage_id))


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
