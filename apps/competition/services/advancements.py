"""Writes of advancements: who advances from a stage is published, corrected or withdrawn as a whole."""

from collections.abc import Collection

from django.core.exceptions import ValidationError
from django.db import transaction

from apps.accounts.actors import Actor, account_of
from apps.accounts.audit_notes import change_note
from apps.competition.enums import OrderSource
from apps.competition.events import StagesChanged
from apps.competition.models import Appearance, Participant, Stage, StageAdvancement
from apps.competition.permissions import can_edit_competition
from apps.competition.selectors.admin.advancements import advancing_into, advancing_version
from apps.competition.selectors.public.stages import stage_not_begun, stages_after
from apps.competition.services.repeated import participants_hold
from apps.competition.stage_orders import stage_orders
from apps.core.edits import ConfirmationNeeded
from apps.core.events import publish
from apps.core.permissions import require

PUBLISHED = "Published. Recommendations for this stage are closed."
WITHDRAWN = "Withdrawn. It is open again who advances, and recommendations are, too."
UNCHANGED = "This is published already."
_NOT_ALLOWED = "Only administrators publish who advances."
_NONE_TICKED = "Tick at least one performer who advances."
_GONE = "A ticked performer no longer plays in this stage. Please look at the list again."
_NOT_ADVANCING = "%(name)s is not among those who advance to %(stage)s."
_CHANGED = "Who advances was published differently in the meantime. Please look at the list again."
_AGAINST = {  # sentences about those who are passed over, who go on instead, and who have no place
    OrderSource.JURY: (
        "Better places in the jury’s sheet, but not ticked: %(names)s.",
        "Ticked in spite of their places in the jury’s sheet: %(names)s.",
        "Ticked without a place in the jury’s sheet: %(names)s.",
    ),
    OrderSource.OFFICIAL: (
        "Better places in the official list, but not ticked: %(names)s.",
        "Ticked in spite of their places in the official list: %(names)s.",
        "Ticked without a place in the official list: %(names)s.",
    ),
}


@transaction.atomic
def advancements_publish(
    *,
    actor: Actor,
    stage_id: int,
    participant_ids: Collection[int],
    version: str | None = None,
    confirmed: bool = True,
) -> str:
    """Publish that exactly these performers advance from the stage, and return the sentence to show.

    Recommendations for its performances are closed from then on. Published again, the list is corrected: rows of those
    who still advance keep their time. `version` is the one that the editor read. Raises PermissionDenied,
    Stage.DoesNotExist, ValidationError at `participant` for no ticks, for participants who do not play in the stage
    and for another version, and unless `confirmed` ConfirmationNeeded with the number of those who advance, and with
    the names of those whom the jury's order contradicts. It begins with `stage_not_begun`.
    """
    stage = _locked(actor, stage_id)
    chosen = set(participant_ids)
    if not chosen:
        raise ValidationError({"participant": _NONE_TICKED})
    participants_hold(chosen)
    playing = set(Appearance.objects.filter(stage_id=stage_id).values_list("participant_id", flat=True))
    before = _advancing(stage_id)
    if not chosen <= playing | before.keys():
        raise ValidationError({"participant": _GONE})
    if version is not None and version != advancing_version(before):
        raise ValidationError({"participant": _CHANGED})
    if chosen == set(before):
        return UNCHANGED
    if not confirmed:
        questions = _questions(stage, len(chosen), len(playing | before.keys()))
        contradictions = _contradictions(stage_id, chosen)
        raise ConfirmationNeeded([*stage_not_begun(stage_id=stage_id), *questions, *contradictions])
    StageAdvancement.objects.filter(stage_id=stage_id).exclude(participant_id__in=chosen).delete()
    by_id = account_of(actor)
    StageAdvancement.objects.bulk_create(
        StageAdvancement(stage_id=stage_id, participant_id=pk, by_id=by_id) for pk in sorted(chosen - set(before))
    )
    _note_and_announce(actor, "stage.advance", stage, before)
    return PUBLISHED


@transaction.atomic
def advancements_withdraw(*, actor: Actor, stage_id: int) -> str:
    """Withdraw who advances from the stage, which opens its recommendations again; return the sentence to show.

    Idempotent. Raises PermissionDenied, Stage.DoesNotExist.
    """
    stage = _locked(actor, stage_id)
    before = _advancing(stage_id)
    if before:
        StageAdvancement.objects.filter(stage_id=stage_id).delete()
        _note_and_announce(actor, "stage.withdraw", stage, before)
    return WITHDRAWN


def not_advancing(stage_id: int, participant_ids: Collection[int]) -> dict[int, ValidationError]:
    """Return, by participant, the question whether one who does not advance into the stage is to play in it.

    None is asked about while it is not published who advances. Three queries.
    """
    advancing = set(advancing_into(stage_id).values_list("participant_id", flat=True))
    others = set(participant_ids) - advancing
    if not advancing or not others:
        return {}
    stage = Stage.objects.get(pk=stage_id).name
    found = Participant.objects.filter(pk__in=others).order_by("sort_folded", "pk").values_list("pk", "name")
    return {pk: ValidationError(_NOT_ADVANCING, params={"name": name, "stage": stage}) for pk, name in found}


def _locked(actor: Actor, stage_id: int) -> Stage:
    """Return the stage, locked, after a check of the permission."""
    require(can_edit_competition(actor), _NOT_ALLOWED)
    return Stage.objects.select_for_update(no_key=True).get(pk=stage_id)


def _advancing(stage_id: int) -> dict[int, str]:
    """Return the names of those who advance, by participant, in the order of second names."""
    found = StageAdvancement.objects.filter(stage_id=stage_id).order_by("participant__sort_folded", "participant_id")
    return dict(found.values_list("participant_id", "participant__name"))


def _questions(stage: Stage, count: int, performers: int) -> list[ValidationError]:
    """Return the sentences to confirm: how many advance, and what closes."""
    next_stage = stages_after(stage.order_number).values_list("name", flat=True).first()
    verb = "advances" if count == 1 else "advance"
    words = f"%(n)d of %(all)d {verb} to %(stage)s." if next_stage else f"%(n)d of %(all)d {verb}."
    return [
        ValidationError(words, params={"n": count, "all": performers, "stage": next_stage}),
        ValidationError("Everybody sees it at once, and recommendations for this stage are closed."),
    ]


def _contradictions(stage_id: int, chosen: Collection[int]) -> list[ValidationError]:
    """Return the sentences that name whom the most binding stored order of the stage contradicts. Four queries."""
    order = next(iter(stage_orders(stage_id)), None)
    if order is None:
        return []
    missing, others = order.passed_over(chosen)
    unplaced = tuple(pk for pk in sorted(chosen) if pk not in order.places)
    ids = {*missing, *others, *unplaced}
    names = dict(Participant.objects.filter(pk__in=ids).values_list("pk", "name"))
    listed = {
        text: ", ".join(f"{names[pk]} ({order.places[pk]})" if pk in order.places else names[pk] for pk in found)
        for text, found in zip(_AGAINST[order.source], (missing, others, unplaced), strict=True)
        if found
    }
    return [ValidationError(text, params={"names": words}) for text, words in listed.items()]


def _note_and_announce(actor: Actor, action: str, stage: Stage, before: dict[int, str]) -> None:
    names = {"before": {"advancing": list(before.values())}, "after": {"advancing": [*_advancing(stage.pk).values()]}}
    change_note(actor=actor, action=action, subject_id=stage.pk, name=stage.name, **names)
    publish(StagesChanged())
