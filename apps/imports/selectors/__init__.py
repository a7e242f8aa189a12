"""Reads of imports: frozen results."""

from .catalogue import catalogue_get, catalogue_piece
from .program_texts import ProgramPreview, program_leaving, program_preview, program_text_get, program_texts_own

__all__ = [
    "ProgramPreview",
    "catalogue_get",
    "catalogue_piece",
    "program_leaving",
    "program_preview",
    "program_text_get",
    "program_texts_own",
]
