"""The tables of imports."""

from .program_texts import ProgramText

__all__ = ["ProgramText"]
