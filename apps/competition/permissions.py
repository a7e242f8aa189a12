"""Who may do what in the competition; each asks the database, so that lost rights are lost at once."""

from apps.accounts.actors import Actor
from apps.accounts.permissions import is_administrator


def can_run_sessions(actor: Actor) -> bool:
    """Whether `actor` may set sessions live and choose who is on stage."""
    return is_administrator(actor)


def can_edit_competition(actor: Actor) -> bool:
    """Whether `actor` may write stages, sessions, participants, pieces and programs."""
    return is_administrator(actor)
