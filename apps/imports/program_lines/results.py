"""The result of a line of a pasted program."""

from dataclasses import dataclass
from zlib import crc32

from apps.imports.enums import LineStatus
from apps.imports.program_lines.catalogue import CataloguePiece
from apps.imports.program_lines.matching import Why
from apps.imports.program_lines.references import Reference


@dataclass(frozen=True, slots=True)
class SlottedPiece:
    """A piece of the catalogue in a slot of the program."""

    piece: CataloguePiece
    slot: str


@dataclass(frozen=True, slots=True)
class PartStart:
    """Where a part of an item begins: the movement `number`, from 1, of a piece, or without a number a set's piece."""

    piece_id: int
    number: int
    second: int | None
    url: str


@dataclass(frozen=True, slots=True)
class ProgramLine:
    """One line that is not blank, with its status and the reason for it.

    `number` counts all pasted lines, from 1. `choices` are the candidates of an undecided line, of which it may name
    several (`is_several`). `second` and `url` locate the start of the first piece. `about` is the reference that `why`
    refers to. `same_as` is the number of an earlier line with the same pieces.

    `starts` are the starts of parts that the line or lines below it have. A heading that names an opus has the pieces
    of the lines below it as `pieces_below`; on these lines `below` is the heading's number.
    """

    number: int
    text: str
    status: LineStatus
    pieces: tuple[SlottedPiece, ...] = ()
    choices: tuple[SlottedPiece, ...] = ()
    second: int | None = None
    url: str = ""
    why: Why = Why.NONE
    about: Reference | None = None
    same_as: int | None = None
    is_several: bool = False
    starts: tuple[PartStart, ...] = ()
    below: int = 0
    pieces_below: tuple[SlottedPiece, ...] = ()
    is_whole: bool = False  # whether `pieces_below` are all pieces of the opus

    @property
    def is_left_out(self) -> bool:
        """Whether the line gives neither an item nor the start of one."""
        is_start = self.second is not None and self.why is not Why.HEADING
        return self.status is LineStatus.NOISE and not self.pieces_below and not is_start

    @property
    def mark(self) -> str:
        """The line's key in field names: number and checksum, so that a line of another text has another key."""
        return f"{self.number}-{crc32(self.text.encode())}"
