"""Writes of stages."""

from django.db import transaction

from apps.accounts.actors import Actor
from apps.accounts.audit_notes import change_note
from apps.competition.events import FieldChanged
from apps.competition.models import Stage
from apps.competition.permissions import can_edit_competition
from apps.core.database.clock import database_now
from apps.core.edits.row_validation import row_validate
from apps.core.events import publish
from apps.core.permissions import require

FIELD_DRAWN = "The field is drawn. Recommendations for the stage before are closed."
FIELD_OPEN = "The field is open again. Recommendations for the stage before are, too."
_NOT_ALLOWED = "Only administrators edit stages."


@transaction.atomic
def stage_create(*, actor: Actor, name: str, order_number: int) -> Stage:
    """Create a stage and return it; no screen shows one before a session belongs to it.

    Raises PermissionDenied, ValidationError.
    """
    require(can_edit_competition(actor), _NOT_ALLOWED)
    stage = Stage(name=name.strip(), order_number=order_number)
    row_validate(stage)
    stage.save()
    change_note(
        actor=actor,
        action="stage.create",
        subject_id=stage.pk,
        after={"name": stage.name, "order_number": order_number},
    )
    return stage


@transaction.atomic
def stage_field_set(*, actor: Actor, stage_id: int, is_drawn: bool) -> str:
    """Say that a stage's field is drawn, or is not any more, and return the sentence to show.

    Drawn, whoever has an appearance in it has advanced from the stage before, and nobody recommends there any more.
    What is so already stays as it is. Raises PermissionDenied, Stage.DoesNotExist.
    """
    require(can_edit_competition(actor), _NOT_ALLOWED)
    stage = Stage.objects.select_for_update(no_key=True).get(pk=stage_id)
    was_drawn = stage.field_drawn_at is not None
    if was_drawn != is_drawn:
        stage.field_drawn_at = database_now() if is_drawn else None
        stage.save(update_fields=["field_drawn_at"])
        change_note(
            actor=actor,
            action="stage.field",
            subject_id=stage_id,
            name=stage.name,
            before={"field_drawn": was_drawn},
            after={"field_drawn": is_drawn},
        )
        publish(FieldChanged())
    return FIELD_DRAWN if is_drawn else FIELD_OPEN
