"""Permissions of the ranking, read from the database at each call."""

from apps.accounts.actors import Actor
from apps.accounts.permissions import is_administrator


def can_administer_ranking(actor: Actor) -> bool:
    """Whether `actor` may close rankings, see the accounts in quarantine and release them."""
    return is_administrator(actor)
