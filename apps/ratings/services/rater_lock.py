"""The lock of a rater's account."""

from apps.accounts.actors import Actor, Viewer
from apps.accounts.services.account_lock import account_lock
from apps.core.permissions import require


def rater_require(actor: Actor, message: str) -> int:
    """Return the id of the actor's active account, locked until the transaction ends.

    Raises PermissionDenied with `message` for strangers, operators, and inactive or deleted accounts.
    """
    user_id = actor.id if isinstance(actor, Viewer) else None
    require(account_lock(user_id=user_id), message)
    return user_id or 0
