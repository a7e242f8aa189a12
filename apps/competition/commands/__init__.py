"""Commands of the competition, by noun; importing this package registers them."""

from apps.competition.commands import live, participants, pieces, program_entries, sessions, stages

__all__ = ["live", "participants", "pieces", "program_entries", "sessions", "stages"]
