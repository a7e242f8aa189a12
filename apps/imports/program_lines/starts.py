"""Where the parts of items begin, and the sets that headings name: what lines tell of other lines."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from apps.imports.enums import LineStatus
from apps.imports.program_lines.catalogue import Catalogue, CataloguePiece
from apps.imports.program_lines.results import PartStart, ProgramLine, SlottedPiece
from apps.imports.program_lines.times import Times, is_recording, part_begins


@dataclass(frozen=True, slots=True)
class TimedPart:
    """The line `number` of a part: a movement of a piece, or without `movement` a piece of a set.

    `item` is the number of the line that names the whole.
    """

    number: int
    item: int
    piece_id: int
    movement: int
    times: Times


def starts_added(
    lines: Sequence[ProgramLine], parts: Sequence[TimedPart], times: Mapping[int, Times]
) -> tuple[ProgramLine, ...]:
    """Return the lines with the starts of their items' parts; `times` are those of all lines of the text by number."""
    of_parts = {each.number for each in parts}
    written = [times[each.number] for each in lines if each.number in of_parts or each.status is not LineStatus.NOISE]
    is_recorded = is_recording(written)
    by_item = defaultdict[int, list[TimedPart]](list)
    for each in parts:
        by_item[each.item].append(each)
    starts = defaultdict[int, dict[tuple[int, int], PartStart]](dict)
    begun = dict[int, tuple[int | None, str]]()
    for item, own in by_item.items():
        found = part_begins(times[item], [each.times for each in own], is_recorded=is_recorded)
        for part, (second, url) in zip(own, found, strict=True):
            if second is not None or url:
                begun[part.number] = second, url
                start = PartStart(part.piece_id, part.movement, second, url)
                starts[item].setdefault((part.piece_id, part.movement), start)
    return tuple(_with_starts(line, begun, starts) for line in lines)


def _with_starts(
    line: ProgramLine,
    begun: Mapping[int, tuple[int | None, str]],
    starts: Mapping[int, Mapping[tuple[int, int], PartStart]],
) -> ProgramLine:
    """Return a line with the starts of its parts; the line of a part that is no item has its own one."""
    if line.status is LineStatus.NOISE and line.number in begun:
        line = replace(line, second=begun[line.number][0], url=begun[line.number][1])
    return replace(line, starts=tuple(starts[line.number].values())) if line.number in starts else line


def sets_headed(lines: Sequence[ProgramLine], catalogue: Catalogue) -> list[ProgramLine]:
    """Return the lines; a heading has the pieces of the lines below it if these follow each other in its opus."""
    items = [line for line in lines if line.status is not LineStatus.NOISE]
    below = defaultdict[int, list[int]](list)  # places in `items`
    for at, line in enumerate(items):
        if line.below:
            below[line.below].append(at)
    return [_headed(line, [items[at] for at in at_once(below[line.number])], catalogue) for line in lines]


def at_once(places: Sequence[int]) -> Sequence[int]:
    """Return places that follow each other without a gap, else none."""
    return places if all(after == before + 1 for before, after in pairwise(places)) else ()


def _headed(heading: ProgramLine, members: Sequence[ProgramLine], catalogue: Catalogue) -> ProgramLine:
    """Return a heading with the pieces of these lines below it if they are a set."""
    pieces = tuple(each for line in members for each in line.pieces)
    if len(sets_in(pieces)) != 1 or len(pieces) < 2:  # noqa: PLR2004 - the meaning of a set
        return heading
    first = pieces[0].piece
    of_opus = [each for each in catalogue.by_opus[first.opus] if each.title == first.title]
    return replace(heading, pieces_below=pieces, is_whole=len(of_opus) == len(pieces))


def sets_in(pieces: Sequence[SlottedPiece]) -> list[tuple[SlottedPiece, ...]]:
    """Return pieces in groups: those that follow each other in one opus are a set, any other is alone."""
    groups: list[list[SlottedPiece]] = []
    for each in pieces:
        if groups and follows(groups[-1][-1].piece, each.piece):
            groups[-1].append(each)
        else:
            groups.append([each])
    return [tuple(group) for group in groups]


def follows(last: CataloguePiece, piece: CataloguePiece) -> bool:
    """Whether a piece is the next one of the same kind in the same opus."""
    is_same = (piece.title, piece.opus) == (last.title, last.opus) and not (piece.part_words or last.part_words)
    return is_same and last.number is not None and piece.number == last.number + 1
