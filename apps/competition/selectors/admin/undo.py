"""Changes of programs that can still be taken back."""

from dataclasses import dataclass
from typing import Any

from django.db.models import DateTimeField, ExpressionWrapper, Value
from django.db.models.functions import Now

from apps.competition.enums import UndoKind
from apps.competition.limits import UNDO_LIFETIME, UNDOS_SHOWN
from apps.competition.models import ProgramUndo


@dataclass(frozen=True, slots=True)
class UndoRow:
    """A change that can be taken back: of which session, and whose programs it took away."""

    id: int
    session: str
    names: tuple[str, ...]


def undos_recent(*, kind: UndoKind) -> tuple[UndoRow, ...]:
    """Return the changes of this kind that can be taken back, the newest first. One query."""
    found = ProgramUndo.objects.filter(kind=kind, created_at__gt=undo_since()).order_by("-pk")
    rows = found.values_list("pk", "session__title", "content")[:UNDOS_SHOWN]
    return tuple(UndoRow(pk, title, tuple(each["name"] for each in kept["appearances"])) for pk, title, kept in rows)


def undo_since() -> "ExpressionWrapper[Any]":
    """Return since when changes can be taken back, as an expression of the database."""
    return ExpressionWrapper(Now() - Value(UNDO_LIFETIME), output_field=DateTimeField())
