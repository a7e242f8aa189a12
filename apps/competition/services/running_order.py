"""The running order of a session; appearances that stay keep their rows, with programs and ratings."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from django.core.exceptions import ValidationError

from apps.accounts.actors import Actor
from apps.competition.dependents import (
    Dependents,
    HasDependents,
    appearance_dependents,
    appearance_dependents_delete,
    subjects_end,
)
from apps.competition.enums import UndoKind
from apps.competition.limits import PERFORMERS_MOST
from apps.competition.models import Appearance, Participant, ProgramEntry, Session
from apps.competition.services.advancements import not_advancing
from apps.competition.services.places import free_numbers, intervals_follow
from apps.competition.services.program_undo import programs_keep
from apps.competition.services.programs import programs_lock
from apps.competition.services.repeated import participants_hold, repetitions, repetitions_confirm

_FIELD = "participant_ids"
_NONE: Mapping[int, Sequence[str]] = MappingProxyType({})
_NO_QUESTIONS: Mapping[int, ValidationError] = MappingProxyType({})


def names_of(participant_ids: Sequence[int | None]) -> dict[int, str]:
    """Return the names of these participants by id, in the same order.

    Raises ValidationError at `participant_ids` for a row without a participant, an unknown id, or a duplicate.
    """
    wanted = [pk for pk in participant_ids if pk is not None]
    if len(participant_ids) > len(wanted):
        raise ValidationError({_FIELD: "Each participant row needs a selected participant."})
    found = dict(Participant.objects.filter(pk__in=wanted).values_list("pk", "name"))
    if not found.keys() >= set(wanted):
        raise ValidationError({_FIELD: "Selected participant not found"})
    twice, times = next(iter(Counter(wanted).most_common(1)), (0, 0))
    if times > 1:
        raise ValidationError(
            {_FIELD: ValidationError("%(name)s is in this list twice.", params={"name": found[twice]})}
        )
    return {pk: found[pk] for pk in wanted}


@dataclass(frozen=True, slots=True)
class RunningOrder:
    """A new order: participants before or after, names in order, removed names with pieces, and the undo."""

    participant_ids: tuple[int, ...] = ()
    names: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    undo_id: int | None = None


def running_order_set(
    actor: Actor,
    session: Session,
    participant_ids: Sequence[int | None],
    *,
    confirmed: bool = False,
    questions: Mapping[int, ValidationError] = _NO_QUESTIONS,
) -> RunningOrder:
    """Set the appearances of the locked session to these participants, in this order, and return the result.

    Withdrawn performers keep their numbers, and intervals their place among those who stay (`services/places.py`).
    Removed appearances are kept with their programs for an undo. `questions` are those about appearances that stay, by
    participant (`session_stage_save`). Raises ValidationError as `names_of` and for more than PERFORMERS_MOST, and
    without confirmation HasDependents, and ConfirmationNeeded for appearances that are repeated.
    """
    if len(participant_ids) > PERFORMERS_MOST:
        why = "A session has at most %(most)d participants, since its page shows all of them."
        raise ValidationError({_FIELD: ValidationError(why, params={"most": PERFORMERS_MOST})})
    names = names_of(participant_ids)
    participants_hold(names)
    stored = session.appearances.select_related("participant").order_by("order_number")
    appearances = {appearance.participant_id: appearance for appearance in stored}
    leaving = [appearance for pk, appearance in appearances.items() if pk not in names]
    added = [pk for pk in names if pk not in appearances]
    repeated = repetitions(session, added) if added else _NO_QUESTIONS
    outside = not_advancing(session.stage_id, added) if added else _NO_QUESTIONS
    asked = [question for pk, question in {**questions, **repeated}.items() if pk in names]
    asked += outside.values()
    try:
        removed, undo_id = _appearances_delete(actor, session, leaving, confirmed=confirmed)
    except HasDependents as question:
        question.error_list += asked
        raise
    repetitions_confirm(asked, confirmed=confirmed)
    numbers = dict(zip(names, free_numbers(session, added), strict=False))
    staying = [(number, appearances[pk]) for pk, number in numbers.items() if pk in appearances]
    if added or leaving:
        before = sorted(appearance.order_number for _, appearance in staying)
        intervals_follow(session, before, [number for number, _ in staying])
    times_follow_order([appearance for _, appearance in staying])
    _renumber(staying)
    Appearance.objects.bulk_create(
        Appearance(session=session, participant_id=pk, order_number=numbers[pk], is_repeated=pk in repeated)
        for pk in added
    )
    return RunningOrder(tuple({**appearances, **names}), tuple(names.values()), removed, undo_id)


def _appearances_delete(
    actor: Actor, session: Session, appearances: Sequence[Appearance], *, confirmed: bool
) -> tuple[tuple[str, ...], int | None]:
    """Delete these appearances with their programs; return names with pieces, and the id of the undo.

    Raises ValidationError for the current performer, HasDependents.
    """
    if not appearances:
        return (), None
    if any(appearance.is_performing for appearance in appearances):
        raise ValidationError({_FIELD: "Whoever is on stage cannot be removed. Clear the performer first."})
    programs = _programs(appearances)
    appearance_dependents_delete_confirmed(actor, appearances, confirmed=confirmed, programs=programs)
    undo_id = programs_keep(UndoKind.REMOVAL, session.pk, appearances)
    Appearance.objects.filter(pk__in=[appearance.pk for appearance in appearances]).delete()
    names = [(each.participant.name, programs.get(each.pk, ())) for each in appearances]
    return tuple(f"{name} ({', '.join(pieces)})" if pieces else name for name, pieces in names), undo_id


def _programs(appearances: Sequence[Appearance]) -> Mapping[int, Sequence[str]]:
    """Return the names of the pieces in these appearances' programs, by appearance and in order."""
    found = ProgramEntry.objects.filter(appearance__in=appearances).order_by("order_number")
    programs: dict[int, list[str]] = defaultdict(list)
    for appearance_id, name in found.values_list("appearance_id", "piece__name"):
        programs[appearance_id].append(name)
    return programs


