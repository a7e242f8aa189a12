"""Writes of participants."""

from django.db import transaction

from apps.accounts.actors import Actor
from apps.competition.events import ParticipantChanged
from apps.competition.models import Participant, SessionParticipant
from apps.competition.permissions import can_edit_competition
from apps.core.events import publish
from apps.core.names import fold
from apps.core.permissions import require

_NOT_ALLOWED = "Only administrators edit participants."


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
    participant.full_clean()
    participant.save()
    publish(ParticipantChanged(participant_id=participant.pk))
    return participant


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
    name: str = "",
) -> Participant:
    """Write a participant anew and return it; every screen that shows the name is told.

    Raises PermissionDenied, Participant.DoesNotExist, ValidationError.
    """
    require(can_edit_competition(actor), _NOT_ALLOWED)
    participant = Participant.objects.select_for_update(no_key=True).get(pk=participant_id)
    for column, text in name_columns(first_name=first_name, second_name=second_name, name=name).items():
        setattr(participant, column, text)
    participant.country = country.strip()
    participant.birth_year = birth_year
    participant.biography = biography.strip()
    participant.avatar_url = avatar_url.strip()
    participant.featured = featured
    participant.full_clean()
    participant.save()
    shown_in = SessionParticipant.objects.filter(participant_id=participant_id).order_by("session_id")
    session_ids = tuple(shown_in.values_list("session_id", flat=True))
    publish(ParticipantChanged(participant_id=participant_id, session_ids=session_ids))
    return participant
