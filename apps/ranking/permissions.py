"""Permissions of the ranking, read from the database each time."""

from apps.accounts.actors import Actor
from apps.accounts.permissions import is_administrator


def can_administer_ranking(actor: Actor) -> bool:
    """Whether `actor` may close a ranking, see whose marks do not count yet, and let single accounts out."""
    return is_administrator(actor)
