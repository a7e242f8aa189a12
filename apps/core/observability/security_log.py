"""The security log (logger `parterre.security`): a line for each event; events that anybody can cause are counted.

A line has event and reason in fixed words, the account's number and the client's address where known; never an e-mail
address, a password, a token or anything else that was typed.
"""

import logging
import threading

from apps.core.observability.request_context import current_context

log = logging.getLogger("parterre.security")
KINDS = 200  # that are counted apart within a minute

_counts: dict[tuple[str, str], int] = {}
_lock = threading.Lock()


def security_event(event: str, *, account: int | None = None, reason: str = "") -> None:
    """Write a line about an event of a signed-in person."""
    _write(logging.INFO, event, account=account, reason=reason)


def security_count(event: str, *, account: int | None = None, reason: str = "", client: str = "") -> None:
    """Count an event that any stranger can cause; the first of its kind in a minute is written at once.

    `client` is an address as `address_key` returns it, for work that belongs to no request.
    """
    kind = (event, reason)
    with _lock:
        if kind not in _counts and len(_counts) >= KINDS:
            kind = (event, "")
        is_counted = kind in _counts
        _counts[kind] = _counts.get(kind, -1) + 1
    if not is_counted:
        _write(logging.WARNING, event, account=account, reason=kind[1], client=client)


def security_counts_write() -> None:
    """Write a line for each kind that was counted since the last call; the process calls it each minute."""
    with _lock:
        counts = dict(_counts)
        _counts.clear()
    for (event, reason), count in counts.items():
        if count:
            _write(logging.WARNING, event, reason=reason, more=count)


def _write(
    level: int, event: str, *, account: int | None = None, reason: str = "", client: str = "", more: int | None = None
) -> None:
    context = current_context()
    known = {"account": account or context.user_id, "client": client or context.client} if more is None else {}
    log.log(level, event, extra={**known, "reason": reason, "more": more})
