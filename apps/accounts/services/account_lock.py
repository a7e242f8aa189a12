"""One thing at a time for one account."""

from apps.accounts.models import User


def account_lock(*, user_id: int | None) -> bool:
    """Let nobody else act for this account, or delete it, until the transaction ends; returns whether it is active.

    To be called before anything else is written: deleting an account locks its row first as well, so that neither waits
    for the other in a circle.
    """
    if user_id is None:
        return False
    found = User.objects.select_for_update(no_key=True).filter(pk=user_id, is_active=True)
    return found.values_list("pk", flat=True).first() is not None
