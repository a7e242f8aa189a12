"""Whom the rules keep out of a stage's ranking, and who was let out: for administrators alone."""

from dataclasses import dataclass
from datetime import datetime

from apps.accounts.selectors import usernames_get
from apps.core.database.paging import NumberedPage, pages_of
from apps.ranking.enums import NotCounted
from apps.ranking.limits import QUARANTINE_SHOWN
from apps.ranking.models import RankingRelease
from apps.ranking.selectors.counting import stage_counting


@dataclass(frozen=True, slots=True)
class KeptOut:
    """An account that a rule keeps out, and of how many performances its marks would count."""

    id: int
    username: str
    reason: NotCounted
    performances: int


@dataclass(frozen=True, slots=True)
class LetOut:
    """An account that an administrator let out, whose name is empty once they have left."""

    id: int
    username: str
    reason: str
    released_by: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Quarantine:
    """A stage's quarantine: a page of those whom a rule keeps out, and all who were let out, the newest first."""

    stage_id: int
    kept_out: NumberedPage[KeptOut]
    let_out: tuple[LetOut, ...]


def quarantine_get(*, stage_id: int, number: int = 1) -> Quarantine:
    """Return a stage's quarantine as the rules have it now, by rule, within one by account. Eight queries."""
    counting = stage_counting(stage_id=stage_id)
    reasons = tuple(NotCounted)
    found = sorted(counting.quarantined.items(), key=lambda each: (reasons.index(each[1]), each[0]))
    shown = min(max(1, number), pages_of(len(found), QUARANTINE_SHOWN))
    rows = found[(shown - 1) * QUARANTINE_SHOWN : shown * QUARANTINE_SHOWN]
    released = tuple(
        RankingRelease.objects.filter(stage_id=stage_id)
        .order_by("-created_at", "-id")
        .values_list("user_id", "reason", "released_by_id", "created_at")
    )
    people = {user_id for user_id, _ in rows} | {pk for user_id, _, by, _ in released for pk in (user_id, by) if pk}
    names = usernames_get(user_ids=people)
    kept = tuple(KeptOut(pk, names[pk], reason, counting.kept_out[pk]) for pk, reason in rows if pk in names)
    let = tuple(
        LetOut(pk, names[pk], reason, names.get(by or 0, ""), at) for pk, reason, by, at in released if pk in names
    )
    return Quarantine(stage_id, NumberedPage(kept, shown, len(found), QUARANTINE_SHOWN), let)
