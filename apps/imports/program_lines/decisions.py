"""An administrator's decisions about the lines of a pasted program, and the pieces that the lines have with them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from django.core.exceptions import ValidationError

from apps.imports.enums import LineStatus
from apps.imports.program_lines.catalogue import Catalogue, CataloguePiece
from apps.imports.program_lines.folding import fold_line
from apps.imports.program_lines.results import ProgramLine, SlottedPiece


@dataclass(frozen=True, slots=True)
class Decisions:
    """Decisions of an administrator by the marks of lines; an empty mapping has none.

    `slots` are categories by line and piece. `taken` are the ticked pieces of a line with several, certain ones or
    candidates. `picked` is the chosen candidate of a line with one. `named` is the name of another piece for a line.
    `sets` is whether the sets of a line are single items; by default they are where the stage has sets.
    """

    slots: Mapping[tuple[str, int], str] = field(default_factory=dict)
    taken: Mapping[str, frozenset[int]] = field(default_factory=dict)
    picked: Mapping[str, int] = field(default_factory=dict)
    named: Mapping[str, str] = field(default_factory=dict)
    sets: Mapping[str, bool] = field(default_factory=dict)


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


@dataclass(frozen=True, slots=True)
class Item:
    """An item of a program: its line, and its piece or the pieces of a set."""

    line: ProgramLine
    pieces: tuple[SlottedPiece, ...]


def items_chosen(
    lines: Sequence[ProgramLine], decisions: Decisions, catalogue: Catalogue, *, takes_sets: bool = False
) -> tuple[Item, ...]:
    """Return the items of these lines, in their order and each piece once.

    `takes_sets` is whether a set is one item where no decision says so.
    """
    items: list[Item] = []
    taken: set[int] = set()
    for line in lines:
        chosen = [each for each in pieces_chosen(line, decisions, catalogue) if each.piece.id not in taken]
        chosen = list({each.piece.id: each for each in chosen}.values())
        taken.update(each.piece.id for each in chosen)
        is_set = decisions.sets.get(line.mark, takes_sets)
        groups = sets_in(chosen) if is_set else [(each,) for each in chosen]
        items += [Item(line, group) for group in groups]
    return tuple(items)


def sets_in(pieces: Iterable[SlottedPiece]) -> list[tuple[SlottedPiece, ...]]:
    """Return pieces in groups: those that follow each other in one opus are a set, any other is alone."""
    groups: list[list[SlottedPiece]] = []
    for each in pieces:
        last = groups[-1][-1].piece if groups else None
        if last is not None and _follows(last, each.piece):
            groups[-1].append(each)
        else:
            groups.append([each])
    return [tuple(group) for group in groups]


def _follows(last: CataloguePiece, piece: CataloguePiece) -> bool:
    """Whether a piece is the next one of the same kind in the same opus."""
    is_same = (piece.title, piece.opus) == (last.title, last.opus) and not (piece.part_words or last.part_words)
    return is_same and last.number is not None and piece.number == last.number + 1


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
