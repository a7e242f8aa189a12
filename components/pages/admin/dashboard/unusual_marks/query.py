"""The data of the tab "Unusual marks" for its address: `stage` and `page`."""

from dataclasses import dataclass

from django.utils import timezone

from apps.competition.selectors.public.stages import StageName, stage_names
from apps.ranking.selectors import UnusualMarks, unusual_get
from components.runtime import Query, number_of


@dataclass(frozen=True, slots=True)
class UnusualStart:
    """The stages as options, and the unusual marks of the chosen one; None without any stage."""

    stages: tuple[StageName, ...]
    unusual: UnusualMarks | None

    @property
    def stage_id(self) -> int:
        """Return the chosen stage's id, 0 without any stage."""
        return self.unusual.stage_id if self.unusual else 0

    @property
    def number(self) -> int:
        """Return the page number of the list."""
        return self.unusual.accounts.number if self.unusual else 1


def unusual_start(query: Query) -> UnusualStart:
    """Return the tab for the stage in the address, else for the last stage that has begun. Eight queries."""
    stages, requested_id, now = stage_names(), number_of(query, "stage", 0), timezone.now()
    begun = [each.id for each in stages if each.begins_at is not None and each.begins_at <= now]
    known = {each.id for each in stages}
    stage_id = requested_id if requested_id in known else next(iter([*reversed(begun), *known]), 0)
    unusual = unusual_get(stage_id=stage_id, number=number_of(query)) if stage_id else None
    return UnusualStart(stages, unusual)
