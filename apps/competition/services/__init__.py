"""Writes of the competition: each loads, locks, authorises, writes and announces in one transaction."""

from apps.competition.services.appearances import appearance_add
from apps.competition.services.live_steps import LiveStep, live_undo_read
from apps.competition.services.program_changes import PiecesRated
from apps.competition.services.program_entries import (
    program_entry_link,
    program_entry_move,
    program_entry_remove,
    program_select,
)
from apps.competition.services.program_locks import programs_hold
from apps.competition.services.program_undo import program_keep, program_undo, program_undos_prune
from apps.competition.services.start_times import venue_moment

from .catalogue import catalogue_load
from .live import (
    live_restore,
    performer_clear,
    performer_next,
    performer_set,
    session_end,
    session_set_live,
)
from .participant_batches import (
    NewParticipant,
    NewPiece,
    participants_add,
    participants_remove,
    pieces_add,
    pieces_remove,
)
from .participants import participant_create, participant_delete, participant_update, participants_lock
from .pieces import piece_add, piece_delete, piece_update
from .programs import NewEntry, program_add, program_replace
from .sessions import session_create, session_delete, session_update
from .stages import stage_archive, stage_create, stage_delete, stage_field_set, stage_move, stage_update

__all__ = [
    "LiveStep",
    "NewEntry",
    "NewParticipant",
    "NewPiece",
    "PiecesRated",
    "appearance_add",
    "catalogue_load",
    "live_restore",
    "live_undo_read",
    "participant_create",
    "participant_delete",
    "participant_update",
    "participants_add",
    "participants_lock",
    "participants_remove",
    "performer_clear",
    "performer_next",
    "performer_set",
    "piece_add",
    "piece_delete",
    "piece_update",
    "pieces_add",
    "pieces_remove",
    "program_add",
    "program_entry_link",
    "program_entry_move",
    "program_entry_remove",
    "program_keep",
    "program_replace",
    "program_select",
    "program_undo",
    "program_undos_prune",
    "programs_hold",
    "session_create",
    "session_delete",
    "session_end",
    "session_set_live",
    "session_update",
    "stage_archive",
    "stage_create",
    "stage_delete",
    "stage_field_set",
    "stage_move",
    "stage_update",
    "venue_moment",
]
