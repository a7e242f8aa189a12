"""Writes of participants."""

from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction

from apps.accounts.actors import Actor
from apps.accounts.auditing import change_note
from apps.competition.events import ParticipantChanged
from apps.competition.models import Participant, SessionParticipant
from apps.competition.permissions import can_edit_competition
from apps.competition.selectors.backstage import participant_fields
from apps.core.changed import unchanged_require
from apps.core.checked import checked
from apps.core.events import publish
from apps.core.names import fold
from apps.core.permissions import require

_NOT_ALLOWED = "Only administrators edit participants."
_REQUIRED = {"first_name": "First name", "second_name": "Last name", "country": "Country", "biography": "Biography"}


def name_columns(*, first_name: str, second_name: str, name: str = "") -> dict[str, str]:
    """Return all columns that hold a participant's name, the folded ones included.

    `name` is the full name where it does not read first name, second name, as in Japan or Hungary.
    """
    first, second = " ".join(first_name.split()), " ".join(second_name.split())
    full = " ".join(name.split()) or f"{first} {second}".strip()
    return {
        "first_name": first,
        "second_name": second,
        "name": full,
        "name_folded": fold(full),
        "sort_folded": fold(f"{second} {first}"),
    }


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
) -> Participant:
    """Create a participant and return it. Raises PermissionDenied, ValidationError."""
    require(can_edit_competition(actor), _NOT_ALLOWED)
    participant = Participant(
        **name_columns(first_name=first_name, second_name=second_name, name=name),
        country=country.strip(),
        birth_year=birth_year,
        biography=biography.strip(),
        avatar_url=avatar_url.strip(),
        featured=featured,
    )
    _written_require(participant)
    return _stored(participant, actor, "participant.create", None)


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
    name: str | None = None,
    seen: str | None = None,
) -> Participant:
    """Write a participant anew and return it; every screen that shows the name is told.

    Without a `name` the full one is made of both, in the order that it has. `seen` is the version that the editor read.
    Raises PermissionDenied, Participant.DoesNotExist, Changed, ValidationError.
    """
    require(can_edit_competition(actor), _NOT_ALLOWED)
    participant = Participant.objects.select_for_update(no_key=True).get(pk=participant_id)
    before = participant_fields(participant)
    full = _in_order(participant, first_name, second_name) if name is None else name
    for column, text in name_columns(first_name=first_name, second_name=second_name, name=full).items():
        setattr(participant, column, text)
    participant.country = country.strip()
    participant.birth_year = birth_year
    participant.biography = biography.strip()
    participant.avatar_url = avatar_url.strip()
    participant.featured = featured
    unchanged_require(seen=seen, stored=before, given=participant_fields(participant), labels=_REQUIRED)
    _written_require(participant)
    return _stored(participant, actor, "participant.update", before)


@transaction.atomic
def participant_feature(*, actor: Actor, participant_id: int, featured: bool) -> Participant:
    """Put a participant among the featured ones, or take one out, and return the participant.

    Raises PermissionDenied, Participant.DoesNotExist.
    """
    require(can_edit_competition(actor), _NOT_ALLOWED)
    participant = Participant.objects.select_for_update(no_key=True).get(pk=participant_id)
    before = participant_fields(participant)
    participant.featured = featured
    return _stored(participant, actor, "participant.update", before)


@transaction.atomic
def participant_delete(*, actor: Actor, participant_id: int) -> None:
    """Delete a participant.

    Raises PermissionDenied, Participant.DoesNotExist, ValidationError while there are places in sessions.
    """
    require(can_edit_competition(actor), _NOT_ALLOWED)
    participant = Participant.objects.select_for_update().get(pk=participant_id)
    places = SessionParticipant.objects.filter(participant_id=participant_id).count()
    if places:
        sentence = "%(name)s has places in sessions: %(count)d. Remove those first."
        raise ValidationError(sentence, params={"name": participant.name, "count": places})
    participant.delete()
    change_note(
        actor=actor,
        action="participant.delete",
        subject_id=participant_id,
        before=participant_fields(participant),
    )
    publish(ParticipantChanged(participant_id=participant_id))


def _written_require(participant: Participant) -> None:
    """Raise ValidationError at each field that a form must have and that says nothing."""
    empty = {field: f"{label} is required." for field, label in _REQUIRED.items() if not getattr(participant, field)}
    if empty:
        raise ValidationError(empty)


def _in_order(participant: Participant, first_name: str, second_name: str) -> str:
    """Return the full name with the family first where it stood first, else nothing."""
    family_first = participant.name == f"{participant.second_name} {participant.first_name}"
    return f"{second_name} {first_name}" if family_first else ""


def _stored(participant: Participant, actor: Actor, action: str, before: dict[str, Any] | None) -> Participant:
    """Return the participant, checked, stored, noted and announced."""
    checked(participant)
    participant.save()
    after = participant_fields(participant)
    change_note(actor=actor, action=action, subject_id=participant.pk, before=before, after=after)
    shown_in = SessionParticipant.objects.filter(participant_id=participant.pk).order_by("session_id")
    session_ids = tuple(shown_in.values_list("session_id", flat=True))
    publish(ParticipantChanged(participant_id=participant.pk, session_ids=session_ids))
    return participant
