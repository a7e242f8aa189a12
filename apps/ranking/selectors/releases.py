"""Reads of who was let out of the quarantine."""

from typing import Any

from apps.ranking.models import RankingRelease


def releases_own(*, user_id: int) -> dict[str, list[dict[str, Any]]]:
    """Return in which stages somebody's marks count by an administrator's word, and why, ready for JSON. One query."""
    rows = RankingRelease.objects.filter(user_id=user_id).order_by("pk")
    found = rows.values_list("stage__name", "reason", "created_at")
    return {
        "ranking_releases": [
            {"stage": stage, "reason": reason, "created_at": at.isoformat()} for stage, reason, at in found
        ]
    }
