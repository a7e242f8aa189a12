"""The appearances of a session in their order; those that stay keep their rows, with programs and ratings."""

from collections.abc import Iterable, Sequence

from django.core.exceptions import ValidationError

from apps.accounts.actors import Actor
from apps.competition.dependents import Dependents, HasDependents, appearance_dependents, appearance_dependents_delete
from apps.competition.models import Participant, Session, SessionParticipant
from apps.competition.services.program_locks import programs_lock

_FIELD = "participant_ids"


def names_of(participant_ids: Sequence[int | None]) -> dict[int, str]:
    """Return the names of these participants by id, in the order given.

    Raises ValidationError at `participant_ids` for a row without one, an unknown one, and one that comes twice.
    """
    wanted = [pk for pk in participant_ids if pk is not None]
    if len(participant_ids) > len(wanted):
        raise ValidationError({_FIELD: "Each participant row needs a selected participant."})
    found = dict(Participant.objects.filter(pk__in=wanted).values_list("pk", "name"))
    if not found.keys() >= set(wanted):
        raise ValidationError({_FIELD: "Selected participant not found"})
    twice = next((pk for pk in wanted if wanted.count(pk) > 1), None)
    if twice is not None:
        raise ValidationError(
            {_FIELD: ValidationError("%(name)s is in this list twice.", params={"name": found[twice]})}
        )
    return {pk: found[pk] for pk in wanted}


def running_order_set(
    actor: Actor, session: Session, participant_ids: Sequence[int | None], *, confirmed: bool = False
) -> tuple[tuple[int, ...], list[str]]:
    """Set the appearances of the locked session to these participants, in this order.

    Returns the ids of all participants before or after, and the names in the new order. Raises ValidationError as
    `names_of`, HasDependents.
    """
    names = names_of(participant_ids)
    # locked, so that nobody deletes one meanwhile
    list(Participant.objects.select_for_update(no_key=True).filter(pk__in=names).order_by("pk").values_list("pk"))
    appearances = {appearance.participant_id: appearance for appearance in session.appearances.order_by("order_number")}
    leaving = [appearance for pk, appearance in appearances.items() if pk not in names]
    _appearances_delete(actor, leaving, confirmed=confirmed)
    staying = [(number, appearances[pk]) for number, pk in enumerate(names, start=1) if pk in appearances]
    _renumber(staying)
    SessionParticipant.objects.bulk_create(
        SessionParticipant(session=session, participant_id=pk, order_number=number)
        for number, pk in enumerate(names, start=1)
        if pk not in appearances
    )
    return tuple({**appearances, **names}), list(names.values())


def _appearances_delete(actor: Actor, appearances: Sequence[SessionParticipant], *, confirmed: bool) -> None:
    """Remove these appearances with their programs. Raises ValidationError for one on stage, HasDependents."""
    if any(appearance.is_performing for appearance in appearances):
        raise ValidationError({_FIELD: "Whoever is on stage cannot be removed. Clear the performer first."})
    appearance_dependents_delete_confirmed(actor, appearances, confirmed=confirmed)
    SessionParticipant.objects.filter(pk__in=[appearance.pk for appearance in appearances]).delete()


def appearance_dependents_delete_confirmed(
    actor: Actor, appearances: Sequence[SessionParticipant], *, confirmed: bool, besides: tuple[Dependents, ...] = ()
) -> None:
    """Delete the dependents of these appearances; raises HasDependents when that was not confirmed.

    `besides` are the dependents of their session.
    """
    programs_lock(appearance_ids=[appearance.pk for appearance in appearances])
    dependents = appearance_dependents([appearance.pk for appearance in appearances])
    if (dependents or besides) and not confirmed:
        names = names_of([appearance.participant_id for appearance in appearances])
        raise HasDependents(
            tuple((names[each.participant_id], dependents[each.pk]) for each in appearances if each.pk in dependents),
            besides,
        )
    appearance_dependents_delete(actor, list(dependents))


def _renumber(numbers: Iterable[tuple[int, SessionParticipant]]) -> None:
    """Set order numbers in one session, in one statement, since the constraint is checked at its end."""
    moved = []
    for number, appearance in numbers:
        if appearance.order_number != number:
            appearance.order_number = number
            moved.append(appearance)
    if moved:
        SessionParticipant.objects.bulk_update(moved, ["order_number"])
