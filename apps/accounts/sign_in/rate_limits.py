"""Counting of attempts, in the counters that all processes share."""

import math
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, cast

from allauth.core.internal import ratelimit as allauths
from allauth.core.internal.ratelimit import Rate, apply_rate, cache_lock
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.utils.crypto import salted_hmac

from apps.accounts.limits import (
    GOOGLE_CLIENT,
    RESET_ADDRESS,
    RESET_CLIENT,
    SIGN_IN_CLIENT,
    SIGN_IN_HERE,
    SIGN_IN_KNOWN,
    SIGN_IN_LINK_ADDRESS,
    SIGN_IN_LINK_CLIENT,
    SIGN_IN_STRANGE,
    SIGN_UP_CLIENT,
    VERIFY_CLIENT,
    Limit,
)
from apps.core.cache import counters_now
from apps.core.client_addresses import factor
from apps.core.security_log import security_count

# A process whose clock is wrong forgives nobody and locks nobody out; what allauth counts by itself is counted alike.
cast("Any", allauths).time = SimpleNamespace(time=counters_now, monotonic=time.monotonic, sleep=time.sleep)
MINUTE = 60  # seconds
TOO_MANY = "too_many"  # the code of the error


class TooMany(ValidationError):
    """One attempt more than is allowed; `wait` is in seconds, 0 when nobody knows how long."""

    def __init__(self, wait: float) -> None:
        said = [ValidationError("Too many attempts. Please try again later.", code=TOO_MANY)]
        if wait > 0:
            minutes = {"minutes": math.ceil(wait / MINUTE)}
            said.append(ValidationError("You can try again in %(minutes)d min.", code="wait", params=minutes))
        super().__init__(said)


@dataclass(frozen=True, slots=True)
class Counter:
    """One limit on one thing: the key says neither whose address nor whose client it is."""

    limit: Limit
    subject: str
    times: int = 1

    @property
    def key(self) -> str:
        """Where it is counted."""
        digest = salted_hmac("parterre.limits", self.subject, algorithm="sha256").hexdigest()
        return f"limit:{self.limit.name}:{digest[:32]}"

    def take(self) -> float:
        """Count one; returns when, as PostgreSQL's clock said. Raises TooMany."""
        rate = Rate(self.limit.amount * self.times, self.limit.seconds, "key")
        with cache_lock(self.key) as locked:
            if not locked:  # others are counting: that is no failure of ours, so it is no leave either
                raise TooMany(0)
            now = counters_now()
            allowed, moments = apply_rate(cache.get(self.key, []), now, rate)
            if not allowed:
                security_count("limit reached", reason=self.limit.name)
                raise TooMany(moments[-1] + rate.duration - now)
            cache.set(self.key, moments, rate.duration)
        return now

    def give_back(self, moment: float) -> None:
        """Count one less; where others are counting it stays counted, which is only stricter."""
        with cache_lock(self.key) as locked:
            if locked:
                moments = [each for each in cache.get(self.key, []) if each != moment]
                cache.set(self.key, moments, self.limit.seconds)


@dataclass(slots=True)
class Attempt:
    """What one attempt was counted as, until it turns out to be none."""

    taken: list[tuple[Counter, float]] = field(default_factory=list)

    def take(self, counters: Iterable[Counter]) -> "Attempt":
        """Count the attempt everywhere or nowhere; returns itself. Raises TooMany."""
        try:
            for counter in counters:
                self.taken.append((counter, counter.take()))
        except TooMany:
            self.rollback()
            raise
        return self

    def rollback(self) -> None:
        """Forget the attempt; allauth calls it when the password was right."""
        while self.taken:
            counter, moment = self.taken.pop()
            counter.give_back(moment)


def folded_address(email: str) -> str:
    """Return an address as signing in compares it."""
    return email.strip().lower()


def _client(limit: Limit, client: str) -> Counter:
    return Counter(limit, client, times=factor(client))


def _sign_in(email: str, client: str, browser: str) -> list[Counter]:
    address = folded_address(email)
    if browser:
        own = [Counter(SIGN_IN_KNOWN, f"{browser} {address}")]
    else:
        own = [Counter(SIGN_IN_HERE, f"{client} {address}"), Counter(SIGN_IN_STRANGE, address)]
    return [*own, *(_client(limit, client) for limit in SIGN_IN_CLIENT)]


def sign_in_attempt(*, email: str, client: str, browser: str) -> Attempt:
    """Count a sign-in; `browser` names one that got in there before. Raises TooMany."""
    return Attempt().take(_sign_in(email, client, browser))


def sign_in_forgive(*, email: str, client: str) -> None:
    """Forget failures of an address whose owner has a new password."""
    for counter in (
        Counter(SIGN_IN_HERE, f"{client} {folded_address(email)}"),
        Counter(SIGN_IN_STRANGE, folded_address(email)),
    ):
        cache.delete(counter.key)


def sign_up_attempt(*, client: str) -> Attempt:
    """Count a sign-up. Raises TooMany."""
    return Attempt().take([_client(SIGN_UP_CLIENT, client)])


def reset_attempt(*, email: str, client: str) -> Attempt:
    """Count a wish for a reset link, whether or not the address is known. Raises TooMany."""
    address = (Counter(limit, folded_address(email)) for limit in RESET_ADDRESS)
    return Attempt().take([*address, _client(RESET_CLIENT, client)])


def sign_in_link_attempt(*, email: str, client: str) -> Attempt:
    """Count a wish for a link that signs in, whether or not the address is known. Raises TooMany."""
    address = (Counter(limit, folded_address(email)) for limit in SIGN_IN_LINK_ADDRESS)
    return Attempt().take([*address, _client(SIGN_IN_LINK_CLIENT, client)])


def verify_attempt(*, client: str) -> Attempt:
    """Count a wish for another link that confirms an address. Raises TooMany."""
    return Attempt().take([_client(VERIFY_CLIENT, client)])


def google_attempt(*, client: str) -> Attempt:
    """Count a way to Google that is begun: it leaves a row behind. Raises TooMany."""
    return Attempt().take([_client(GOOGLE_CLIENT, client)])
