"""Writes of the competition: each loads, locks, authorises, writes and announces in one transaction."""

from .catalogue import catalogue_load
from .live import performer_clear, performer_set, session_end, session_set_live
from .participants import participant_create, participant_update
from .programs import NewEntry, program_add, program_entry_add
from .sessions import place_add, session_create, session_update, stage_create

__all__ = [
    "NewEntry",
    "catalogue_load",
    "participant_create",
    "participant_update",
    "performer_clear",
    "performer_set",
    "place_add",
    "program_add",
    "program_entry_add",
    "session_create",
    "session_end",
    "session_set_live",
    "session_update",
    "stage_create",
]
