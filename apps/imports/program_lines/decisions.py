"""An administrator's decisions about the lines of a pasted program, and the pieces that the lines have with them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from django.core.exceptions import ValidationError

from apps.imports.enums import LineStatus
from apps.imports.program_lines.catalogue import Catalogue
from apps.imports.program_lines.folding import fold_line
from apps.imports.program_lines.results import PartStart, ProgramLine, SlottedPiece
from apps.imports.program_lines.starts import follows, sets_in


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
    """An item of a program: its piece or the pieces of a set, and where it and its parts begin.

    `parts` are the starts by the part's number, from 1.
    """

    pieces: tuple[SlottedPiece, ...]
    second: int | None = None
    url: str = ""
    parts: Mapping[int, PartStart] = field(default_factory=dict)


def items_chosen(
    lines: Sequence[ProgramLine], decisions: Decisions, catalogue: Catalogue, *, takes_sets: bool = False
) -> tuple[Item, ...]:
    """Return the items of these lines, in their order and each piece once.

    `takes_sets` is whether a set is one item where no decision says so. Pieces on the lines below a heading are one if
    the heading names all of them, or the decision is for the heading.
    """
    items: list[Item] = []
    taken: set[int] = set()
    headings = {line.number: line for line in lines if line.pieces_below}
    joined: ProgramLine | None = None  # the heading of the last item
    for line in lines:
        chosen = [each for each in pieces_chosen(line, decisions, catalogue) if each.piece.id not in taken]
        chosen = list({each.piece.id: each for each in chosen}.values())
        if not chosen:
            continue
        taken.update(each.piece.id for each in chosen)
        heading = headings.get(line.below)
        if heading and not decisions.sets.get(heading.mark, takes_sets and heading.is_whole):
            heading = None
        if heading and heading is joined and follows(items[-1].pieces[-1].piece, chosen[0].piece):
            items[-1] = _item(heading, (*items[-1].pieces, *chosen), is_first=True)
            continue
        is_set = decisions.sets.get(line.mark, takes_sets)
        groups = sets_in(chosen) if is_set else [(each,) for each in chosen]
        items += [_item(heading or line, group, is_first=at == 0) for at, group in enumerate(groups)]
        joined = heading
    return tuple(items)


def _item(line: ProgramLine, pieces: tuple[SlottedPiece, ...], *, is_first: bool) -> Item:
    """Return an item of the line or heading that has its starts; a line's own start is that of its first item."""
    first = pieces[0].piece.id
    whole = {each.piece_id: each for each in line.starts if not each.number}
    if len(pieces) > 1:
        parts = {at: whole[each.piece.id] for at, each in enumerate(pieces, start=1) if each.piece.id in whole}
    else:
        parts = {each.number: each for each in line.starts if each.number and each.piece_id == first}
    begin = whole.get(first) or parts.get(1)
    if is_first and (line.second is not None or line.url):
        return Item(pieces, line.second, line.url, parts)
    return Item(pieces, begin.second, begin.url, parts) if begin else Item(pieces, parts=parts)


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
