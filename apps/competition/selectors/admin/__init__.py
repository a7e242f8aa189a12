"""Reads for administrators: lists with search and pages, forms with the version that was read."""

from apps.competition.selectors.admin.appearances import AppearanceRow, appearances_of
from apps.competition.selectors.admin.live import LiveControl, LiveState, following, live_control_get, live_state
from apps.competition.selectors.admin.participants import (
    ParticipantEdit,
    ParticipantOption,
    ParticipantRow,
    participant_edit,
    participant_fields,
    participant_options,
    participants_admin,
)
from apps.competition.selectors.admin.pieces import (
    PieceChoice,
    PieceGroup,
    PieceRow,
    pieces_by_category,
    pieces_to_choose,
)
from apps.competition.selectors.admin.programs import (
    EntryRow,
    ProgramRow,
    SlotRow,
    link_fields,
    program_admin,
    programs_admin,
)
from apps.competition.selectors.admin.sessions import (
    SessionEdit,
    SessionOption,
    SessionRow,
    StageOption,
    session_edit,
    session_fields,
    session_options,
    session_values,
    sessions_admin,
    stage_options,
)

__all__ = [
    "AppearanceRow",
    "EntryRow",
    "LiveControl",
    "LiveState",
    "ParticipantEdit",
    "ParticipantOption",
    "ParticipantRow",
    "PieceChoice",
    "PieceGroup",
    "PieceRow",
    "ProgramRow",
    "SessionEdit",
    "SessionOption",
    "SessionRow",
    "SlotRow",
    "StageOption",
    "appearances_of",
    "following",
    "link_fields",
    "live_control_get",
    "live_state",
    "participant_edit",
    "participant_fields",
    "participant_options",
    "participants_admin",
    "pieces_by_category",
    "pieces_to_choose",
    "program_admin",
    "programs_admin",
    "session_edit",
    "session_fields",
    "session_options",
    "session_values",
    "sessions_admin",
    "stage_options",
]
