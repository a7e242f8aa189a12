"""The locks of accounts."""

from collections.abc import Collection

from django.db import connection

from apps.accounts.models import User


def account_lock(*, user_id: int | None) -> bool:
    """Lock the account until the transaction ends; returns whether it exists and is active.

    Call it before anything else is written: deleting an account locks its row first too, so that there is no deadlock.
    """
    if user_id is None:
        return False
    found = User.objects.select_for_update(no_key=True).filter(pk=user_id, is_active=True)
    return found.values_list("pk", flat=True).first() is not None


def accounts_lock(*, user_ids: Collection[int]) -> None:
    """Lock these accounts until the transaction ends, open or closed, for who stores what is theirs in their place.

    Call it before anything else is locked, as `account_lock`.
    """
    list(User.objects.select_for_update(no_key=True).filter(pk__in=user_ids).order_by("pk").values_list("pk"))


def accounts_hold(*, user_ids: Collection[int]) -> None:
    """Keep these accounts from being deleted until the transaction ends, for who writes rows that refer to them.

    Their owners may write meanwhile. Call it before anything else of theirs is locked, as `account_lock`.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM users WHERE id = ANY(%s) ORDER BY id FOR KEY SHARE", [list(user_ids)])
