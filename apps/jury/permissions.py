"""Permissions of the jury's sheets, read from the database at each call."""

from apps.accounts.actors import Actor
from apps.accounts.permissions import is_administrator


def can_edit_jury(actor: Actor) -> bool:
    """Whether `actor` may import, publish and take back the jury's marks."""
    return is_administrator(actor)
