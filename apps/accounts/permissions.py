"""What an account may do, read from the database each time: a page may be older than the account's rights."""

from .actors import Actor, Operator
from .models import User


def is_administrator(actor: Actor) -> bool:
    """Whether `actor` is an active administrator now, or the operator of this machine."""
    if isinstance(actor, Operator):
        return True
    return actor.id is not None and User.objects.filter(pk=actor.id, is_active=True, is_admin=True).exists()
