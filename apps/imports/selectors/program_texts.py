"""Pasted programs and what their lines become."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from apps.competition.dependents import entry_dependents
from apps.competition.selectors import ProgramRow, program_admin
from apps.imports.enums import LineStatus
from apps.imports.models import ProgramText
from apps.imports.program_lines.catalogue import CataloguePiece
from apps.imports.program_lines.lines import ProgramLine, program_read
from apps.imports.selectors.catalogue import catalogue_get


@dataclass(frozen=True, slots=True)
class ProgramPreview:
    """A text with what each of its lines became."""

    text: str
    lines: tuple[ProgramLine, ...]
    pieces: tuple[CataloguePiece, ...] = ()  # of the catalogue

    @property
    def pieces_found(self) -> int:
        """How many pieces the lines bring, each once, as they are assigned."""
        return len({each.piece.id for line in self.lines for each in line.pieces})

    def count(self, *statuses: LineStatus) -> int:
        """Return how many lines became one of these."""
        return sum(line.status in statuses for line in self.lines)


def program_text_get(*, user_id: int) -> str:
    """Return the program that this administrator has pasted, empty without one. One query."""
    return ProgramText.objects.filter(user_id=user_id).values_list("text", flat=True).first() or ""


def program_assigned_to(*, user_id: int) -> ProgramRow | None:
    """Return the program that a part of this administrator's pasted text became, or None. Three queries."""
    found = ProgramText.objects.filter(user_id=user_id).values_list("assigned_to_id", flat=True).first()
    return program_admin(appearance_id=found) if found else None


def program_preview(*, user_id: int, names: Sequence[str] = ()) -> ProgramPreview:
    """Return the pasted program and what its lines become, of a performer with these `names`. Two queries."""
    text = program_text_get(user_id=user_id)
    if not text:
        return ProgramPreview("", ())
    catalogue = catalogue_get()
    return ProgramPreview(text, program_read(text, catalogue, names=names), catalogue.pieces)


def program_leaving(*, program: ProgramRow, preview: ProgramPreview) -> tuple[tuple[str, int], ...]:
    """Return the pieces of a program that have ratings and are not in the text, with their number. One query."""
    read = {each.piece.id for line in preview.lines for each in line.pieces}
    ratings = entry_dependents(program.appearance_id)
    leaving = (entry for entry in program.entries if entry.piece.id not in read and ratings.get(entry.piece.id))
    return tuple((entry.piece.name, ratings[entry.piece.id]) for entry in leaving)


def program_texts_own(*, user_id: int) -> Mapping[str, Any]:
    """Return what the download of one's data contains of pasted programs. One query."""
    return {"program_text": program_text_get(user_id=user_id)}
