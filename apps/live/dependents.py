"""This app's dependents of sessions (`apps/competition/dependents.py`)."""

from apps.competition.dependents import Dependents, session_register
from apps.live.selectors import audience_of

WHAT_GOES = "What the audience said and showed would go. Comments: %(comments)d, reactions: %(reactions)d."


def dependents_register() -> None:
    """Register comments and reactions as dependents of sessions."""
    session_register(_dependents)


def _dependents(session_id: int) -> Dependents | None:
    comments, reactions = audience_of(session_id=session_id)
    return Dependents(WHAT_GOES, {"comments": comments, "reactions": reactions}) if comments or reactions else None
