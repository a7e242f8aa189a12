"""Reads of the list of pianos for administrators."""

from dataclasses import dataclass

from django.db.models import Count
from django.db.models.functions import Lower

from apps.competition.limits import PIANOS_MOST
from apps.competition.models import Piano
from apps.competition.piano_names import PianoName
from apps.core.edits import version_of


@dataclass(frozen=True, slots=True)
class PianoRow:
    """A piano of the list, and how many performances are on it."""

    id: int
    maker: str
    model: str
    performances: int

    @property
    def name(self) -> str:
        """Return maker and model."""
        return str(PianoName(self.maker, self.model))


@dataclass(frozen=True, slots=True)
class PianoEdit:
    """A piano as its form shows it; the form sends `version` back."""

    id: int
    maker: str
    model: str
    version: str


def pianos_admin() -> tuple[PianoRow, ...]:
    """Return the list by maker and model, at most PIANOS_MOST. One query."""
    found = Piano.objects.annotate(performances=Count("appearances")).order_by(Lower("maker"), Lower("model"), "id")
    return tuple(PianoRow(*row) for row in found.values_list("id", "maker", "model", "performances")[:PIANOS_MOST])


def piano_edit(*, piano_id: int) -> PianoEdit | None:
    """Return a piano for its form, or None for an unknown id. One query."""
    piano = Piano.objects.filter(pk=piano_id).first()
    return PianoEdit(piano.pk, piano.maker, piano.model, version_of(piano_fields(piano))) if piano else None


def piano_fields(piano: Piano) -> dict[str, str]:
    """Return a piano's editable values by field."""
    return {"maker": piano.maker, "model": piano.model}
