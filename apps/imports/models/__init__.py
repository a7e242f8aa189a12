"""The tables of imports."""

from .participant_files import MadeRow, ParticipantImport, ParticipantImportRow

__all__ = ["MadeRow", "ParticipantImport", "ParticipantImportRow"]
