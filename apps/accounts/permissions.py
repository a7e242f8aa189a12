"""What an account may do, read from the database each time: a page may be older than the account's rights."""

from django.core.exceptions import PermissionDenied

from .actors import Actor, Operator, Viewer
from .models import User


def is_administrator(actor: Actor) -> bool:
    """Whether `actor` is an active administrator now, or the operator of this machine."""
    if isinstance(actor, Operator):
        return True
    return actor.id is not None and User.objects.filter(pk=actor.id, is_active=True, is_admin=True).exists()


def account_required(actor: Viewer) -> int:
    """Return the id of the account that acts. Raises PermissionDenied for a stranger."""
    if actor.id is None:
        raise PermissionDenied("Not authenticated")
    return actor.id
