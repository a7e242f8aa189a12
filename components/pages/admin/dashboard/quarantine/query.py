"""The data of the tab "Quarantine" for its address: `stage` and `page`."""

from dataclasses import dataclass

from django.utils import timezone

from apps.competition.selectors.public.stages import StageName, stage_names
from apps.ranking.selectors import Quarantine, quarantine_get
from components.runtime import Query, number_of


@dataclass(frozen=True, slots=True)
class QuarantineStart:
    """The stages as options, and the quarantine of the chosen stage; None without any stage."""

    stages: tuple[StageName, ...]
    quarantine: Quarantine | None

    @property
    def stage_id(self) -> int:
        """Return the chosen stage's id, 0 without any stage."""
        return self.quarantine.stage_id if self.quarantine else 0

    @property
    def number(self) -> int:
        """Return the page number of the list."""
        return self.quarantine.kept_out.number if self.quarantine else 1


def quarantine_start(query: Query) -> QuarantineStart:
    """Return the data of the tab for the stage in the address, else for the last stage that has begun. Nine queries."""
    stages, requested_id, now = stage_names(), number_of(query, "stage", 0), timezone.now()
    begun = [each.id for each in stages if each.begins_at is not None and each.begins_at <= now]
    known = {each.id for each in stages}
    stage_id = requested_id if requested_id in known else next(iter([*reversed(begun), *known]), 0)
    quarantine = quarantine_get(stage_id=stage_id, number=number_of(query)) if stage_id else None
    return QuarantineStart(stages, quarantine)
