"""Stages for administrators."""

from dataclasses import dataclass

from django.db.models import Count

from apps.competition.models import Stage
from apps.core.edits.edit_merge import version_of


@dataclass(frozen=True, slots=True)
class StageRow:
    """A stage as the list for editors shows it, and as forms offer it."""

    id: int
    name: str
    is_field_drawn: bool
    is_archived: bool
    session_count: int


@dataclass(frozen=True, slots=True)
class StageEdit:
    """A stage as its form shows it; `version` is the one to send back."""

    id: int
    name: str
    version: str


def stages_admin() -> tuple[StageRow, ...]:
    """Return all stages in their order. One query."""
    counted = Stage.objects.order_by("order_number").annotate(session_count=Count("sessions"))
    found = counted.values_list("id", "name", "field_drawn_at", "archived_at", "session_count")
    return tuple(
        StageRow(pk, name, drawn_at is not None, archived_at is not None, sessions)
        for pk, name, drawn_at, archived_at, sessions in found
    )


def stage_edit(*, stage_id: int) -> StageEdit | None:
    """Return a stage to be edited, or None when there is none with that id. One query."""
    stage = Stage.objects.filter(pk=stage_id).first()
    return StageEdit(stage.pk, stage.name, version_of(stage_fields(stage))) if stage else None


def stage_fields(stage: Stage) -> dict[str, str]:
    """Return a stage's editable values by field."""
    return {"name": stage.name}
