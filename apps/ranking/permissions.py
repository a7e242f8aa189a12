"""Permissions of the ranking, read from the database at each call."""

from apps.accounts.actors import Actor
from apps.accounts.permissions import is_administrator


def can_administer_ranking(actor: Actor) -> bool:
    """Whether `actor` may close rankings, see unusual marks and decide about their accounts."""
    return is_administrator(actor)
