"""Permissions of the competition, read from the database at each call."""

from apps.accounts.actors import Actor
from apps.accounts.permissions import is_administrator


def can_run_sessions(actor: Actor) -> bool:
    """Whether `actor` may set sessions live and choose the performer."""
    return is_administrator(actor)


def can_edit_competition(actor: Actor) -> bool:
    """Whether `actor` may write stages, sessions, participants, pieces and programs."""
    return is_administrator(actor)
