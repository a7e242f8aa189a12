"""Participant files for tests."""

from apps.accounts.actors import Viewer
from apps.imports.models import ParticipantImport, ParticipantImportRow
from apps.imports.participant_files.people import KnownPeople
from apps.imports.participant_files.plan import PlannedRow, rows_plan
from apps.imports.participant_files.table import rows_read
from apps.imports.program_lines.catalogue import Catalogue, CataloguePiece
from apps.imports.selectors.participant_files import ImportSummary, import_get
from apps.imports.services.participant_files import participant_file_store
from apps.imports.services.participant_saving import import_save
from apps.imports.tables.encodings import encoding_guess, text_read

HEADER = "FirstName|LastName|Country|Piece1|Piece2|Piece3|Piece4|Piece5"
ETUDE, NOCTURNE = "Etiuda cis-moll op. 10 nr 4", "Nocturne in D-flat major, Op. 27 No. 2"
ZOFIA = f"Zofia|Łęcka|Poland|{ETUDE}|{NOCTURNE}|||"
KANADE = f"Kanade|Himuro|Japan|{NOCTURNE}||||"
RONDO = "Humoresque in E-flat major, Op. 116"
NUTSA = f"Nutsa|Khvedeliani|Georgia|{RONDO}||||"
CATALOGUE = Catalogue(
    (
        CataloguePiece(1, "Etude in C-sharp minor, Op. 10 No. 4", "etiuda_a", "etude", "C-sharp minor", "10", 4),
        CataloguePiece(2, "Nocturne in D-flat major, Op. 27 No. 2", "nocturn", "nocturne", "D-flat major", "27", 2),
        CataloguePiece(3, "My favourite piece", "mazurek", "mazurka", "", "", None),
    )
)


def file_of(*rows: str, encoding: str = "utf-8") -> bytes:
    """Return a file with these rows below the header."""
    return "\n".join([HEADER, *rows]).encode(encoding)


def stored(actor: Viewer, *rows: str) -> ParticipantImport:
    """Store a file with these rows."""
    return participant_file_store(actor=actor, file_name="participants.csv", content=file_of(*rows))


def saved(admin: Viewer, *rows: str) -> tuple[ParticipantImport, ImportSummary]:
    """Store a file with these rows and save it."""
    file = stored(admin, *rows)
    return file, import_save(actor=admin, import_id=file.pk)


def planned(text: str, catalogue: Catalogue = CATALOGUE) -> list[PlannedRow]:
    """Return the plan of each row of a text."""
    return list(rows_plan(rows_read(text), KnownPeople(), catalogue, {}))


def read(content: bytes) -> list[PlannedRow]:
    """Return the plan of each row of a file, read in the guessed encoding."""
    return planned(text_read(content, encoding_guess(content).encoding))


def counts_checked(import_id: int) -> tuple[int, int]:
    """Return the numbers of saved and unsaved rows. Check that counts, summary and stored rows agree."""
    shown = import_get(import_id=import_id)
    assert shown is not None
    assert shown.summary is not None
    counts, rows = shown.counts, ParticipantImportRow.objects.filter(participant_import=import_id)
    assert counts.saved == rows.filter(is_saved=True).count()
    assert counts.saved + counts.unsaved + counts.left_out == rows.count() == counts.total
    assert shown.summary.new_participants + shown.summary.existing_participants == counts.saved
    return counts.saved, counts.total - counts.saved
