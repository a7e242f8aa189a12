"""Appearances for administrators."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from apps.competition.models import SessionParticipant
from apps.competition.selectors.public.stage_times import with_times

_ROW = (
    *("id", "order_number", "participant_id", "participant__name", "participant__country"),
    *("participant__avatar_url", "is_performing", "came_at"),
)


@dataclass(frozen=True, slots=True)
class AppearanceRow:
    """A participant's appearance in a session."""

    id: int
    order_number: int
    participant_id: int
    name: str
    country: str
    avatar_url: str
    is_performing: bool
    came_at: datetime | None  # to the stage, the last time


def appearances_of(session_ids: Sequence[int]) -> Mapping[int, tuple[AppearanceRow, ...]]:
    """Return the appearances of these sessions, by session, in their order. One query."""
    appearances: dict[int, list[AppearanceRow]] = defaultdict(list)
    found = with_times(SessionParticipant.objects.filter(session__in=session_ids)).order_by(
        "session_id", "order_number"
    )
    for session_id, *row in found.values_list("session_id", *_ROW):
        appearances[session_id].append(AppearanceRow(*row))
    return {session_id: tuple(rows) for session_id, rows in appearances.items()}
