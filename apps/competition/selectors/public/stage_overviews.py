"""The list of stages: each with its sessions, its number of performers, and who advanced to the next one."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

from django.db.models import Count

from apps.competition.enums import StagePhase
from apps.competition.models import Session, SessionParticipant, Stage
from apps.competition.selectors.public.participants import SessionCard
from apps.competition.selectors.public.sessions import CARD


@dataclass(frozen=True, slots=True)
class Advanced:
    """A participant who plays in the next stage too, once the field of that stage is drawn."""

    participant_id: int
    name: str


@dataclass(frozen=True, slots=True)
class StageOverview:
    """A stage with its sessions by start time; `next_stage` is empty until its field is drawn."""

    id: int
    name: str
    is_archived: bool
    sessions: tuple[SessionCard, ...]
    performers: int
    next_stage: str = ""
    advanced: tuple[Advanced, ...] = ()  # by second name

    @property
    def begins_at(self) -> datetime | None:
        """The start of its first session, None without any."""
        return self.sessions[0].starts_at if self.sessions else None

    @property
    def ends_at(self) -> datetime | None:
        """The start of its last session, None without any."""
        return self.sessions[-1].starts_at if self.sessions else None

    def phase(self, now: datetime) -> StagePhase:
        """Return where the stage is in time at `now`. A session that is not live is over from its start time on."""
        if any(session.is_live for session in self.sessions):
            return StagePhase.LIVE
        begun = sum(session.starts_at <= now for session in self.sessions)
        if not begun:
            return StagePhase.BEFORE
        return StagePhase.OVER if begun == len(self.sessions) else StagePhase.UNDER_WAY


def stage_overviews() -> tuple[StageOverview, ...]:
    """Return all stages in their order. Three queries."""
    sessions: defaultdict[int, list[SessionCard]] = defaultdict(list)
    in_order = Session.objects.annotate(participant_count=Count("appearances")).order_by("starts_at", "id")
    for card in (SessionCard(*row) for row in in_order.values_list(*CARD)):
        sessions[card.stage_id].append(card)
    fields: defaultdict[int, dict[int, str]] = defaultdict(dict)  # names by participant
    appearances = SessionParticipant.objects.order_by("participant__sort_folded", "participant_id")
    for stage_id, participant_id, name in appearances.values_list("stage_id", "participant_id", "participant__name"):
        fields[stage_id][participant_id] = name
    stages = Stage.objects.order_by("order_number").values_list("pk", "name", "archived_at", "field_drawn_at")
    found: list[StageOverview] = []
    for (pk, name, archived_at, _), (next_id, next_name, _, drawn_at) in pairwise((*stages, (0, "", None, None))):
        field = fields[pk]
        is_known = bool(drawn_at and field)
        advanced = [Advanced(*each) for each in field.items() if each[0] in fields[next_id]] if is_known else []
        found.append(
            StageOverview(
                *(pk, name, archived_at is not None, tuple(sessions[pk]), len(field)),
                next_stage=next_name if is_known else "",
                advanced=tuple(advanced),
            )
        )
    return tuple(found)
