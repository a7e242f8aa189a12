"""Reads of following."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Sum

from apps.competition.selectors.public.progress import Progress, participants_progress
from apps.following.limits import FOLLOWS_MOST, SECRET_LENGTH
from apps.following.models import CalendarKey, Follow, FollowCount


@dataclass(frozen=True, slots=True)
class Followed:
    """A performer that a member follows, and what comes next for them: None without an appearance."""

    participant_id: int
    name: str
    progress: Progress | None


def follow_counts(*, participant_ids: Collection[int]) -> Mapping[int, int]:
    """Return how many members follow these performers, by performer, without those of no member. One query."""
    found = FollowCount.objects.filter(participant_id__in=participant_ids).order_by()
    rows = found.values_list("participant_id").annotate(number=Sum("count"))
    return {participant_id: number for participant_id, number in rows if number}


def followed_ids(*, user_id: int) -> tuple[int, ...]:
    """Return the ids of the performers that a member follows, at most FOLLOWS_MOST. One query."""
    found = Follow.objects.filter(user_id=user_id).order_by("participant_id")
    return tuple(found.values_list("participant_id", flat=True)[:FOLLOWS_MOST])


def followers_before(*, participant_id: int, moment: datetime, after: int, limit: int) -> tuple[int, ...]:
    """Return the members with an id above `after` who followed a performer at `moment`, by id. One query."""
    found = Follow.objects.filter(participant_id=participant_id, created_at__lte=moment, user_id__gt=after)
    return tuple(found.order_by("user_id").values_list("user_id", flat=True)[:limit])


def is_followed(*, user_id: int, participant_id: int) -> bool:
    """Return whether a member follows a performer. One query."""
    return Follow.objects.filter(user_id=user_id, participant_id=participant_id).exists()


def follows_own(*, user_id: int) -> tuple[Followed, ...]:
    """Return the performers that a member follows: on stage, next, then by time; at last those who played. Two queries.

    At most FOLLOWS_MOST.
    """
    found = Follow.objects.filter(user_id=user_id).order_by("participant__sort_folded", "participant_id")
    names = dict(found.values_list("participant_id", "participant__name")[:FOLLOWS_MOST])
    progress = participants_progress(participant_ids=names.keys()) if names else {}
    rows = (Followed(pk, name, progress.get(pk)) for pk, name in names.items())
    return tuple(sorted(rows, key=lambda row: _order(row.progress)))


def _order(progress: Progress | None) -> tuple[int, datetime | None, int]:
    if progress is None:
        return 5, None, 0
    if progress.is_over:
        return 4, progress.starts_at, progress.order_number
    if progress.is_performing:
        return 0, progress.starts_at, 0
    return (1 if progress.is_next else 2 if progress.is_live else 3), progress.starts_at, progress.order_number


def follows_export(*, user_id: int) -> dict[str, list[dict[str, Any]]]:
    """Return the performers that a member follows, ready for JSON. One query."""
    rows = Follow.objects.filter(user_id=user_id).order_by("id").values_list("participant__name", "created_at")
    return {"follows": [{"performer": name, "created_at": at.isoformat()} for name, at in rows]}


def calendar_secret(*, user_id: int) -> str:
    """Return the secret in the address of a member's private calendar; empty without one. One query."""
    return CalendarKey.objects.filter(user_id=user_id).values_list("secret", flat=True).first() or ""


def calendar_owner(*, secret: str) -> int | None:
    """Return the member whose private calendar has this secret in its address, or None. One query.

    None also for a closed account; an account that is opened again has its calendar again.
    """
    if len(secret) != SECRET_LENGTH or not secret.isascii():
        return None
    found = CalendarKey.objects.filter(secret=secret, user__is_active=True)
    return found.values_list("user_id", flat=True).first()


def calendar_keys_export(*, user_id: int) -> dict[str, list[dict[str, Any]]]:
    """Return the secret of a member's private calendar, ready for JSON. One query."""
    rows = CalendarKey.objects.filter(user_id=user_id).values_list("secret", "created_at")
    return {"calendar_keys": [{"secret": secret, "created_at": at.isoformat()} for secret, at in rows]}
