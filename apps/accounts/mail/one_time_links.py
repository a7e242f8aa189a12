"""Links that a mail brings: each works once, for one purpose, until it is too old by PostgreSQL's clock.

The table holds digests of the keys, so whoever reads it can open nothing.
"""

import secrets
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256

from django.db import transaction
from django.db.models import QuerySet, Value
from django.db.models.functions import Now

from apps.accounts.models import OneTimeLink, User
from apps.accounts.session_store import later
from apps.core.limits import DAY, HOUR

KEY_BYTES = 32


@dataclass(frozen=True, slots=True)
class Purpose:
    """What a link is for, and for how many seconds it works."""

    name: str
    age: int


PASSWORD_RESET = Purpose("password_reset", HOUR)
EMAIL_CONFIRMATION = Purpose("email_confirmation", DAY)
FIRST_FACTOR = Purpose("first_factor", HOUR)
SIGN_IN = Purpose("sign_in", HOUR)
REGISTERED_BROWSER = Purpose("registered_browser", DAY)  # a cookie's key, mailed to nobody


def link_create(*, purpose: Purpose, account_id: int, next_path: str = "") -> str:
    """Store a new link of this account and return its key, which only the mail contains.

    `next_path` is where it leads in the end.
    """
    key = secrets.token_urlsafe(KEY_BYTES)
    ends = later(Now(), Value(timedelta(seconds=purpose.age)))
    OneTimeLink.objects.create(
        digest=_digest(key), purpose=purpose.name, user_id=account_id, expires_at=ends, next_path=next_path
    )
    return key


def link_account(*, purpose: Purpose, key: str) -> int | None:
    """Return the id of the active account whose link still works, else None; nothing changes. One query."""
    return _usable(purpose, key).values_list("user_id", flat=True).first()


def link_next_path(*, purpose: Purpose, key: str) -> str:
    """Return where a link that still works leads in the end, empty when nothing is said. One query."""
    return _usable(purpose, key).values_list("next_path", flat=True).first() or ""


@transaction.atomic
def link_use(*, purpose: Purpose, key: str) -> int | None:
    """Use a link up, and every other of its purpose with it; return the account's id, None when it works no longer."""
    account_id = link_account(purpose=purpose, key=key)
    if account_id is None:
        return None
    User.objects.select_for_update(no_key=True).filter(pk=account_id).first()  # one link of an account after the other
    if not _usable(purpose, key).exists():
        return None
    OneTimeLink.objects.filter(user_id=account_id, purpose=purpose.name).delete()
    return account_id


def links_forget(*, account_id: int, purpose: Purpose) -> None:
    """Delete this account's links of this purpose."""
    OneTimeLink.objects.filter(user_id=account_id, purpose=purpose.name).delete()


@transaction.atomic
def links_prune() -> int:
    """Delete links that are too old; return how many."""
    pruned, _ = OneTimeLink.objects.filter(expires_at__lt=Now()).delete()
    return pruned


def _usable(purpose: Purpose, key: str) -> "QuerySet[OneTimeLink]":
    digest = _digest(key)
    return OneTimeLink.objects.filter(digest=digest, purpose=purpose.name, expires_at__gt=Now(), user__is_active=True)


def _digest(key: str) -> str:
    return sha256(key.encode("utf-8", "replace")).hexdigest()
