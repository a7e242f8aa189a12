"""Writes of participants."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from django.core.exceptions import ValidationError
from django.db import connection, transaction

from apps.accounts.actors import Actor
from apps.accounts.audit_notes import change_note
from apps.competition.events import ParticipantChanged
from apps.competition.models import Participant, SessionParticipant
from apps.competition.permissions import can_edit_competition
from apps.competition.selectors.admin import participant_fields
from apps.competition.selectors.public.participants import participants_alike
from apps.core.edits.confirmation import ConfirmationNeeded
from apps.core.edits.edit_merge import Saved, edit_merge
from apps.core.edits.field_errors import FieldErrors
from apps.core.edits.row_validation import row_validate
from apps.core.events import publish
from apps.core.permissions import require
from apps.core.text_rules.names import fold, name_clean

_NOT_ALLOWED = "Only administrators edit participants."
_MADE_OF_NAMES = ("name", "name_folded", "sort_folded")  # the columns
_LOCK = "SELECT pg_advisory_xact_lock(hashtext('parterre participants'))"
_REQUIRED = {"first_name": "First name", "second_name": "Last name", "country": "Country", "biography": "Biography"}
_NAME = ("first_name", "second_name", "family_first")
_LABELS = _REQUIRED | {"avatar_url": "Avatar URL", "family_first": "Order of the name"}


def name_columns(*, first_name: str, second_name: str, name: str = "") -> dict[str, str]:
    """Return all columns that hold a participant's name, the folded ones included.

    `name` is the full name where it does not read first name, second name, as in Japan or Hungary.
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
    """Let nobody else add participants, or a file of them, until this transaction ends: no namesake is missed."""
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
    name: str = "",
    confirmed: bool = False,
) -> Participant:
    """Create a participant and return it.

    Raises PermissionDenied, ValidationError, and unless `confirmed` ConfirmationNeeded for a namesake of one country.
    """
    require(can_edit_competition(actor), _NOT_ALLOWED)
    participant = Participant(
        **name_columns(first_name=first_name, second_name=second_name, name=name),
        country=country.strip(),
        birth_year=birth_year,
        biography=biography.strip(),
        avatar_url=avatar_url.strip(),
        featured=featured,
    )
    _validate(participant)
    participants_lock()
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
    family_first: bool | None = None,
    version: str | None = None,
) -> Saved[Participant]:
    """Save a participant and return it.

    The full name is made of both, with the second one first if `family_first` (None: as it was). `version` is the one
    that the editor read. Raises PermissionDenied, Participant.DoesNotExist, EditConflict, ValidationError.
    """
    require(can_edit_competition(actor), _NOT_ALLOWED)
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
        "family_first": before["family_first"] if family_first is None else family_first,
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
    appearances = SessionParticipant.objects.filter(participant_id=participant_id).count()
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
    """Raise ConfirmationNeeded for a participant of this name or one spelled alike, in any order, and this country."""
    namesake = participants_alike(participant.name_folded, participant.sort_folded, country=participant.country).first()
    if namesake:
        sentence = "There is a participant %(name)s from %(country)s already."
        params = {"name": namesake.name, "country": namesake.country}
        raise ConfirmationNeeded(ValidationError(sentence, params=params))


def _validate(participant: Participant) -> None:
    """Raise ValidationError at each required field that is empty, and at what the row's constraints refuse."""
    empty = {field: f"{label} is required." for field, label in _REQUIRED.items() if not getattr(participant, field)}
    errors = FieldErrors({field: [ValidationError(sentence)] for field, sentence in empty.items()})
    errors.checked(partial(row_validate, participant, exclude=[*empty, *_MADE_OF_NAMES] if empty else ()), None)
    errors.require_none()


def _write(participant: Participant, before: Mapping[str, Any], **fields: Any) -> None:
    """Set the participant's columns; the full name stays if none of its parts changed."""
    first, second, family_first = (fields.pop(part) for part in _NAME)
    if any(before[part] != each for part, each in zip(_NAME, (first, second, family_first), strict=True)):
        full = f"{second} {first}" if family_first else ""
        fields |= name_columns(first_name=first, second_name=second, name=full)
    for column, value in fields.items():
        setattr(participant, column, value.strip() if isinstance(value, str) else value)


def _store(participant: Participant, actor: Actor, action: str, before: dict[str, Any] | None) -> Participant:
    """Return the participant, stored, noted and announced."""
    participant.save()
    after = participant_fields(participant)
    change_note(
        actor=actor, action=action, subject_id=participant.pk, name=participant.name, before=before, after=after
    )
    shown_in = SessionParticipant.objects.filter(participant_id=participant.pk).order_by("session_id")
    session_ids = tuple(shown_in.values_list("session_id", flat=True))
    publish(ParticipantChanged(participant_id=participant.pk, session_ids=session_ids))
    return participant
