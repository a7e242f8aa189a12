"""Writes of the ranking: each loads, locks, authorises, writes and announces in one transaction."""

from apps.ranking.services.computation import Computed, ranking_compute, ranking_failure_note
from apps.ranking.services.final import ranking_close, ranking_reopen
from apps.ranking.services.releases import release_give, release_take

__all__ = [
    "Computed",
    "ranking_close",
    "ranking_compute",
    "ranking_failure_note",
    "ranking_reopen",
    "release_give",
    "release_take",
]
