"""Whether accounts still stand, for services that read their actors again."""

from collections.abc import Collection
from datetime import datetime

from apps.accounts.models import User


def member_since(*, user_id: int | None) -> datetime | None:
    """Return when the account was made, or None when there is none or it is inactive. One query."""
    if user_id is None:
        return None
    return User.objects.filter(pk=user_id, is_active=True).values_list("created_at", flat=True).first()


def accounts_active(*, user_ids: Collection[int]) -> frozenset[int]:
    """Return those of these accounts that exist and are active. One query."""
    return frozenset(User.objects.filter(pk__in=user_ids, is_active=True).values_list("id", flat=True))
