"""Writes of single entries of a program."""

from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction

from apps.accounts.actors import Actor
from apps.accounts.audit_notes import change_note
from apps.competition.enums import Category
from apps.competition.events import ProgramChanged
from apps.competition.models import Piece, ProgramEntry, SessionParticipant
from apps.competition.permissions import can_edit_competition
from apps.competition.selectors.admin import link_fields
from apps.competition.services.program_changes import program_change_begin
from apps.competition.services.program_locks import programs_lock
from apps.competition.youtube import moment_link
from apps.core.edits.edit_merge import Saved, edit_merge
from apps.core.events import publish
from apps.core.permissions import require

_NOT_ALLOWED = "Only administrators edit programs."
_STEPS = {"up": -1, "down": 1}


@transaction.atomic
def program_select(
    *, actor: Actor, appearance_id: int, piece_id: int, slot: str = "", confirmed: bool = False
) -> ProgramEntry:
    """Put a piece into its category's slot, or `slot`, of an appearance's program, and return the entry.

    It replaces the slot's last piece, whose link stays and whose ratings are deleted. Raises PermissionDenied,
    SessionParticipant.DoesNotExist, ValidationError, PiecesRated; then nothing changes.
    """
    appearance = _appearance(actor, appearance_id)
    piece = Piece.objects.select_for_update(no_key=True).filter(pk=piece_id).first()
    if piece is None:
        raise ValidationError("This piece is not in the catalogue.")
    wanted = slot or piece.category
    if wanted not in Category.values:
        raise ValidationError("There is no such category.")
    entries = _program(appearance)
    filling = [entry for entry in entries if entry.slot == wanted]
    if any(entry.piece_id == piece_id for entry in filling):
        return next(entry for entry in filling if entry.piece_id == piece_id)
    if not filling:
        number = entries[-1].order_number + 1 if entries else 1
        filling = [ProgramEntry(session_participant=appearance, order_number=number, slot=wanted)]
    entry = filling[-1]
    before = {"piece": entry.piece.name} if entry.pk else None
    staying = [each.piece_id for each in entries if each is not entry]
    program_change_begin(actor, appearance, entries, [*staying, piece_id], confirmed=confirmed)
    entry.piece = piece
    entry.save()
    _announce(actor, "program.select", appearance, before=before, after={"piece": piece.name, "slot": wanted})
    return entry


@transaction.atomic
def program_entry_link(*, actor: Actor, entry_id: int, url: str, version: str | None = None) -> Saved[ProgramEntry]:
    """Store where in which video a piece begins, or remove that for an empty `url`, and return the entry.

    `version` is the one that the editor read. Raises PermissionDenied, ProgramEntry.DoesNotExist, EditConflict,
    ValidationError at `url`.
    """
    appearance, entries = _entries(actor, entry_id)
    entry = _entry_get(entries, entry_id)
    before, given = link_fields(entry.youtube_url), link_fields(moment_link(url)[0])
    after, kept_fields = edit_merge(version=version, stored=before, given=given, labels={"url": "YouTube URL"})
    entry.youtube_url, entry.timestamp = moment_link(after["url"])
    entry.clean_fields(exclude=["session_participant", "piece"])
    entry.save(update_fields=["youtube_url", "timestamp"])
    _announce(actor, "program.link", appearance, before=before, after=after)
    return Saved(entry, kept_fields)


@transaction.atomic
def program_entry_remove(*, actor: Actor, entry_id: int, confirmed: bool = False) -> None:
    """Take a piece out of a program, with its ratings.

    Raises PermissionDenied, ProgramEntry.DoesNotExist, PiecesRated.
    """
    appearance, entries = _entries(actor, entry_id)
    entry = _entry_get(entries, entry_id)
    staying = [each for each in entries if each is not entry]
    program_change_begin(actor, appearance, entries, [each.piece_id for each in staying], confirmed=confirmed)
    entry.delete()
    _renumber(staying)
    _announce(actor, "program.remove", appearance, before={"piece": entry.piece.name, "slot": entry.slot})


@transaction.atomic
def program_entry_move(*, actor: Actor, entry_id: int, direction: str) -> ProgramEntry:
    """Swap a piece with the one before ("up") or after it ("down") and return it; at the end it stays.

    Raises PermissionDenied, ProgramEntry.DoesNotExist, ValidationError.
    """
    if direction not in _STEPS:
        raise ValidationError("A piece moves up or down.")
    appearance, entries = _entries(actor, entry_id)
    entry = _entry_get(entries, entry_id)
    index, before = entries.index(entry), _names(entries)
    other = index + _STEPS[direction]
    if 0 <= other < len(entries):
        entries[index], entries[other] = entries[other], entry
        _renumber(entries)
        _announce(actor, "program.order", appearance, before=before, after=_names(entries))
    return entry


def _appearance(actor: Actor, appearance_id: int) -> SessionParticipant:
    """Return the appearance, locked, for somebody who may edit its program."""
    require(can_edit_competition(actor), _NOT_ALLOWED)
    return SessionParticipant.objects.select_for_update(no_key=True).get(pk=appearance_id)


def _entries(actor: Actor, entry_id: int) -> tuple[SessionParticipant, list[ProgramEntry]]:
    """Return the appearance of an entry, locked, and the program in its order. Raises ProgramEntry.DoesNotExist."""
    require(can_edit_competition(actor), _NOT_ALLOWED)
    appearance_id = ProgramEntry.objects.values_list("session_participant_id", flat=True).get(pk=entry_id)
    appearance = _appearance(actor, appearance_id)
    return appearance, _program(appearance)


def _program(appearance: SessionParticipant) -> list[ProgramEntry]:
    """Return the program of a locked appearance, locked too, in its order."""
    programs_lock(appearance_ids=(appearance.pk,))
    return list(appearance.program.select_related("piece").order_by("order_number"))


def _entry_get(entries: list[ProgramEntry], entry_id: int) -> ProgramEntry:
    """Return the entry with that id. Raises ProgramEntry.DoesNotExist when it was deleted meanwhile."""
    entry = next((each for each in entries if each.pk == entry_id), None)
    if entry is None:
        raise ProgramEntry.DoesNotExist
    return entry


def _renumber(entries: list[ProgramEntry]) -> None:
    """Number the entries of one program from 1, in one statement, since the constraint is checked at its end."""
    for number, entry in enumerate(entries, start=1):
        entry.order_number = number
    ProgramEntry.objects.bulk_update(entries, ["order_number"])


def _names(entries: list[ProgramEntry]) -> dict[str, Any]:
    return {"pieces": [entry.piece.name for entry in entries]}


def _announce(actor: Actor, action: str, appearance: SessionParticipant, **change: dict[str, Any] | None) -> None:
    """Note and announce a change of an appearance's program."""
    before, after = change.get("before"), change.get("after")
    change_note(
        actor=actor,
        action=action,
        subject_id=appearance.pk,
        name=appearance.participant.name,
        before=before,
        after=after,
    )
    publish(ProgramChanged(appearance.session_id, appearance.participant_id, appearance.session.stage_id))
