"""Writes of stages: names, order, and archiving.

Writes that concern several stages are serialized by one advisory lock, taken before the row locks.
"""

from django.core.exceptions import ValidationError
from django.db import connection, transaction
from django.db.models import Max, Value

from apps.accounts.actors import Actor
from apps.accounts.audit_notes import change_note
from apps.competition.events import StageRenamed, StagesChanged
from apps.competition.limits import STAGES_MOST
from apps.competition.models import Appearance, Session, Stage, stage_name_key
from apps.competition.permissions import can_edit_competition
from apps.competition.selectors.admin.sessions import stage_fields
from apps.core.database.fields import database_now
from apps.core.edits import Saved, edit_merge, row_validate
from apps.core.events import publish
from apps.core.permissions import require

ARCHIVED = "Stage archived. It stays with its sessions; new ones no longer offer it."
RESTORED = "Stage brought back. New sessions offer it again."
MOVED, STAYED = "Stage moved", "It is there already."
_NOT_ALLOWED = "Only administrators edit stages."
_FIRST_STAGE = "Stage I"
_LOCK = "SELECT pg_advisory_xact_lock(hashtext('parterre stages'))"
_STEPS = {"up": -1, "down": 1}


@transaction.atomic
def stage_create(*, actor: Actor, name: str, order_number: int | None = None) -> Stage:
    """Create a stage at `order_number`, by default after all others, and return it.

    Raises PermissionDenied, ValidationError.
    """
    require(can_edit_competition(actor), _NOT_ALLOWED)
    _lock()
    if Stage.objects.count() >= STAGES_MOST:
        raise ValidationError("There are %(most)d stages, as many as lists can show.", params={"most": STAGES_MOST})
    number = order_number or (Stage.objects.aggregate(last=Max("order_number"))["last"] or 0) + 1
    stage = Stage(name=" ".join(name.split()), order_number=number)
    _validate(stage)
    stage.save()
    after = stage_fields(stage) | {"order_number": number}
    change_note(actor=actor, action="stage.create", subject_id=stage.pk, after=after)
    publish(StagesChanged((stage.pk,)))
    return stage


@transaction.atomic
def stage_update(*, actor: Actor, stage_id: int, name: str, version: str | None = None) -> Saved[Stage]:
    """Rename a stage and return it; `version` is the one that the editor read.

    Raises PermissionDenied, Stage.DoesNotExist, EditConflict, ValidationError.
    """
    stage = _locked(actor, stage_id)
    before = stage_fields(stage)
    fields, kept_fields = edit_merge(version=version, stored=before, given={"name": name})
    stage.name = " ".join(fields["name"].split())
    _validate(stage)
    after = stage_fields(stage)
    if after != before:
        stage.save(update_fields=["name"])
        change_note(actor=actor, action="stage.update", subject_id=stage_id, before=before, after=after)
        publish(_renamed((stage_id,)))
    return Saved(stage, kept_fields)


@transaction.atomic
def stage_move(*, actor: Actor, stage_id: int, direction: str) -> str:
    """Swap a stage with the one before ("up") or after it ("down"), and return the sentence to show.

    The first and the last stage stay at the end of the order. Raises PermissionDenied, Stage.DoesNotExist,
    ValidationError.
    """
    require(can_edit_competition(actor), _NOT_ALLOWED)
    if direction not in _STEPS:
        raise ValidationError("A stage moves up or down.")
    _lock()
    stages = list(Stage.objects.select_for_update(no_key=True).order_by("order_number"))
    at = next((index for index, each in enumerate(stages) if each.pk == stage_id), None)
    if at is None:
        raise Stage.DoesNotExist
    if not 0 <= at + _STEPS[direction] < len(stages):
        return STAYED
    moved, other, names = stages[at], stages[at + _STEPS[direction]], [each.name for each in stages]
    moved.order_number, other.order_number = other.order_number, moved.order_number
    Stage.objects.bulk_update([moved, other], ["order_number"])
    names[at], names[at + _STEPS[direction]] = other.name, moved.name
    before = {"stages": [each.name for each in stages]}
    change_note(
        actor=actor, action="stage.order", subject_id=stage_id, name=moved.name, before=before, after={"stages": names}
    )
    publish(_renamed((moved.pk, other.pk)))
    return MOVED


