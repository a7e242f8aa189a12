"""Permissions of the community, read from the database on each call, so that revoked rights end at once."""

from apps.accounts.actors import Actor, Operator
from apps.accounts.permissions import is_administrator
from apps.accounts.selectors.own_account import member_for


def can_delete(actor: Actor, author_id: int | None) -> bool:
    """Return whether `actor` may delete texts of this author: the author or an administrator."""
    if isinstance(actor, Operator) or actor.id is None or actor.id != author_id:
        return is_administrator(actor)
    return member_for(user_id=author_id) is not None


def can_moderate(actor: Actor) -> bool:
    """Return whether `actor` may decide about reported texts."""
    return is_administrator(actor)
