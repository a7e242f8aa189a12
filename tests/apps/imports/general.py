"""The calls of the selectors that the general tests make on a large database."""

from collections.abc import Mapping

from apps.competition.selectors.admin.programs import program_admin
from apps.imports.enums import TableKind
from apps.imports.selectors import header_choices, jury_files, participant_files, programs
from apps.jury.rules import DEFAULT
from tests.apps.busy_session import ADMIN, APPEARANCE, SESSION
from tests.apps.reads import EXPORT, Read


def _leaving() -> object:
    program = program_admin(appearance_id=APPEARANCE)
    assert program is not None
    return programs.program_leaving(program=program, lines=())


JURY_FILE = "stage,start_number,participant,juror,score,recused_student\n1,1,Zofia Nowak,Juror One,20,"


def _sent() -> jury_files.JuryFileShown:
    return jury_files.JuryFileShown(1, "Stage I", "", JURY_FILE, {}, "", (), "", "", True, False)


OF_A_FILE = "the rows of one file are put in order, 10,000 at most: rows that cannot be saved come first"

READS: Mapping[str, list[Read]] = {
    "programs.catalogue_get": [Read(programs.catalogue_get)],
    "participant_files.import_get": [Read(lambda: participant_files.import_get(import_id=2001))],
    "participant_files.import_pending": [
        Read(lambda user=user: participant_files.import_pending(user_id=user)) for user in (ADMIN, 2)
    ],
    "participant_files.import_refused": [
        Read(lambda user=user: participant_files.import_refused(user_id=user)) for user in (ADMIN, 2)
    ],
    "participant_files.import_rows": [
        Read(lambda: participant_files.import_rows(import_id=2001), 10_000, OF_A_FILE),
        Read(lambda: participant_files.import_rows(import_id=2001, after=9000), 10_000, OF_A_FILE),
    ],
    "participant_files.import_row": [Read(lambda: participant_files.import_row(import_id=2001, position=7))],
    "participant_files.imports_existing": [Read(lambda: participant_files.imports_existing(ids=(1, 2001, 10**9)))],
    "participant_files.imports_own": [Read(lambda: participant_files.imports_own(user_id=ADMIN), 2000, EXPORT)],
    "participant_files.imports_waiting": [
        Read(
            lambda: participant_files.imports_waiting(user_id=ADMIN),
            2_000,
            "the counts of the files that were saved within 30 days are compared",
        )
    ],
    "participant_files.imports_saved": [Read(participant_files.imports_saved)],
    "participant_files.participants_export": [Read(lambda: participant_files.participants_export(session_id=SESSION))],
    "jury_files.jury_file_get": [Read(lambda: jury_files.jury_file_get(user_id=ADMIN))],
    "jury_files.jury_file_preview": [
        Read(lambda: jury_files.jury_file_preview(_sent()), 7_000, "as `jury_preview`"),
    ],
    "jury_files.jury_sheet_read": [Read(lambda: jury_files.jury_sheet_read(JURY_FILE, (), {}, DEFAULT))],
    "header_choices.header_choice": [
        Read(lambda: header_choices.header_choice(kind=TableKind.JURY, fields=("a", "b"))),
    ],
    "jury_files.jury_files_own": [Read(lambda: jury_files.jury_files_own(user_id=ADMIN))],
    "jury_files.jury_preview": [
        Read(
            lambda: jury_files.jury_preview(text=JURY_FILE, stage_id=1, stage="Stage I", choices={}),
            7_000,
            "the marks of the stored sheet are compared with the file's",
        )
    ],
    "participant_files.plan_basis": [Read(participant_files.plan_basis)],
    "programs.program_assigned_to": [Read(lambda: programs.program_assigned_to(user_id=ADMIN))],
    "programs.program_read_for": [Read(lambda: programs.program_read_for(user_id=ADMIN))],
    "programs.program_leaving": [Read(_leaving)],
    "programs.programs_preview": [
        Read(lambda: programs.programs_preview(text="Zofia Nowak", session_id=SESSION)),
        Read(lambda: programs.programs_preview(text="Zofia Nowak", session_id=None, appearance_id=APPEARANCE)),
    ],
    "programs.program_batches_own": [Read(lambda: programs.program_batches_own(user_id=ADMIN))],
    "programs.program_offers": [Read(lambda: programs.program_offers(session_id=SESSION))],
    "programs.program_text_get": [Read(lambda: programs.program_text_get(user_id=ADMIN))],
    "programs.program_texts_own": [Read(lambda: programs.program_texts_own(user_id=ADMIN))],
}
# Public functions of those modules without a query, or with a query that the caller completes.
HELPERS: set[str] = {"header_choices.header_digest"}
