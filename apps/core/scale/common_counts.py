"""With BUS_URL, share the token buckets of accounts and addresses between all processes.

A process decides by its own buckets, at once. Every EVERY seconds it sends the number of taken tokens to Valkey and
receives the totals of all processes. No request waits for Valkey. Without Valkey each process counts alone.
"""

import asyncio
import logging
from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from django.utils.crypto import salted_hmac

from apps.core.buckets import Bucket, Buckets

if TYPE_CHECKING:
    from redis.asyncio import Redis  # installed only with BUS_URL


EVERY = 0.25  # seconds between two exchanges
PATIENCE = 1.0  # seconds that Valkey may take
DIGEST = 32  # characters of an address's digest
# A key stores the time at which its bucket is full again. The script returns the seconds until then, as texts, because
# Valkey truncates numbers to integers.
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
    """Number of tokens taken from one bucket since the last exchange."""

    key: str
    bucket: Bucket
    number: float


class CommonCounts:
    """Exchanges the taken tokens of these buckets, by names that are the same in every process."""

    def __init__(self, address: str, site: str, groups: Mapping[str, Buckets]) -> None:
        self.address, self.groups = address, groups
        self.prefix = f"parterre:{site}{urlsplit(address).path.rstrip('/')}:limit"
        self.is_away = False
        for buckets in groups.values():
            buckets.asked_for = set()

    async def run(self) -> None:
        """Exchange until cancelled."""
        from redis.asyncio import Redis  # noqa: PLC0415 - installed only with BUS_URL

        # With a socket_timeout redis-py sends under `asyncio.wait_for`, which loses cancellations in Python 3.11.
        async with Redis.from_url(self.address, socket_connect_timeout=PATIENCE, socket_timeout=None) as client:
            while True:
                await asyncio.sleep(EVERY)
                if taken := self._taken():
                    await self._exchange(client, taken)

    def _taken(self) -> list[Taken]:
        """Return the tokens taken from every bucket that was used since the last call, and reset their counts."""
        found = []
        for name, buckets in self.groups.items():
            asked_for, buckets.asked_for = buckets.asked_for or set(), set()
            for key in asked_for:
                if bucket := buckets.buckets.get(key):
                    found.append(Taken(f"{self.prefix}:{name}:{_text(key)}", bucket, bucket.taken))
                    bucket.taken = 0.0
        return found

    async def _exchange(self, client: "Redis", taken: Sequence[Taken]) -> None:
        """Add these tokens to the totals of all processes, and set each bucket to the remaining tokens."""
        from redis.exceptions import RedisError  # noqa: PLC0415 - installed only with BUS_URL

        seconds = [item.number / item.bucket.rate.per_second for item in taken]
        try:
            async with asyncio.timeout(PATIENCE):
                answer: Any = await client.register_script(SCRIPT)([item.key for item in taken], seconds)
        except (RedisError, OSError) as error:
            if not self.is_away:
                log.warning("limits: Valkey is away, and this process counts alone: %s", error)
            self.is_away = True
            return
        if self.is_away:
            log.warning("limits: counted over all processes again")
        self.is_away = False
        for item, full_in in zip(taken, answer, strict=True):
            item.bucket.fill_to(item.bucket.rate.burst - float(full_in) * item.bucket.rate.per_second)


def _text(key: Hashable) -> str:
    """Return a key as a text: an address as a keyed digest, because it is private; otherwise ids and command names."""
    if isinstance(key, str):
        return salted_hmac("parterre.limits", key, algorithm="sha256").hexdigest()[:DIGEST]
    return ":".join(map(str, key)) if isinstance(key, tuple) else str(key)
