"""With BUS_URL, what an account or an address takes in one process is taken in all.

A process lets take by its own buckets, at once, and tells Valkey now and then what was taken; back comes what all have
taken. So nobody waits for Valkey, and while it is away each process counts alone.
"""

import asyncio
import logging
from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from django.utils.crypto import salted_hmac

from apps.core.buckets import Bucket, Buckets

if TYPE_CHECKING:
    from redis.asyncio import Redis  # installed only where BUS_URL is


EVERY = 0.25  # seconds between two exchanges
PATIENCE = 1.0  # seconds that Valkey may take
DIGEST = 32  # characters of an address's
# A key holds when its bucket is full again. Returns for each in how many seconds that is, as texts: numbers are cut.
SCRIPT = """
local time = redis.call('TIME')
local now = time[1] + time[2] / 1000000
local seconds = {}
for i, key in ipairs(KEYS) do
    local full = math.max(now, tonumber(redis.call('GET', key) or 0)) + ARGV[i]
    if full > now then
        redis.call('SET', key, string.format('%.6f', full), 'PX', math.ceil((full - now) * 1000))
    end
    seconds[i] = string.format('%.6f', full - now)
end
return seconds
"""
log = logging.getLogger(__name__)


class Taken(NamedTuple):
    """What one bucket gave since it was told last."""

    key: str
    bucket: Bucket
    number: int


class CommonCounts:
    """Exchanges what was taken of these buckets, by the names that they have in every process."""

    def __init__(self, address: str, site: str, groups: Mapping[str, Buckets]) -> None:
        self.address, self.groups = address, groups
        self.prefix = f"parterre:{site}{urlsplit(address).path.rstrip('/')}:limit"
        self.is_away = False
        for buckets in groups.values():
            buckets.asked_for = set()

    async def run(self) -> None:
        """Exchange until cancelled."""
        from redis.asyncio import Redis  # noqa: PLC0415 - installed only where BUS_URL is

        # With a socket_timeout redis-py sends under `asyncio.wait_for`, which loses cancellations in Python 3.11.
        async with Redis.from_url(self.address, socket_connect_timeout=PATIENCE, socket_timeout=None) as client:
            while True:
                await asyncio.sleep(EVERY)
                if taken := self._taken():
                    await self._exchange(client, taken)

    def _taken(self) -> list[Taken]:
        """Return what was taken of every bucket that was asked, from now on counted anew."""
        found = []
        for name, buckets in self.groups.items():
            asked_for, buckets.asked_for = buckets.asked_for or set(), set()
            for key in asked_for:
                if bucket := buckets.buckets.get(key):
                    found.append(Taken(f"{self.prefix}:{name}:{_text(key)}", bucket, bucket.taken))
                    bucket.taken = 0
        return found

    async def _exchange(self, client: "Redis", taken: Sequence[Taken]) -> None:
        """Add these to what all have taken, and let the buckets have as little as is left of it."""
        from redis.exceptions import RedisError  # noqa: PLC0415 - installed only where BUS_URL is

        seconds = [each.number / each.bucket.rate.per_second for each in taken]
        try:
            async with asyncio.timeout(PATIENCE):
                answer: Any = await client.register_script(SCRIPT)([each.key for each in taken], seconds)
        except (RedisError, OSError) as error:
            if not self.is_away:
                log.warning("limits: Valkey is away, and this process counts alone: %s", error)
            self.is_away = True
            return
        if self.is_away:
            log.warning("limits: counted over all processes again")
        self.is_away = False
        for each, full_in in zip(taken, answer, strict=True):
            each.bucket.fill_to(each.bucket.rate.burst - float(full_in) * each.bucket.rate.per_second)


def _text(key: Hashable) -> str:
    """Return the name of an account, of it and a command, or of an address, which nobody else is to know."""
    if isinstance(key, str):
        return salted_hmac("parterre.limits", key, algorithm="sha256").hexdigest()[:DIGEST]
    return ":".join(map(str, key)) if isinstance(key, tuple) else str(key)
