"""What somebody decided about the lines of a program: slots, choices, and pieces named by hand."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from django.core.exceptions import ValidationError

from apps.imports.enums import LineStatus

from .catalogue import Catalogue
from .folding import fold_line
from .lines import ProgramLine, SlottedPiece


@dataclass(frozen=True, slots=True)
class Decisions:
    """Decisions by the marks of lines, each empty where none was made.

    `slots` are categories by line and piece; `taken` the pieces that stay of a line with several, where somebody was
    asked; `picked` the piece of a line that fits several; `named` the name of a piece in place of what was found.
    """

    slots: Mapping[tuple[str, int], str] = field(default_factory=dict)
    taken: Mapping[str, frozenset[int]] = field(default_factory=dict)
    picked: Mapping[str, int] = field(default_factory=dict)
    named: Mapping[str, str] = field(default_factory=dict)


NONE = Decisions()


def pieces_chosen(line: ProgramLine, decisions: Decisions, catalogue: Catalogue) -> tuple[SlottedPiece, ...]:
    """Return the pieces that a line brings after these decisions. Raises ValidationError for an unknown name."""
    pieces: Iterable[SlottedPiece] = line.pieces
    if name := decisions.named.get(line.mark):
        pieces = _named(line, name, catalogue)
    elif line.status == LineStatus.EXPANDED and line.mark in decisions.taken:
        pieces = (each for each in line.pieces if each.piece.id in decisions.taken[line.mark])
    elif line.choices:
        pieces = (each for each in line.choices if each.piece.id == decisions.picked.get(line.mark))
    return tuple(_slotted(line, each, decisions) for each in pieces)


def entries_chosen(
    lines: Sequence[ProgramLine], decisions: Decisions, catalogue: Catalogue
) -> tuple[tuple[ProgramLine, SlottedPiece], ...]:
    """Return all pieces that these lines bring, in their order and each once, with the line of each."""
    chosen: dict[int, tuple[ProgramLine, SlottedPiece]] = {}
    for line in lines:
        for each in pieces_chosen(line, decisions, catalogue):
            chosen.setdefault(each.piece.id, (line, each))
    return tuple(chosen.values())


def missing(lines: Sequence[ProgramLine], decisions: Decisions, catalogue: Catalogue) -> tuple[ProgramLine, ...]:
    """Return the lines that bring no piece and are not noise."""
    found = (line for line in lines if line.status != LineStatus.NOISE)
    return tuple(line for line in found if not pieces_chosen(line, decisions, catalogue))


def _named(line: ProgramLine, name: str, catalogue: Catalogue) -> tuple[SlottedPiece, ...]:
    """Return the piece of the catalogue with this name, in the slot that the line has."""
    found = catalogue.by_name.get(fold_line(name), [])
    if len(found) != 1:
        raise ValidationError({f"name-{line.mark}": "This piece is not in the catalogue."})
    slot = line.pieces[0].slot if len(line.pieces) == 1 else found[0].category
    return (SlottedPiece(found[0], slot),)


def _slotted(line: ProgramLine, each: SlottedPiece, decisions: Decisions) -> SlottedPiece:
    return SlottedPiece(each.piece, decisions.slots.get((line.mark, each.piece.id), each.slot))
