"""The list of stages: each with its sessions, its number of performers, and who advances to the next one."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count

from apps.competition.enums import StagePhase
from apps.competition.models import Appearance, Session, Stage, StageAdvancement
from apps.competition.selectors.public.participants import SessionCard
from apps.competition.selectors.public.sessions import CARD, LATE, NEVER_LIVE
from apps.competition.selectors.public.stages import next_names


@dataclass(frozen=True, slots=True)
class Advanced:
    """A participant who advances from the stage, as published."""

    participant_id: int
    name: str


@dataclass(frozen=True, slots=True)
class StageOverview:
    """A stage with its sessions by start time; `next_stage` is the name of the one after it, empty for the last.

    `never_live` are the ids of the sessions that never were live.
    """

    id: int
    name: str
    is_archived: bool
    sessions: tuple[SessionCard, ...]
    performers: int
    next_stage: str = ""
    advanced: tuple[Advanced, ...] = ()  # by second name; empty until it is published
    never_live: frozenset[int] = frozenset()

    @property
    def begins_at(self) -> datetime | None:
        """The start of its first session, None without any."""
        return self.sessions[0].starts_at if self.sessions else None

    @property
    def ends_at(self) -> datetime | None:
        """The start of its last session, None without any."""
        return self.sessions[-1].starts_at if self.sessions else None

    def is_over(self, session: SessionCard, now: datetime) -> bool:
        """Return whether a session of the stage is over at `now`.

        One that is not live is over from its start time on; one that never was live is late until LATE after it.
        """
        delay = LATE if session.id in self.never_live else timedelta()
        return not session.is_live and session.starts_at + delay <= now

    def phase(self, now: datetime) -> StagePhase:
        """Return where the stage is in time at `now`."""
        if any(session.is_live for session in self.sessions):
            return StagePhase.LIVE
        over = sum(self.is_over(session, now) for session in self.sessions)
        if not over:
            return StagePhase.BEFORE
        return StagePhase.OVER if over == len(self.sessions) else StagePhase.UNDER_WAY


def stage_overviews() -> tuple[StageOverview, ...]:
    """Return all stages in their order. Four queries."""
    sessions: defaultdict[int, list[SessionCard]] = defaultdict(list)
    never_live: set[int] = set()
    annotated = Session.objects.annotate(participant_count=Count("appearances"), never_live=NEVER_LIVE)
    for *row, is_never in annotated.order_by("starts_at", "id").values_list(*CARD, "never_live"):
        card = SessionCard(*row)
        sessions[card.stage_id].append(card)
        never_live |= {card.id} if is_never else set()
    performers = dict(
        Appearance.objects.order_by("stage_id")
        .values_list("stage_id")
        .annotate(count=Count("participant", distinct=True))
    )
    advanced: defaultdict[int, list[Advanced]] = defaultdict(list)
    rows = StageAdvancement.objects.order_by("participant__sort_folded", "participant_id")
    for stage_id, participant_id, name in rows.values_list("stage_id", "participant_id", "participant__name"):
        advanced[stage_id].append(Advanced(participant_id, name))
    stages = tuple(Stage.objects.order_by("order_number").values_list("pk", "name", "archived_at"))
    names = next_names([(name, archived_at is not None and not sessions[pk]) for pk, name, archived_at in stages])
    return tuple(
        StageOverview(
            *(pk, name, archived_at is not None, tuple(sessions[pk]), performers.get(pk, 0), next_stage),
            advanced=tuple(advanced[pk]),
            never_live=frozenset(card.id for card in sessions[pk] if card.id in never_live),
        )
        for (pk, name, archived_at), next_stage in zip(stages, names, strict=True)
    )
