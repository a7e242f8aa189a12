"""What changes of programs took away, as long as it can be brought back."""

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from apps.competition.enums import UndoKind

from .sessions import Session


class ProgramUndo(models.Model):
    """Appearances with their programs as they were before a change; kept for minutes, for its undo."""

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=10, choices=[(kind.value, kind.value) for kind in UndoKind])
    content = models.JSONField()
    created_at = models.DateTimeField(db_default=Now(), editable=False, db_index=True)

    class Meta:
        db_table = "program_undos"
        constraints = (
            models.CheckConstraint(condition=Q(kind__in=[kind.value for kind in UndoKind]), name="program_undo_kind"),
        )

    def __str__(self) -> str:
        return f"{self.session_id}, {self.kind}"
