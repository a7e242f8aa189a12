"""Writes of imports."""

from .programs import ProgramAssigned, program_assign, program_text_clear, program_text_store

__all__ = ["ProgramAssigned", "program_assign", "program_text_clear", "program_text_store"]
