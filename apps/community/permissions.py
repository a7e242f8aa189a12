"""Who may delete and who decides about reports; asks the database, so that lost rights are lost at once."""

from apps.accounts.actors import Actor, Operator
from apps.accounts.permissions import is_administrator
from apps.accounts.selectors.own_account import member_for


def can_delete(actor: Actor, author_id: int | None) -> bool:
    """Whether `actor` may delete what that author wrote: one's own, or anybody's for an administrator."""
    if isinstance(actor, Operator) or actor.id is None or actor.id != author_id:
        return is_administrator(actor)
    return member_for(user_id=author_id) is not None


def can_moderate(actor: Actor) -> bool:
    """Whether `actor` may decide about what was reported."""
    return is_administrator(actor)
