"""Reads for administrators: lists with search and pages, forms with the version that was read."""

from .live import LiveDesk, LiveState, following, live_desk, live_state
from .participants import (
    ParticipantEdit,
    ParticipantOption,
    ParticipantRow,
    participant_edit,
    participant_fields,
    participant_options,
    participants_admin,
)
from .pieces import PieceGroup, PieceRow, pieces_by_category
from .places import PlaceRow, places_attached, places_of
from .programs import EntryRow, ProgramRow, SlotRow, link_fields, programs_admin
from .sessions import (
    SessionEdit,
    SessionRow,
    StageOption,
    session_edit,
    session_fields,
    sessions_admin,
    stage_options,
)

__all__ = [
    "EntryRow",
    "LiveDesk",
    "LiveState",
    "ParticipantEdit",
    "ParticipantOption",
    "ParticipantRow",
    "PieceGroup",
    "PieceRow",
    "PlaceRow",
    "ProgramRow",
    "SessionEdit",
    "SessionRow",
    "SlotRow",
    "StageOption",
    "following",
    "link_fields",
    "live_desk",
    "live_state",
    "participant_edit",
    "participant_fields",
    "participant_options",
    "participants_admin",
    "pieces_by_category",
    "places_attached",
    "places_of",
    "programs_admin",
    "session_edit",
    "session_fields",
    "sessions_admin",
    "stage_options",
]
