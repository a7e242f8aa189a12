"""Who may stop and start the demo."""

from apps.accounts.actors import Actor
from apps.accounts.permissions import is_administrator


def can_run_demo(actor: Actor) -> bool:
    """Whether `actor` may stop and start the demo."""
    return is_administrator(actor)
