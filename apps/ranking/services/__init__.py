"""Writes of the ranking: each loads, locks, authorises, writes and announces in one transaction."""

from apps.ranking.services.computation import ranking_compute
from apps.ranking.services.final import ranking_close, ranking_reopen
from apps.ranking.services.releases import release_give, release_take

__all__ = ["ranking_close", "ranking_compute", "ranking_reopen", "release_give", "release_take"]
