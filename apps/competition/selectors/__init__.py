"""Reads of the competition: frozen results, the same for every viewer."""

from .participants import (
    participant_countries,
    participant_featured,
    participant_get,
    participant_ids,
    participant_list,
)
from .programs import piece_title, place_program
from .results import (
    LiveNow,
    ParticipantCard,
    ParticipantDetail,
    PerformanceOf,
    PieceTitle,
    Place,
    PlaceProgram,
    ProgramLine,
    SessionCard,
    SessionDetail,
)
from .sessions import (
    live_now,
    live_session,
    participant_performances,
    participant_place_ids,
    session_get,
    session_ids,
    session_list,
    session_places,
)

__all__ = [
    "LiveNow",
    "ParticipantCard",
    "ParticipantDetail",
    "PerformanceOf",
    "PieceTitle",
    "Place",
    "PlaceProgram",
    "ProgramLine",
    "SessionCard",
    "SessionDetail",
    "live_now",
    "live_session",
    "participant_countries",
    "participant_featured",
    "participant_get",
    "participant_ids",
    "participant_list",
    "participant_performances",
    "participant_place_ids",
    "piece_title",
    "place_program",
    "session_get",
    "session_ids",
    "session_list",
    "session_places",
]
