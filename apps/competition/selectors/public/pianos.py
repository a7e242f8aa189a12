"""Public reads of pianos: that of a performance by name, and how many performances of a stage each one has."""

from dataclasses import dataclass

from django.db.models import Count, Q, Value
from django.db.models.functions import Coalesce, Concat, Trim

from apps.competition.limits import PIANOS_MOST
from apps.competition.models import Piano

# maker and model of an appearance's piano, empty without one
PIANO = Coalesce(Trim(Concat("piano__maker", Value(" "), "piano__model")), Value(""))


@dataclass(frozen=True, slots=True)
class PianoCount:
    """A piano by name, and the number of performances on it."""

    name: str
    performances: int


def stage_pianos(*, stage_id: int) -> tuple[PianoCount, ...]:
    """Return the pianos of a stage, the most frequent first, then by name; no marks are read. One query."""
    played = Count("appearances", filter=Q(appearances__stage=stage_id))
    found = Piano.objects.annotate(played=played).filter(played__gt=0)
    rows = found.order_by("-played", "maker", "model").values_list("maker", "model", "played")[:PIANOS_MOST]
    return tuple(PianoCount(f"{maker} {model}".strip(), count) for maker, model, count in rows)
