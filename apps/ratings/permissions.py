"""Permissions of ratings, read from the database each time."""

from apps.accounts.actors import Actor, Viewer
from apps.accounts.permissions import is_administrator
from apps.accounts.selectors.sessions import viewer_get


def can_moderate(actor: Actor) -> bool:
    """Whether `actor` may approve, reject and delete anybody's ratings."""
    return is_administrator(actor)


def can_delete(actor: Actor, author_id: int) -> bool:
    """Whether `actor` may delete a rating of this author: the author does, and whoever moderates."""
    if isinstance(actor, Viewer) and actor.id == author_id:
        return viewer_get(user_id=actor.id).is_signed_in
    return can_moderate(actor)
