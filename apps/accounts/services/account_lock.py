"""The lock of an account."""

from apps.accounts.models import User


def account_lock(*, user_id: int | None) -> bool:
    """Lock the account until the transaction ends; returns whether it exists and is active.

    Call it before anything else is written: deleting an account locks its row first too, so that there is no deadlock.
    """
    if user_id is None:
        return False
    found = User.objects.select_for_update(no_key=True).filter(pk=user_id, is_active=True)
    return found.values_list("pk", flat=True).first() is not None
