"""Reads of pasted programs, of one performer or of many, and of the catalogue that they are matched with."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from apps.competition.dependents import entry_dependents
from apps.competition.selectors.admin.pieces import piece_facts
from apps.competition.selectors.admin.program_sources import program_sources
from apps.competition.selectors.admin.programs import Performer, ProgramRow, performers, program_admin
from apps.core.edits import version_of
from apps.imports.enums import BlockDoubt, LineStatus
from apps.imports.limits import PERFORMERS_READ
from apps.imports.models import ProgramBatch, ProgramText
from apps.imports.program_lines.blocks import ProgramBlock, blocks_read
from apps.imports.program_lines.catalogue import Catalogue
from apps.imports.program_lines.pieces import catalogue_of
from apps.imports.program_lines.results import ProgramLine
from apps.imports.program_offers import AppearanceOffers, offers_match


def catalogue_get() -> Catalogue:
    """Return the catalogue in the form that lines are matched with. Two queries."""
    return catalogue_of(piece_facts())


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


def program_leaving(*, program: ProgramRow, lines: Iterable[ProgramLine]) -> tuple[tuple[str, int], ...]:
    """Return the rated pieces of a program that these lines lack, each with its number of ratings. One query."""
    read = {each.piece.id for line in lines for each in line.pieces}
    ratings = entry_dependents(program.appearance_id)
    leaving = (entry for entry in program.entries if entry.piece.id not in read and ratings.get(entry.piece.id))
    return tuple((entry.piece.name, ratings[entry.piece.id]) for entry in leaving)


def program_offers(*, session_id: int) -> tuple[AppearanceOffers, ...]:
    """Return the programs offered to the appearances of a session, in their order. At most four queries."""
    return offers_match(program_sources(session_id=session_id), catalogue_get())


def program_texts_own(*, user_id: int) -> Mapping[str, Any]:
    """Return the pasted program of a user for the data export. One query."""
    return {"program_text": program_text_get(user_id=user_id)}


@dataclass(frozen=True, slots=True)
class ProgramsPreview:
    """Pasted programs: their blocks, the performers to choose from, and the catalogue.

    `chosen` is the performer to whom the lines before the first heading belong, None without one.
    """

    text: str
    blocks: tuple[ProgramBlock, ...] = ()
    performers: tuple[Performer, ...] = ()
    catalogue: Catalogue = field(default_factory=lambda: Catalogue(()))
    chosen: Performer | None = None

    @property
    def programs(self) -> tuple[ProgramBlock, ...]:
        """The blocks that are programs."""
        return tuple(block for block in self.blocks if block.is_program)

    @property
    def lines(self) -> tuple[ProgramLine, ...]:
        """The lines of all blocks."""
        return tuple(line for block in self.blocks for line in block.lines)

    @property
    def is_single(self) -> bool:
        """Whether the text is one program without a heading: the chosen performer's."""
        return all(not block.heading for block in self.blocks)

    @property
    def not_found(self) -> int:
        """The number of headings that name no performer."""
        return sum(block.doubt is BlockDoubt.NOT_FOUND for block in self.blocks)

    @property
    def pieces_found(self) -> int:
        """The number of different pieces in all lines."""
        return len({each.piece.id for line in self.lines for each in line.pieces})

    @property
    def version(self) -> str:
        """The version of what an administrator sees: the performer of each block."""
        performers = [[each.mark, each.performer and each.performer.appearance_id] for each in self.blocks]
        return version_of({"performers": performers})

    def is_of_chosen(self, block: ProgramBlock) -> bool:
        """Whether a block is the program of the chosen performer."""
        return self.chosen is not None and block.performer == self.chosen

    @property
    def left_out(self) -> int:
        """The number of lines that give neither an item nor the start of one."""
        return sum(line.is_left_out for line in self.lines)

    def count(self, *statuses: LineStatus) -> int:
        """Return the number of lines with one of these statuses."""
        return sum(line.status in statuses for line in self.lines)


def programs_preview(*, text: str, session_id: int | None, appearance_id: int | None = None) -> ProgramsPreview:
    """Return pasted programs with their blocks, for the performers of a session or of all. At most six queries.

    With more than PERFORMERS_READ performers only the chosen one, who has `appearance_id`, is certain.
    """
    found = performers(session_id=session_id, limit=PERFORMERS_READ + 1) if text else ()
    chosen = next((each for each in found if each.appearance_id == appearance_id), None)
    if chosen is None and appearance_id is not None:
        chosen = next(iter(performers(session_id=None, limit=1, appearance_id=appearance_id)), None)
    if not text:
        return ProgramsPreview("", chosen=chosen)
    catalogue = catalogue_get()
    known = found if len(found) <= PERFORMERS_READ else ()
    return ProgramsPreview(text, blocks_read(text, known, catalogue, chosen), known, catalogue, chosen)


def program_batches_own(*, user_id: int) -> Mapping[str, Any]:
    """Return the programs of a user that the version before stored, for the data export. One query."""
    text = ProgramBatch.objects.filter(user_id=user_id).values_list("text", flat=True).first()
    return {"program_batch": text or ""}
