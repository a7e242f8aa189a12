"""The calls of the selectors that the general tests make on a large database."""

from collections.abc import Mapping

from apps.competition.selectors.admin.programs import program_admin
from apps.imports import selectors as imports
from tests.apps.busy_session import ADMIN, APPEARANCE, SESSION
from tests.apps.reads import EXPORT, Read


def _leaving() -> object:
    program = program_admin(appearance_id=APPEARANCE)
    assert program is not None
    return imports.program_leaving(program=program, lines=())


JURY_FILE = "stage,start_number,participant,juror,score,recused_student\n1,1,Zofia Nowak,Juror One,20,"
OF_A_FILE = "the rows of one file are put in order, 10,000 at most: rows that cannot be saved come first"

READS: Mapping[str, list[Read]] = {
    "catalogue_get": [Read(imports.catalogue_get)],
    "import_get": [Read(lambda: imports.import_get(import_id=2001))],
    "import_pending": [Read(lambda user=user: imports.import_pending(user_id=user)) for user in (ADMIN, 2)],
    "import_refused": [Read(lambda user=user: imports.import_refused(user_id=user)) for user in (ADMIN, 2)],
    "import_rows": [
        Read(lambda: imports.import_rows(import_id=2001), 10_000, OF_A_FILE),
        Read(lambda: imports.import_rows(import_id=2001, after=9000), 10_000, OF_A_FILE),
    ],
    "import_row": [Read(lambda: imports.import_row(import_id=2001, position=7))],
    "imports_existing": [Read(lambda: imports.imports_existing(ids=(1, 2001, 10**9)))],
    "imports_own": [Read(lambda: imports.imports_own(user_id=ADMIN), 2000, EXPORT)],
    "imports_saved": [Read(imports.imports_saved)],
    "participants_export": [Read(lambda: imports.participants_export(session_id=SESSION))],
    "jury_file_get": [Read(lambda: imports.jury_file_get(user_id=ADMIN))],
    "jury_files_own": [Read(lambda: imports.jury_files_own(user_id=ADMIN))],
    "jury_preview": [
        Read(
            lambda: imports.jury_preview(text=JURY_FILE, stage_id=1, stage="Stage I", choices={}),
            7_000,
            "the marks of the stored sheet are compared with the file's",
        )
    ],
    "plan_basis": [Read(imports.plan_basis)],
    "program_assigned_to": [Read(lambda: imports.program_assigned_to(user_id=ADMIN))],
    "program_read_for": [Read(lambda: imports.program_read_for(user_id=ADMIN))],
    "program_leaving": [Read(_leaving)],
    "programs_preview": [
        Read(lambda: imports.programs_preview(text="Zofia Nowak", session_id=SESSION)),
        Read(lambda: imports.programs_preview(text="Zofia Nowak", session_id=None, appearance_id=APPEARANCE)),
    ],
    "program_batches_own": [Read(lambda: imports.program_batches_own(user_id=ADMIN))],
    "program_offers": [Read(lambda: imports.program_offers(session_id=SESSION))],
    "program_text_get": [Read(lambda: imports.program_text_get(user_id=ADMIN))],
    "program_texts_own": [Read(lambda: imports.program_texts_own(user_id=ADMIN))],
}
# Public functions of those modules without a query, or with a query that the caller completes.
HELPERS: set[str] = set()
