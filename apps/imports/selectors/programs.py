"""Reads of pasted programs, of one performer or of many, and of the catalogue that they are matched with."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from apps.competition.dependents import entry_dependents
from apps.competition.selectors.admin.pieces import PieceFacts, piece_facts
from apps.competition.selectors.admin.program_sources import program_sources
from apps.competition.selectors.admin.programs import Performer, ProgramRow, performers, program_admin
from apps.core.edits import version_of
from apps.imports.enums import LineStatus
from apps.imports.limits import PERFORMERS_READ
from apps.imports.models import (
    ProgramBatch,
    ProgramText,
)
from apps.imports.program_lines.blocks import ProgramBlock, blocks_read
from apps.imports.program_lines.catalogue import Catalogue, CataloguePiece, fold_line, title_of, work_of
from apps.imports.program_lines.lines import ProgramLine, program_read
from apps.imports.program_lines.references import Reference, references_of
from apps.imports.program_lines.tokens import tokens_of
from apps.imports.program_offers import AppearanceOffers, offers_match


def catalogue_get() -> Catalogue:
    """Return the catalogue in the form that lines are matched with. One query."""
    return Catalogue(tuple(catalogue_piece(facts) for facts in piece_facts() if not facts.members))


def catalogue_piece(facts: PieceFacts) -> CataloguePiece:
    """Return a piece with all facts that a line may name; facts missing in its columns are read from its name."""
    named = _named(facts.name) if not (facts.title and facts.key) else Reference()
    title = named.title or title_of(facts.category)
    key, opus = facts.key or named.key, facts.opus or named.opus
    number = facts.number if facts.number is not None else named.number
    work = work_of(title, opus, number, key)
    return CataloguePiece(
        facts.id, facts.name, facts.category, title, key, opus, number, work.series, work.other_number
    )


def _named(name: str) -> Reference:
    """Return the facts in a piece's name if it names exactly one piece."""
    references = references_of(tokens_of(fold_line(name)))
    return references[0] if len(references) == 1 else Reference()


@dataclass(frozen=True, slots=True)
class ProgramPreview:
    """A pasted text with the result of each of its lines."""

    text: str
    lines: tuple[ProgramLine, ...]
    pieces: tuple[CataloguePiece, ...] = ()  # of the catalogue

    @property
    def pieces_found(self) -> int:
        """The number of different pieces in all lines."""
        return len({each.piece.id for line in self.lines for each in line.pieces})

    def count(self, *statuses: LineStatus) -> int:
        """Return the number of lines with one of these statuses."""
        return sum(line.status in statuses for line in self.lines)


def program_text_get(*, user_id: int) -> str:
    """Return the program that this administrator has pasted, empty without one. One query."""
    return ProgramText.objects.filter(user_id=user_id).values_list("text", flat=True).first() or ""


def program_assigned_to(*, user_id: int) -> ProgramRow | None:
    """Return the program that received a part of this administrator's pasted text, or None. Three queries."""
    found = ProgramText.objects.filter(user_id=user_id).values_list("assigned_to_id", flat=True).first()
    return program_admin(appearance_id=found) if found else None


def program_read_for(*, user_id: int) -> ProgramRow | None:
    """Return the program that was chosen when this administrator's text was read, or None. Three queries."""
    found = ProgramText.objects.filter(user_id=user_id).values_list("read_for_id", flat=True).first()
    return program_admin(appearance_id=found) if found else None


def program_preview(*, user_id: int, names: Sequence[str] = ()) -> ProgramPreview:
    """Return the pasted program with the result of each line, for a performer with these `names`. Two queries."""
    text = program_text_get(user_id=user_id)
    if not text:
        return ProgramPreview("", ())
    catalogue = catalogue_get()
    return ProgramPreview(text, program_read(text, catalogue, names=names), catalogue.pieces)


def program_leaving(*, program: ProgramRow, preview: ProgramPreview) -> tuple[tuple[str, int], ...]:
    """Return the rated pieces of a program that the text lacks, each with its number of ratings. One query."""
    read = {each.piece.id for line in preview.lines for each in line.pieces}
    ratings = entry_dependents(program.appearance_id)
    leaving = (entry for entry in program.entries if entry.piece.id not in read and ratings.get(entry.piece.id))
    return tuple((entry.piece.name, ratings[entry.piece.id]) for entry in leaving)


def program_offers(*, session_id: int) -> tuple[AppearanceOffers, ...]:
    """Return the programs offered to the appearances of a session, in their order. At most three queries."""
    return offers_match(program_sources(session_id=session_id), catalogue_get())


def program_texts_own(*, user_id: int) -> Mapping[str, Any]:
    """Return the pasted program of a user for the data export. One query."""
    return {"program_text": program_text_get(user_id=user_id)}


@dataclass(frozen=True, slots=True)
class BatchPreview:
    """The pasted programs of many performers: blocks, the performers to choose from, and the catalogue's pieces."""

    text: str
    blocks: tuple[ProgramBlock, ...] = ()
    performers: tuple[Performer, ...] = ()
    pieces: tuple[CataloguePiece, ...] = ()

    @property
    def programs(self) -> tuple[ProgramBlock, ...]:
        """The blocks that are programs."""
        return tuple(block for block in self.blocks if block.is_program)

    @property
    def version(self) -> str:
        """The version of what an administrator sees: the performer of each block."""
        return version_of({each.mark: each.performer and each.performer.appearance_id for each in self.blocks})


def program_batch_get(*, user_id: int) -> str:
    """Return the programs that this administrator has pasted at once, empty without any. One query."""
    return ProgramBatch.objects.filter(user_id=user_id).values_list("text", flat=True).first() or ""


def batch_preview(*, text: str, session_id: int | None) -> BatchPreview:
    """Return a text of many programs with its blocks, for the performers of a session or of all. Three queries.

    With more than PERFORMERS_READ performers no block is certain.
    """
    catalogue = catalogue_get()
    found = performers(session_id=session_id, limit=PERFORMERS_READ + 1)
    known = found if len(found) <= PERFORMERS_READ else ()
    return BatchPreview(text, blocks_read(text, known, catalogue), known, catalogue.pieces)


def program_batches_own(*, user_id: int) -> Mapping[str, Any]:
    """Return the pasted programs of a user for the data export. One query."""
    return {"program_batch": program_batch_get(user_id=user_id)}
