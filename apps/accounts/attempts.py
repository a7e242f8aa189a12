"""How often somebody may try, by account, address and client (`apps/accounts/limits.py`); an attempt counts at once."""

import time
from types import SimpleNamespace
from typing import Any, cast

from allauth.core.internal import ratelimit as allauths
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
)
from apps.core.database.cache import counters_now
from apps.core.limits import RateLimit
from apps.core.observability.client_addresses import factor
from apps.core.rate_limits import Attempt, Use, account_subject

# allauth's own counts use the database's clock, so that a process whose clock is wrong locks nobody out.
cast("Any", allauths).time = SimpleNamespace(time=counters_now, monotonic=time.monotonic, sleep=time.sleep)


def folded_address(email: str) -> str:
    """Return an address as signing in compares it."""
    return email.strip().lower()


def _use(limit: RateLimit, subject: str, times: int = 1) -> Use:
    """Return the use of a limit by an address or a client, of which only a digest is stored."""
    return Use(limit, salted_hmac("parterre.limits", subject, algorithm="sha256").hexdigest()[:32], times)


def _client(limit: RateLimit, client: str) -> Use:
    return _use(limit, client, times=factor(client))


def _sign_in(email: str, client: str, browser: str) -> list[Use]:
    address = folded_address(email)
    if browser:
        own = [_use(SIGN_IN_KNOWN, f"{browser} {address}")]
    else:
        own = [_use(SIGN_IN_HERE, f"{client} {address}"), _use(SIGN_IN_STRANGE, address)]
    return [*own, *(_client(limit, client) for limit in SIGN_IN_CLIENT)]


def sign_in_attempt(*, email: str, client: str, browser: str) -> Attempt:
    """Count a sign-in; `browser` names one that has signed in to this address before. Raises TooMany."""
    return Attempt().take(_sign_in(email, client, browser))


def sign_in_forgive(*, email: str, client: str) -> None:
    """Forget failures of an address whose owner has a new password."""
    for use in (_use(SIGN_IN_HERE, f"{client} {folded_address(email)}"), _use(SIGN_IN_STRANGE, folded_address(email))):
        use.forget()


def sign_up_attempt(*, client: str) -> None:
    """Count a sign-up. Raises TooMany."""
    Attempt().take([_client(SIGN_UP_CLIENT, client)])


def reset_attempt(*, email: str, client: str) -> None:
    """Count a request for a reset link, whether or not the address is known. Raises TooMany."""
    Attempt().take([*(_use(limit, folded_address(email)) for limit in RESET_ADDRESS), _client(RESET_CLIENT, client)])


def sign_in_link_attempt(*, email: str, client: str) -> None:
    """Count a request for a link that signs in, whether or not the address is known. Raises TooMany."""
    address = (_use(limit, folded_address(email)) for limit in SIGN_IN_LINK_ADDRESS)
    Attempt().take([*address, _client(SIGN_IN_LINK_CLIENT, client)])


def verify_attempt(*, client: str) -> None:
    """Count a request for another link that confirms an address. Raises TooMany."""
    Attempt().take([_client(VERIFY_CLIENT, client)])


def google_attempt(*, client: str) -> None:
    """Count a sign-in with Google that is begun: it stores a row. Raises TooMany."""
    Attempt().take([_client(GOOGLE_CLIENT, client)])


def account_attempt(limit: RateLimit, *, account_id: int) -> None:
    """Count an attempt of an account. Raises TooMany."""
    Attempt().take([Use(limit, account_subject(account_id))])
