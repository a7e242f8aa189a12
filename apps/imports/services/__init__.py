"""Writes of imports."""

from .participant_files import (
    import_category_set,
    import_clear,
    import_encoding_set,
    import_person_set,
    import_piece_leave_out,
    imports_prune,
    participant_file_read,
    participant_file_store,
)
from .participant_saving import import_save
from .participant_undo import import_undo
from .programs import ProgramAssigned, program_assign, program_text_clear, program_text_store

__all__ = [
    "ProgramAssigned",
    "import_category_set",
    "import_clear",
    "import_encoding_set",
    "import_person_set",
    "import_piece_leave_out",
    "import_save",
    "import_undo",
    "imports_prune",
    "participant_file_read",
    "participant_file_store",
    "program_assign",
    "program_text_clear",
    "program_text_store",
]
