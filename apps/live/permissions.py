"""Permissions of comments, read from the database at each call."""

from apps.accounts.actors import Actor, Operator
from apps.accounts.permissions import is_administrator
from apps.accounts.selectors.own_account import member_for


def can_delete_comment(actor: Actor, author_id: int) -> bool:
    """Return whether `actor` may delete a comment of `author_id`: the author, if active, or an administrator."""
    if isinstance(actor, Operator) or actor.id != author_id:
        return is_administrator(actor)
    return member_for(user_id=author_id) is not None
