"""The competition's tables."""

from .participants import Participant, Performance
from .programs import Piece, ProgramEntry
from .sessions import PerformingTime, Session, SessionParticipant, Stage
from .undo import ProgramUndo

__all__ = [
    "Participant",
    "Performance",
    "PerformingTime",
    "Piece",
    "ProgramEntry",
    "ProgramUndo",
    "Session",
    "SessionParticipant",
    "Stage",
]
