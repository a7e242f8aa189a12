"""An administrator's decisions about the lines of a pasted program, and the pieces that the lines have with them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from django.core.exceptions import ValidationError

from apps.imports.enums import LineStatus
from apps.imports.program_lines.catalogue import Catalogue
from apps.imports.program_lines.folding import fold_line
from apps.imports.program_lines.lines import ProgramLine, SlottedPiece


@dataclass(frozen=True, slots=True)
class Decisions:
    """Decisions of an administrator by the marks of lines; an empty mapping has none.

    `slots` are categories by line and piece. `taken` are the ticked pieces of a line with several, certain ones or
    candidates. `picked` is the chosen candidate of a line with one. `named` is the name of another piece for a line.
    """

    slots: Mapping[tuple[str, int], str] = field(default_factory=dict)
    taken: Mapping[str, frozenset[int]] = field(default_factory=dict)
    picked: Mapping[str, int] = field(default_factory=dict)
    named: Mapping[str, str] = field(default_factory=dict)


NONE = Decisions()


def pieces_chosen(line: ProgramLine, decisions: Decisions, catalogue: Catalogue) -> tuple[SlottedPiece, ...]:
    """Return the pieces of a line after these decisions. Raises ValidationError for an unknown name."""
    pieces: Iterable[SlottedPiece] = line.pieces
    if name := decisions.named.get(line.mark):
        pieces = _named(line, name, catalogue)
    elif line.status == LineStatus.EXPANDED and line.mark in decisions.taken:
        pieces = (each for each in line.pieces if each.piece.id in decisions.taken[line.mark])
    elif line.choices:
        taken = decisions.taken.get(line.mark, frozenset()) if line.is_several else {decisions.picked.get(line.mark)}
        pieces = (each for each in line.choices if each.piece.id in taken)
    return tuple(_slotted(line, each, decisions) for each in pieces)


def entries_chosen(
    lines: Sequence[ProgramLine], decisions: Decisions, catalogue: Catalogue
) -> tuple[tuple[ProgramLine, SlottedPiece], ...]:
    """Return all pieces of these lines, in their order and each once, with the line of each."""
    chosen: dict[int, tuple[ProgramLine, SlottedPiece]] = {}
    for line in lines:
        for each in pieces_chosen(line, decisions, catalogue):
            chosen.setdefault(each.piece.id, (line, each))
    return tuple(chosen.values())


def missing(lines: Sequence[ProgramLine], decisions: Decisions, catalogue: Catalogue) -> tuple[ProgramLine, ...]:
    """Return the lines without a piece that are not noise."""
    found = (line for line in lines if line.status != LineStatus.NOISE)
    return tuple(line for line in found if not pieces_chosen(line, decisions, catalogue))


def _named(line: ProgramLine, name: str, catalogue: Catalogue) -> tuple[SlottedPiece, ...]:
    """Return the catalogue's piece with this name, in the slot of the line. Raises ValidationError without one."""
    found = catalogue.by_whole_name.get(fold_line(name), [])
    if len(found) != 1:
        raise ValidationError({f"name-{line.mark}": "This piece is not in the catalogue."})
    slot = line.pieces[0].slot if len(line.pieces) == 1 else found[0].category
    return (SlottedPiece(found[0], slot),)


def _slotted(line: ProgramLine, each: SlottedPiece, decisions: Decisions) -> SlottedPiece:
    return SlottedPiece(each.piece, decisions.slots.get((line.mark, each.piece.id), each.slot))
