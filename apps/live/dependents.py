"""What this app answers when a session is to go (`apps/competition/dependents.py`)."""

from apps.competition.dependents import Held, session_register
from apps.live.selectors import audience_of

WHAT_GOES = "What the audience said and showed would go. Comments: %(comments)d, reactions: %(reactions)d."


def holding_register() -> None:
    """Have the competition ask before it deletes a session on which somebody commented, or to which one reacted."""
    session_register(_held)


def _held(session_id: int) -> Held | None:
    comments, reactions = audience_of(session_id=session_id)
    return Held(WHAT_GOES, {"comments": comments, "reactions": reactions}) if comments or reactions else None
