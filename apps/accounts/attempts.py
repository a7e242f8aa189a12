"""Rate limits of attempts by account, address and client (`apps/accounts/limits.py`), also counted after a rollback."""

import time
from collections.abc import Collection, Mapping
from types import SimpleNamespace
from typing import Any, cast

from allauth.core.internal import ratelimit as allauths
from django.core.cache import cache
from django.db import connection
from django.http import HttpRequest
from django.utils.crypto import salted_hmac

from apps.accounts.limits import (
    GOOGLE_CLIENT,
    REGISTRATION_MAILS,
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
from apps.core.observability import factor
from apps.core.rate_limits import Attempt, Use, account_subject

DIGEST, SOURCE = 32, 24  # characters of a digest in a rate limit's subject: an address or client, and its source
# A digest is hexadecimal, so a range up to digest + "g" contains all subjects that begin with it.
_LOCKED = """
SELECT DISTINCT wanted.digest FROM unnest(%s::text[]) AS wanted (digest)
JOIN rate_limits AS used ON used.subject >= wanted.digest AND used.subject < wanted.digest || 'g'
JOIN unnest(%s::text[], %s::int[], %s::float8[]) AS most (name, amount, longest) ON most.name = used.name
WHERE (
    SELECT count(*) FROM unnest(used.back_at) AS at
    WHERE at > statement_timestamp() AND at <= statement_timestamp() + make_interval(secs => most.longest)
) >= most.amount
"""
_FORGET = "DELETE FROM rate_limits WHERE subject >= %s AND subject < %s || 'g'"

# allauth counts by the database's clock too, so that a process with a wrong clock locks out no user.
cast("Any", allauths).time = SimpleNamespace(time=counters_now, monotonic=time.monotonic, sleep=time.sleep)


def folded_address(email: str) -> str:
    """Return an e-mail address in the form that a sign-in compares: stripped and in lower case."""
    return email.strip().lower()


def _digest(subject: str) -> str:
    """Return the stored digest of an address or client."""
    return salted_hmac("parterre.limits", subject, algorithm="sha256").hexdigest()[:DIGEST]


def _use(limit: RateLimit, address: str, source: str = "") -> Use:
    """Return the use of a limit by an address, optionally from one client or browser, its `source`.

    All subjects of an address begin with its digest, so that a range query finds them (`attempts_forget`).
    """
    return Use(limit, _digest(address) + (_digest(f"{source} {address}")[:SOURCE] if source else ""))


def _client(limit: RateLimit, client: str) -> Use:
    return Use(limit, _digest(client), factor(client))


def _sign_in(email: str, client: str, browser: str) -> list[Use]:
    address = folded_address(email)
    if browser:
        own = [_use(SIGN_IN_KNOWN, address, browser)]
    else:
        own = [_use(SIGN_IN_HERE, address, client), _use(SIGN_IN_STRANGE, address)]
    return [*own, *(_client(limit, client) for limit in SIGN_IN_CLIENT)]


def sign_in_attempt(*, email: str, client: str, browser: str) -> Attempt:
    """Count a sign-in. `browser` is the id of a browser that has signed in to this address before. Raises TooMany."""
    return Attempt().take(_sign_in(email, client, browser))


def sign_in_forgive(*, email: str, client: str) -> None:
    """Reset the failed sign-ins of an address from this client and from unknown browsers, after a password reset."""
    for use in (_use(SIGN_IN_HERE, folded_address(email), client), _use(SIGN_IN_STRANGE, folded_address(email))):
        use.forget()


def locked_out(emails: Mapping[int, str]) -> frozenset[int]:
    """Return the locked accounts among these: by sign-ins from any source, or by wrong codes. One query.

    `emails` maps account ids to addresses.
    """
    digests = {_digest(folded_address(email)): account for account, email in emails.items()}
    with connection.cursor() as cursor:
        limits = [(each.name, each.amount, each.longest) for each in (SIGN_IN_HERE, SIGN_IN_KNOWN, SIGN_IN_STRANGE)]
        cursor.execute(_LOCKED, [list(digests), *map(list, zip(*limits, strict=True))])
        locked = {digests[digest] for (digest,) in cursor.fetchall()}
    keys = {key: (account, rate) for account in emails for key, rate in _codes(account)}
    counted, now = cache.get_many(keys), counters_now()
    for key, history in counted.items():
        account, rate = keys[key]
        if not allauths.apply_rate(history, now, rate, dry_run=True)[0]:
            locked.add(account)
    return frozenset(locked)


def attempts_forget(*, account_id: int, email: str) -> bool:
    """Reset the counted sign-ins of an account from all sources, and its wrong codes; return whether there were any."""
    digest = _digest(folded_address(email))
    with connection.cursor() as cursor:
        cursor.execute(_FORGET, [digest, digest])
        forgotten = cursor.rowcount > 0
    codes = [cache.delete(key) for key, _ in _codes(account_id)]
    return forgotten or any(codes)


def _codes(account_id: int) -> list[tuple[str, Any]]:
    """Return the cache keys under which allauth counts wrong codes of an account, each with its rate."""
    counted: dict[str, Any] = {"app": "allauth.account", "action": "login_failed"}
    name, request = f"mfa-auth-user-{account_id}", HttpRequest()
    return [
        (allauths.get_cache_key(request, **counted, rate=rate, key=name), rate)
        for rate in allauths.get_rates(**counted)
    ]


def sign_up_attempt(*, email: str, client: str) -> None:
    """Count a sign-up and its mail, whether or not the address is known. Raises TooMany."""
    Attempt().take([_client(SIGN_UP_CLIENT, client), _use(REGISTRATION_MAILS, folded_address(email))])


def registration_attempt(*, emails: Collection[str], client: str) -> None:
    """Count another mail of a registration at each of these addresses, whether or not they are known. Raises TooMany.

    The order of the addresses is always the same, so that concurrent attempts cannot deadlock.
    """
    addresses = sorted({folded_address(email) for email in emails})
    Attempt().take([_client(VERIFY_CLIENT, client), *(_use(REGISTRATION_MAILS, address) for address in addresses)])


def reset_attempt(*, email: str, client: str) -> None:
    """Count a request for a reset link, whether or not the address is known. Raises TooMany."""
    Attempt().take([*(_use(limit, folded_address(email)) for limit in RESET_ADDRESS), _client(RESET_CLIENT, client)])


def sign_in_link_attempt(*, email: str, client: str) -> None:
    """Count a request for a sign-in link, whether or not the address is known. Raises TooMany."""
    address = (_use(limit, folded_address(email)) for limit in SIGN_IN_LINK_ADDRESS)
    Attempt().take([*address, _client(SIGN_IN_LINK_CLIENT, client)])


def verify_attempt(*, client: str) -> None:
    """Count a request for another confirmation link. Raises TooMany."""
    Attempt().take([_client(VERIFY_CLIENT, client)])


def google_attempt(*, client: str) -> None:
    """Count the start of a sign-in with Google, which stores a row. Raises TooMany."""
    Attempt().take([_client(GOOGLE_CLIENT, client)])


def client_attempt(limit: RateLimit, *, client: str) -> None:
    """Count an attempt of a client, as `client_of` returns it. Raises TooMany."""
    Attempt().take([_client(limit, client)])


def account_attempt(limit: RateLimit, *, account_id: int) -> None:
    """Count an attempt of an account. Raises TooMany."""
    Attempt().take([Use(limit, account_subject(account_id))])
