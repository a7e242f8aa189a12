"""The data of the tab "Unusual marks" for its address: `stage` and `page`."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils import timezone

from apps.competition.selectors.public.stages import StageName, stage_names
from apps.ranking.selectors import UnusualMarks, unusual_get
from components.runtime import Query, number_of
from components.ui.areas import DASHBOARD


@dataclass(frozen=True, slots=True)
class UnusualStart:
    """The stages as options, and the unusual marks of the chosen one; None without any stage."""

    stages: tuple[StageName, ...]
    unusual: UnusualMarks | None
    path: str = DASHBOARD  # of the page that shows them

    @property
    def stage_id(self) -> int:
        """Return the chosen stage's id, 0 without any stage."""
        return self.unusual.stage_id if self.unusual else 0

    @property
    def number(self) -> int:
        """Return the page number of the list."""
        return self.unusual.accounts.number if self.unusual else 1


def unusual_start(query: Query, path: str = DASHBOARD) -> UnusualStart:
    """Return the tab of the page at `path` for the stage in the address, else for the current one. Ten queries."""
    stages, requested_id = stage_names(), number_of(query, "stage", 0)
    stage_id = requested_id if requested_id in {each.id for each in stages} else _current(stages)
    unusual = unusual_get(stage_id=stage_id, number=number_of(query)) if stage_id else None
    return UnusualStart(stages, unusual, path)


def current_stage_id() -> int:
    """Return the id of the last stage that has begun, else of a stage that has not; 0 without any. One query."""
    return _current(stage_names())


def _current(stages: Sequence[StageName]) -> int:
    now = timezone.now()
    begun = [each.id for each in stages if each.begins_at is not None and each.begins_at <= now]
    return next(iter([*reversed(begun), *(each.id for each in stages)]), 0)
