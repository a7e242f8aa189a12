"""Writes of many participants and pieces at a time, in statements that do not grow in number with each row.

Whoever calls them notes in the audit, once, what was done; they announce it by a bounded number of topics.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from django.core.exceptions import ValidationError
from django.db import transaction

from apps.accounts.actors import Actor
from apps.competition.events import ParticipantsAdded, ParticipantsRemoved, PiecesChanged
from apps.competition.models import Participant, Performance, Piece, ProgramEntry, SessionParticipant
from apps.competition.permissions import can_edit_competition
from apps.competition.selectors.admin import participant_fields
from apps.competition.services.participants import name_columns
from apps.core.database.plans import plans_renew
from apps.core.edits.edit_merge import version_of
from apps.core.events import publish
from apps.core.permissions import require

BATCH = 1000  # rows of one statement
_NOT_ALLOWED = "Only administrators edit participants."


@dataclass(frozen=True, slots=True)
class NewParticipant:
    """A participant to add, with the program of the performance that is recorded for them."""

    first_name: str
    second_name: str
    country: str
    biography: str
    program: str


@dataclass(frozen=True, slots=True)
class NewPiece:
    """A piece to add to the catalogue."""

    category: str
    name: str
    composer: str
    title: str
    key: str
    opus: str
    number: int | None


@transaction.atomic
def participants_add(
    *, actor: Actor, participants: Sequence[NewParticipant], stage: str, on: date
) -> tuple[tuple[int, str], ...]:
    """Add participants, each with a performance in `stage` on that day; return their ids and versions.

    Raises PermissionDenied, IntegrityError or DataError for what the database does not take.
    """
    require(can_edit_competition(actor), _NOT_ALLOWED)
    added = Participant.objects.bulk_create([_participant(each) for each in participants], batch_size=BATCH)
    performances = [
        Performance(participant=stored, stage=stage, performance_date=on, program=each.program)
        for stored, each in zip(added, participants, strict=True)
    ]
    Performance.objects.bulk_create(performances, batch_size=BATCH)
    if added:
        plans_renew()
        publish(ParticipantsAdded())
    return tuple((each.pk, version_of(participant_fields(each))) for each in added)


@transaction.atomic
def pieces_add(*, actor: Actor, pieces: Sequence[NewPiece]) -> tuple[int, ...]:
    """Add pieces to the catalogue and return their ids.

    Raises PermissionDenied, IntegrityError for one that is there.
    """
    require(can_edit_competition(actor), "Only administrators edit the catalogue.")
    rows = [Piece(**{field: getattr(each, field) for field in each.__slots__}) for each in pieces]
    added = Piece.objects.bulk_create(rows, batch_size=BATCH)
    if added:
        plans_renew()
        publish(PiecesChanged())
    return tuple(each.pk for each in added)


@transaction.atomic
def participants_remove(*, actor: Actor, versions: dict[int, str]) -> int:
    """Delete participants, given with the versions in which they must still be; return how many were there.

    Raises PermissionDenied, ValidationError with a sentence for each kind of thing that hangs on them.
    """
    require(can_edit_competition(actor), _NOT_ALLOWED)
    edited = placed = removed = 0
    for ids in _batches(versions):
        stored = list(Participant.objects.select_for_update().filter(pk__in=ids).order_by("pk"))
        removed += len(stored)
        edited += sum(versions[each.pk] != version_of(participant_fields(each)) for each in stored)
        of_batch = SessionParticipant.objects.filter(participant_id__in=ids)
        placed += of_batch.values("participant_id").distinct().count()
    _hanging_refuse(
        ("Participants with a place in a session: %(n)d.", placed),
        ("Participants that were changed since: %(n)d.", edited),
    )
    for ids in _batches(versions):
        Participant.objects.filter(pk__in=ids).delete()
    if removed:
        plans_renew()
        publish(ParticipantsRemoved())
    return removed


@transaction.atomic
def pieces_remove(*, actor: Actor, piece_ids: Sequence[int]) -> int:
    """Delete pieces of the catalogue; return how many were there.

    Raises PermissionDenied, ValidationError with a sentence for each kind of thing that hangs on them.
    """
    require(can_edit_competition(actor), "Only administrators edit the catalogue.")
    in_programs = removed = 0
    for ids in _locked(piece_ids):
        in_programs += ProgramEntry.objects.filter(piece_id__in=ids).values("piece_id").distinct().count()
    _hanging_refuse(("Pieces in a program: %(n)d.", in_programs))
    for ids in _batches(piece_ids):
        removed += Piece.objects.filter(pk__in=ids).delete()[0]
    if removed:
        plans_renew()
        publish(PiecesChanged())
    return removed


def _participant(new: NewParticipant) -> Participant:
    names = name_columns(first_name=new.first_name, second_name=new.second_name)
    return Participant(**names, country=new.country, biography=new.biography)


def _batches(ids: Iterable[int]) -> Iterator[list[int]]:
    """Yield these ids, in their order, as many at a time as one statement takes."""
    ordered = sorted(ids)
    yield from (ordered[start : start + BATCH] for start in range(0, len(ordered), BATCH))


def _locked(piece_ids: Sequence[int]) -> Iterator[list[int]]:
    """Yield these pieces, locked, in batches."""
    for ids in _batches(piece_ids):
        yield list(Piece.objects.select_for_update().filter(pk__in=ids).order_by("pk").values_list("pk", flat=True))


def _hanging_refuse(*hanging: tuple[str, int]) -> None:
    """Raise ValidationError with the sentences whose number is not zero."""
    found = [ValidationError(sentence, params={"n": count}) for sentence, count in hanging if count]
    if found:
        raise ValidationError(found)
