"""Participants, stages, sessions, performances, pieces and programs."""

from apps.competition.models.participants import Participant, Performance, validate_birth_year
from apps.competition.models.programs import Piece, ProgramEntry, ProgramUndo
from apps.competition.models.sessions import (
    VIDEO_ID,
    CalendarEntry,
    PerformingTime,
    Session,
    SessionInterval,
    SessionParticipant,
    Stage,
    StageAdvancement,
    stage_name_key,
)

__all__ = (
    "VIDEO_ID",
    "CalendarEntry",
    "Participant",
    "Performance",
    "PerformingTime",
    "Piece",
    "ProgramEntry",
    "ProgramUndo",
    "Session",
    "SessionInterval",
    "SessionParticipant",
    "Stage",
    "StageAdvancement",
    "stage_name_key",
    "validate_birth_year",
)
