"""Permissions of ratings, read from the database on each call."""

from apps.accounts.actors import Actor, Viewer
from apps.accounts.permissions import is_administrator
from apps.accounts.selectors.sessions import viewer_get


def can_moderate(actor: Actor) -> bool:
    """Return whether `actor` may approve, reject and delete the ratings of others."""
    return is_administrator(actor)


def can_delete(actor: Actor, author_id: int) -> bool:
    """Return whether `actor` is this signed-in author or a moderator, who may delete the author's ratings."""
    if isinstance(actor, Viewer) and actor.id == author_id:
        return viewer_get(user_id=actor.id).is_signed_in
    return can_moderate(actor)
