"""Writes of participants, and bulk writes of participants and pieces for imports."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import Any

from django.core.exceptions import ValidationError
from django.db import connection, transaction

from apps.accounts.actors import Actor
from apps.accounts.audit_notes import change_note
from apps.competition.events import (
    ParticipantChanged,
    ParticipantsAdded,
    ParticipantsChanged,
    ParticipantsRemoved,
    PiecesChanged,
)
from apps.competition.limits import START_NUMBER_MOST
from apps.competition.models import Appearance, ImportedPerformance, Participant, Piece, ProgramEntry
from apps.competition.permissions import can_edit_competition
from apps.competition.selectors.admin.participants import FACTS, participant_fields
from apps.competition.selectors.public.participants import participants_alike
from apps.core.database.paging import plans_renew
from apps.core.edits import ConfirmationNeeded, FieldErrors, Saved, edit_merge, has_version, row_validate, version_of
from apps.core.events import publish
from apps.core.permissions import require
from apps.core.text_rules import fold, name_clean

_NOT_ALLOWED = "Only administrators edit participants."
_MADE_OF_NAMES = ("name", "name_folded", "sort_folded")  # columns
_LOCK = "SELECT pg_advisory_xact_lock(hashtext('parterre participants'))"
_REQUIRED = {"first_name": "First name", "second_name": "Last name", "country": "Country", "biography": "Biography"}
_NAME = ("first_name", "second_name", "family_first")
START_NUMBER_KEPT = 0
START_NUMBER = "A start number is a whole number from 1 to %(most)d."
_LABELS = _REQUIRED | {
    "avatar_url": "Avatar URL",
    "family_first": "Order of the name",
    "name_local": "Name in another script",
}


def name_columns(*, first_name: str, second_name: str, name: str = "") -> dict[str, str]:
    """Return all columns that hold a participant's name, the folded ones included.

    `name` is the full name if it differs from first name, second name, as in Japan or Hungary.
    """
    first, second = name_clean(first_name), name_clean(second_name)
    full = name_clean(name) or f"{first} {second}".strip()
    return {
        "first_name": first,
        "second_name": second,
        "name": full,
        "name_folded": fold(full),
        "sort_folded": fold(f"{second} {first}"),
    }


def participants_lock() -> None:
    """Serialize writes of participants until the transaction ends: no namesake and no taken start number is missed."""
    with connection.cursor() as cursor:
        cursor.execute(_LOCK)


@transaction.atomic
def participant_create(
    *,
    actor: Actor,
    first_name: str,
    second_name: str,
    country: str,
    biography: str,
    birth_year: int | None = None,
    avatar_url: str = "",
    featured: bool = False,
    start_number: int | None = None,
    name: str = "",
    name_local: str = "",
    confirmed: bool = False,
) -> Participant:
    """Create a participant and return it. `name_local` is the name in another script.

    Raises PermissionDenied, ValidationError (at `start_number` if another participant has it), and unless `confirmed`
    ConfirmationNeeded for a namesake from the same country.
    """
    require(can_edit_competition(actor), _NOT_ALLOWED)
    participant = Participant(
        **name_columns(first_name=first_name, second_name=second_name, name=name),
        name_local=name_clean(name_local),
        country=country.strip(),
        birth_year=birth_year,
        biography=biography.strip(),
        avatar_url=avatar_url.strip(),
        featured=featured,
        start_number=start_number,
    )
    participants_lock()
    _validate(participant)
    if not confirmed:
        _no_namesake_require(participant)
    return _store(participant, actor, "participant.create", None)


@transaction.atomic
def participant_update(
    *,
    actor: Actor,
    participant_id: int,
    first_name: str,
    second_name: str,
    country: str,
    biography: str,
    birth_year: int | None,
    avatar_url: str,
    featured: bool,
    start_number: int | None = START_NUMBER_KEPT,
    family_first: bool | None = None,
    name_local: str | None = None,
    version: str | None = None,
) -> Saved[Participant]:
    """Save a participant and return it.

    The full name joins both names, with the second one first if `family_first` (None keeps the order).
    START_NUMBER_KEPT keeps the number, None the name in another script. `version` is the one that the editor read.
    Raises PermissionDenied, Participant.DoesNotExist, EditConflict, ValidationError.
    """
    require(can_edit_competition(actor), _NOT_ALLOWED)
    participants_lock()  # before the row: an undo of an import locks in this order
    participant = Participant.objects.select_for_update(no_key=True).get(pk=participant_id)
    before = participant_fields(participant)
    given = {
        "first_name": first_name,
        "second_name": second_name,
        "country": country,
        "biography": biography,
        "birth_year": birth_year,
        "avatar_url": avatar_url,
        "featured": featured,
        "start_number": before["start_number"] if start_number == START_NUMBER_KEPT else start_number,
        "family_first": before["family_first"] if family_first is None else family_first,
        "name_local": before["name_local"] if name_local is None else name_clean(name_local),
    }
    fields, kept_fields = edit_merge(version=version, stored=before, given=given, labels=_LABELS)
    _write(participant, before, **fields)
    _validate(participant)
    return Saved(_store(participant, actor, "participant.update", before), kept_fields)


@transaction.atomic
def participant_delete(*, actor: Actor, participant_id: int) -> None:
    """Delete a participant.

    Raises PermissionDenied, Participant.DoesNotExist, ValidationError while there are appearances in sessions.
    """
    require(can_edit_competition(actor), _NOT_ALLOWED)
    participant = Participant.objects.select_for_update().get(pk=participant_id)
    appearances = Appearance.objects.filter(participant_id=participant_id).count()
    if appearances:
        sentence = "%(name)s has places in sessions: %(count)d. Remove those first."
        raise ValidationError(sentence, params={"name": participant.name, "count": appearances})
    participant.delete()
    change_note(
        actor=actor,
        action="participant.delete",
        subject_id=participant_id,
        name=participant.name,
        before=participant_fields(participant),
    )
    publish(ParticipantChanged(participant_id=participant_id))


def _no_namesake_require(participant: Participant) -> None:
    """Raise ConfirmationNeeded for a participant from this country with a similar name, in either order."""
    namesake = participants_alike(participant.name_folded, participant.sort_folded, country=participant.country).first()
    if namesake:
        sentence = "There is a participant %(name)s from %(country)s already."
        params = {"name": namesake.name, "country": namesake.country}
        raise ConfirmationNeeded(ValidationError(sentence, params=params))


def _validate(participant: Participant) -> None:
    """Raise ValidationError at each required field that is empty, and for violated constraints of the row."""
    empty = {field: f"{label} is required." for field, label in _REQUIRED.items() if not getattr(participant, field)}
    errors = FieldErrors({field: [ValidationError(sentence)] for field, sentence in empty.items()})
    skipped = ["start_number", *empty, *(_MADE_OF_NAMES if empty else ())]
    errors.checked(partial(row_validate, participant, exclude=skipped), None)
    errors.checked(partial(_start_number_validate, participant), None)
    errors.require_none()


def _start_number_validate(participant: Participant) -> None:
    """Raise ValidationError at `start_number` for an impossible number and for that of another participant."""
    number = participant.start_number
    if number is None:
        return
    if not 1 <= number <= START_NUMBER_MOST:
        raise ValidationError({"start_number": ValidationError(START_NUMBER, params={"most": START_NUMBER_MOST})})
    other = Participant.objects.filter(start_number=number).exclude(pk=participant.pk).first()
    if other is not None:
        taken = ValidationError("%(name)s has this start number.", params={"name": other.name})
        raise ValidationError({"start_number": taken})


def _write(participant: Participant, before: Mapping[str, Any], **fields: Any) -> None:
    """Set the participant's columns; the full name stays if none of its parts changed."""
    first, second, family_first = (fields.pop(part) for part in _NAME)
    if any(before[part] != each for part, each in zip(_NAME, (first, second, family_first), strict=True)):
        full = f"{second} {first}" if family_first else ""
        fields |= name_columns(first_name=first, second_name=second, name=full)
    for column, value in fields.items():
        setattr(participant, column, value.strip() if isinstance(value, str) else value)


