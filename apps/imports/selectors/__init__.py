"""Reads of imports: frozen results."""

from .catalogue import catalogue_get, catalogue_piece
from .participant_files import (
    FileExport,
    ImportCounts,
    ImportRow,
    ImportShown,
    ImportSummary,
    SavedImport,
    import_get,
    import_pending,
    import_row,
    import_rows,
    imports_own,
    imports_saved,
    participants_export,
    plan_basis,
)
from .program_texts import (
    ProgramPreview,
    program_assigned_to,
    program_leaving,
    program_preview,
    program_text_get,
    program_texts_own,
)

__all__ = [
    "FileExport",
    "ImportCounts",
    "ImportRow",
    "ImportShown",
    "ImportSummary",
    "ProgramPreview",
    "SavedImport",
    "catalogue_get",
    "catalogue_piece",
    "import_get",
    "import_pending",
    "import_row",
    "import_rows",
    "imports_own",
    "imports_saved",
    "participants_export",
    "plan_basis",
    "program_assigned_to",
    "program_leaving",
    "program_preview",
    "program_text_get",
    "program_texts_own",
]
