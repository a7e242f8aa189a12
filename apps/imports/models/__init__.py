"""The tables of imports."""

from .participant_files import ImportCreation, ParticipantImport, ParticipantImportRow
from .program_texts import ProgramText

__all__ = [
    "ImportCreation",
    "ParticipantImport",
    "ParticipantImportRow",
    "ProgramText",
]
