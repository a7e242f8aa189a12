"""Participants, stages, sessions, performances, pieces and programs."""

from apps.competition.models.participants import ImportedPerformance, Participant, validate_birth_year
from apps.competition.models.prizes import Prize, PrizeList, PrizeRecipient
from apps.competition.models.programs import (
    CatalogueLoad,
    Piece,
    PiecePart,
    ProgramEntry,
    ProgramPart,
    ProgramUndo,
    SlotAllowance,
    StageSlot,
)
from apps.competition.models.sessions import (
    VIDEO_ID,
    Appearance,
    CalendarEntry,
    PerformingTime,
    Piano,
    Session,
    SessionInterval,
    SessionWithdrawal,
    Stage,
    StageAdvancement,
    stage_name_key,
)

__all__ = (
    "VIDEO_ID",
    "Appearance",
    "CalendarEntry",
    "CatalogueLoad",
    "ImportedPerformance",
    "Participant",
    "PerformingTime",
    "Piano",
    "Piece",
    "PiecePart",
    "Prize",
    "PrizeList",
    "PrizeRecipient",
    "ProgramEntry",
    "ProgramPart",
    "ProgramUndo",
    "Session",
    "SessionInterval",
    "SessionWithdrawal",
    "SlotAllowance",
    "Stage",
    "StageAdvancement",
    "StageSlot",
    "stage_name_key",
    "validate_birth_year",
)
