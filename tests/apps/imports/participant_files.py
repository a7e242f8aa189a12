"""Participant files for tests."""

from apps.accounts.actors import Viewer
from apps.imports.models import ParticipantImport
from apps.imports.selectors import ImportSummary
from apps.imports.services import import_save, participant_file_store

HEADER = "FirstName|LastName|Country|Piece1|Piece2|Piece3|Piece4|Piece5"
ETUDE, NOCTURNE = "Etiuda cis-moll op. 10 nr 4", "Nocturne in D-flat major, Op. 27 No. 2"
ZOFIA = f"Zofia|Łęcka|Poland|{ETUDE}|{NOCTURNE}|||"
KANADE = f"Kanade|Himuro|Japan|{NOCTURNE}||||"
RONDO = "Rondo in E-flat major, Op. 16"
NUTSA = f"Nutsa|Khvedeliani|Georgia|{RONDO}||||"


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
