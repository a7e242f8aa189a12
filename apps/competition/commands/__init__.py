"""What administrators do about the competition, by noun; importing this registers it."""

from apps.competition.commands import live, participants, pieces, program_entries, sessions

__all__ = ["live", "participants", "pieces", "program_entries", "sessions"]
