"""Who may rate, one at a time."""

from apps.accounts.actors import Actor, Viewer
from apps.accounts.services.account_lock import account_lock
from apps.core.permissions import require


def rater_require(actor: Actor, message: str) -> int:
    """Return the id of the active account that acts, held until the transaction ends.

    Raises PermissionDenied with `message` for strangers, for accounts that are inactive or gone, and for operators, who
    have no opinion.
    """
    user_id = actor.id if isinstance(actor, Viewer) else None
    require(account_lock(user_id=user_id), message)
    return user_id or 0
