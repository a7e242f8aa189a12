"""The competition's tables."""

from .participants import Participant, Performance
from .programs import Piece, ProgramEntry
from .sessions import Session, SessionParticipant, Stage

__all__ = ["Participant", "Performance", "Piece", "ProgramEntry", "Session", "SessionParticipant", "Stage"]