@transaction.atomic
def stage_archive(*, actor: Actor, stage_id: int, is_archived: bool) -> str:
    """Archive a stage, so that new sessions cannot use it, or restore it; return the sentence to show.

    Existing sessions keep the stage. Idempotent. Raises PermissionDenied, Stage.DoesNotExist.
    """
    stage = _locked(actor, stage_id)
    was_archived = stage.archived_at is not None
    if was_archived != is_archived:
        stage.archived_at = database_now() if is_archived else None
        stage.save(update_fields=["archived_at"])
        _note_and_announce(actor, "stage.archive", stage, {"archived": was_archived}, {"archived": is_archived})
    return ARCHIVED if is_archived else RESTORED


@transaction.atomic
def stage_delete(*, actor: Actor, stage_id: int) -> None:
    """Delete a stage without sessions.

    Raises PermissionDenied, Stage.DoesNotExist, ValidationError while sessions use it.
    """
    require(can_edit_competition(actor), _NOT_ALLOWED)
    stage = Stage.objects.select_for_update().get(pk=stage_id)
    sessions = Session.objects.filter(stage_id=stage_id).count()
    if sessions:
        sentence = "%(name)s has sessions: %(count)d. Archive it instead."
        raise ValidationError(sentence, params={"name": stage.name, "count": sessions})
    stage.delete()
    change_note(actor=actor, action="stage.delete", subject_id=stage_id, before=stage_fields(stage))
    publish(StagesChanged((stage_id,)))


def stage_for_session(*, actor: Actor, chosen: int | None) -> int:
    """Return the id of the stage for a new or moved session: `chosen`, or the only stage.

    Without any stage it creates the first one. Raises ValidationError at `stage` when a choice is needed, and for a
    stage that is archived or deleted. Requires a transaction.
    """
    _lock()
    stages = dict(Stage.objects.values_list("pk", "archived_at"))
    if not stages and chosen is None:
        return stage_create(actor=actor, name=_FIRST_STAGE).pk
    offered = [pk for pk, archived_at in stages.items() if archived_at is None]
    if chosen is None and len(offered) == 1:
        return offered[0]
    if chosen is None:
        raise ValidationError({"stage": "Choose a stage." if offered else "All stages are archived. Add one first."})
    if chosen not in stages:
        raise ValidationError({"stage": "This stage is no longer there. Choose another one."})
    if chosen not in offered:
        raise ValidationError({"stage": "This stage is archived. Choose another one."})
    return chosen


def _validate(stage: Stage) -> None:
    """Raise ValidationError at `name` for a name used already, ignoring case and spaces, and as `row_validate`."""
    others = Stage.objects.exclude(pk=stage.pk).annotate(name_key=stage_name_key("name"))
    if others.filter(name_key=stage_name_key(Value(stage.name))).exists():
        raise ValidationError({"name": "Name is taken already."})
    row_validate(stage)


def _lock() -> None:
    """Take the lock for writes of several stages until the transaction ends."""
    with connection.cursor() as cursor:
        cursor.execute(_LOCK)


def _locked(actor: Actor, stage_id: int) -> Stage:
    """Return the stage, locked, after a check of the permission. Raises PermissionDenied, Stage.DoesNotExist."""
    require(can_edit_competition(actor), _NOT_ALLOWED)
    return Stage.objects.select_for_update(no_key=True).get(pk=stage_id)


def _note_and_announce(
    actor: Actor, action: str, stage: Stage, before: dict[str, bool], after: dict[str, bool]
) -> None:
    change_note(actor=actor, action=action, subject_id=stage.pk, name=stage.name, before=before, after=after)
    publish(StagesChanged())


def _renamed(stage_ids: tuple[int, ...]) -> StageRenamed:
    """Return the event for pages that show these stages' names or order."""
    session_ids = tuple(Session.objects.filter(stage_id__in=stage_ids).order_by("pk").values_list("pk", flat=True))
    playing = Appearance.objects.filter(session_id__in=session_ids).order_by("participant_id")
    participant_ids = tuple(playing.values_list("participant_id", flat=True).distinct())
    return StageRenamed(session_ids, participant_ids, stage_ids)
