"""Live reactions of this process: as many of each person as the limits allow, written together."""

from dataclasses import replace

from apps.core.threads import in_thread
from apps.live.reaction_batch import Batcher
from apps.live.services import Taps
from project.limits.rates import TAPS, Buckets


class Reactions:
    """What the audience of this process taps."""

    def __init__(self) -> None:
        self.batcher = Batcher(in_thread)
        self.buckets = Buckets(TAPS)  # by account

    async def add(self, taps: Taps) -> tuple[int, str] | None:
        """Return how many of these taps are stored, and why not the others.

        None when nobody knows: the browser then sends the same message again.
        """
        count = sum(self.buckets.take(taps.user_id) for _ in taps.types)
        if not count:
            return 0, ""
        refusal = await self.batcher.add(replace(taps, types=taps.types[:count]))
        return None if refusal is None else (0 if refusal else count, refusal)

    async def stop(self) -> None:
        """Write what waits."""
        await self.batcher.stop()
