"""Permissions of the news."""

from apps.accounts.actors import Actor
from apps.accounts.permissions import is_administrator


def can_edit_news(actor: Actor) -> bool:
    """Return whether `actor` may create, change and delete articles."""
    return is_administrator(actor)