def appearance_dependents_delete_confirmed(
    actor: Actor,
    appearances: Sequence[Appearance],
    *,
    confirmed: bool,
    besides: tuple[Dependents, ...] = (),
    programs: Mapping[int, Sequence[str]] = _NONE,
) -> None:
    """Delete the dependents of these appearances, lock them, and end them as subjects of texts.

    The caller deletes them in the same transaction. Raises HasDependents for unconfirmed dependents.

    `besides` are the dependents of their session. `programs` are pieces by appearance that need a confirmation too.
    """
    ids = [appearance.pk for appearance in appearances]
    programs_lock(appearance_ids=ids)
    dependents = appearance_dependents(ids)
    if (dependents or besides or programs) and not confirmed:
        names = names_of([appearance.participant_id for appearance in appearances])
        raise HasDependents(
            tuple((names[each.participant_id], dependents[each.pk]) for each in appearances if each.pk in dependents),
            besides,
            tuple(
                (names[each.participant_id], len(programs[each.pk]))
                for each in appearances
                if each.pk in programs and each.pk not in dependents
            ),
        )
    appearance_dependents_delete(actor, list(dependents))
    # before the deletion looks for texts about them: none is added after this lock (`services/subjects.py`)
    list(Appearance.objects.select_for_update().filter(pk__in=ids).order_by("pk").values_list("pk"))
    subjects_end(ids)


def _renumber(numbers: Sequence[tuple[int, Appearance]]) -> None:
    """Set order numbers in one session, in one statement, because the constraint is checked at its end.

    Their planned starts are stored too.
    """
    moved = []
    for number, appearance in numbers:
        if appearance.order_number != number:
            appearance.order_number = number
            moved.append(appearance)
    if moved:  # the time of one that stays in its place stays too, unless others left
        Appearance.objects.bulk_update([each for _, each in numbers], ["order_number", "planned_start"])


def times_follow_order(appearances: Sequence[Appearance]) -> None:
    """Give the planned starts of these appearances to them in their new order: the times belong to the places.

    It changes the rows in memory only; those without a time stay without.
    """
    planned = [each for each in appearances if each.planned_start]
    starts = sorted(each.planned_start for each in planned if each.planned_start)
    for each, start in zip(planned, starts, strict=True):
        each.planned_start = start