def _store(participant: Participant, actor: Actor, action: str, before: dict[str, Any] | None) -> Participant:
    """Save the participant, write the audit entry, publish the change, and return the participant."""
    participant.save()
    after = participant_fields(participant)
    change_note(
        actor=actor, action=action, subject_id=participant.pk, name=participant.name, before=before, after=after
    )
    shown_in = Appearance.objects.filter(participant_id=participant.pk).order_by("session_id")
    session_ids = tuple(shown_in.values_list("session_id", flat=True))
    publish(ParticipantChanged(participant_id=participant.pk, session_ids=session_ids))
    return participant


BATCH = 1000  # rows of one statement


@dataclass(frozen=True, slots=True)
class NewParticipant:
    """A participant to add, with the program of the recorded performance."""

    first_name: str
    second_name: str
    country: str
    biography: str
    program: str
    start_number: int | None = None
    birth_year: int | None = None
    name_local: str = ""
    avatar_url: str = ""


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

    Raises PermissionDenied, IntegrityError or DataError for rows that the database refuses.
    """
    require(can_edit_competition(actor), _NOT_ALLOWED)
    added = Participant.objects.bulk_create([_participant(each) for each in participants], batch_size=BATCH)
    performances = [
        ImportedPerformance(participant=stored, stage=stage, performance_date=on, program=each.program)
        for stored, each in zip(added, participants, strict=True)
    ]
    ImportedPerformance.objects.bulk_create(performances, batch_size=BATCH)
    if added:
        plans_renew()
        publish(ParticipantsAdded(tuple(each.pk for each in added)))
    return tuple((each.pk, version_of(participant_fields(each))) for each in added)


@transaction.atomic
def participants_fill(*, actor: Actor, values: Mapping[int, Mapping[str, Any]]) -> None:
    """Set facts of participants (fields of FACTS), by id. Start numbers can change hands among them.

    Raises PermissionDenied, IntegrityError or DataError for values that the database refuses.
    """
    require(can_edit_competition(actor), _NOT_ALLOWED)
    for ids in _batches(pk for pk, own in values.items() if "start_number" in own):
        Participant.objects.filter(pk__in=ids).update(start_number=None)  # each number is free before it is given
    for ids in _batches(values):
        stored = list(Participant.objects.select_for_update(no_key=True).filter(pk__in=ids).order_by("pk"))
        for each in stored:
            for field, value in values[each.pk].items():
                setattr(each, field, value)
        Participant.objects.bulk_update(stored, FACTS, batch_size=BATCH)
    if values:
        shown_in = Appearance.objects.filter(participant_id__in=values).order_by("session_id")
        session_ids = tuple(shown_in.values_list("session_id", flat=True).distinct())
        publish(ParticipantsChanged(tuple(sorted(values)), session_ids))


@transaction.atomic
def pieces_add(*, actor: Actor, pieces: Sequence[NewPiece]) -> tuple[int, ...]:
    """Add pieces to the catalogue and return their ids.

    Raises PermissionDenied, IntegrityError for an existing piece.
    """
    require(can_edit_competition(actor), "Only administrators edit the catalogue.")
    rows = [Piece(**{field: getattr(each, field) for field in each.__slots__}) for each in pieces]
    added = Piece.objects.bulk_create(rows, batch_size=BATCH)
    if added:
        plans_renew()
        publish(PiecesChanged(piece_ids=tuple(each.pk for each in added)))
    return tuple(each.pk for each in added)


@transaction.atomic
def participants_remove(*, actor: Actor, versions: dict[int, str]) -> int:
    """Delete participants that still have these versions, by id; return how many existed.

    Raises PermissionDenied, ValidationError with a sentence for each kind of conflict: appearances, later edits.
    """
    require(can_edit_competition(actor), _NOT_ALLOWED)
    edited = placed = removed = 0
    for ids in _batches(versions):
        stored = list(Participant.objects.select_for_update().filter(pk__in=ids).order_by("pk"))
        removed += len(stored)
        edited += sum(not has_version(participant_fields(each), versions[each.pk]) for each in stored)
        of_batch = Appearance.objects.filter(participant_id__in=ids)
        placed += of_batch.values("participant_id").distinct().count()
    _hanging_refuse(
        ("Participants with a place in a session: %(n)d.", placed),
        ("Participants that were changed since: %(n)d.", edited),
    )
    for ids in _batches(versions):
        Participant.objects.filter(pk__in=ids).delete()
    if removed:
        plans_renew()
        publish(ParticipantsRemoved(tuple(sorted(versions))))
    return removed


@transaction.atomic
def pieces_remove(*, actor: Actor, piece_ids: Sequence[int]) -> int:
    """Delete pieces of the catalogue; return how many existed.

    Raises PermissionDenied, ValidationError while programs contain some of them.
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
        publish(PiecesChanged(piece_ids=tuple(sorted(piece_ids))))
    return removed


def _participant(new: NewParticipant) -> Participant:
    names = name_columns(first_name=new.first_name, second_name=new.second_name)
    return Participant(
        **names,
        name_local=name_clean(new.name_local),
        country=new.country,
        biography=new.biography,
        start_number=new.start_number,
        birth_year=new.birth_year,
        avatar_url=new.avatar_url,
    )


def _batches(ids: Iterable[int]) -> Iterator[list[int]]:
    """Yield these ids, sorted, in batches of one statement's size."""
    ordered = sorted(ids)
    yield from (ordered[start : start + BATCH] for start in range(0, len(ordered), BATCH))


def _locked(piece_ids: Sequence[int]) -> Iterator[list[int]]:
    """Yield the ids of these pieces in batches, with the rows locked."""
    for ids in _batches(piece_ids):
        yield list(Piece.objects.select_for_update().filter(pk__in=ids).order_by("pk").values_list("pk", flat=True))


def _hanging_refuse(*hanging: tuple[str, int]) -> None:
    """Raise ValidationError with the sentences that have a count above zero."""
    found = [ValidationError(sentence, params={"n": count}) for sentence, count in hanging if count]
    if found:
        raise ValidationError(found)
