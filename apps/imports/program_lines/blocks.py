"""Parse the programs of many performers in one text: a heading by name or start number begins each block.

A performer is certain or chosen by hand; none is guessed from a part of a name.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from zlib import crc32

from apps.competition.selectors.admin.programs import Performer
from apps.core.people import PeopleIndex, PersonDoubt
from apps.imports.enums import BlockDoubt, LineStatus
from apps.imports.program_lines.catalogue import Catalogue
from apps.imports.program_lines.folding import fold_line
from apps.imports.program_lines.lines import program_read
from apps.imports.program_lines.matching import is_name
from apps.imports.program_lines.references import references_read
from apps.imports.program_lines.results import ProgramLine
from apps.imports.program_lines.tokens import Kind, Token, tokens_of
from apps.imports.program_lines.vocabulary import COMPOSER, INSTRUMENTS

# "12", "12.", "#12", "12 Zofia Nowak", "12) Zofia Nowak", "no. 12 Zofia Nowak"; else the whole line is a name
_NUMBERED = re.compile(
    r"(?P<sign>(?:no|nr)\.? ?|# ?)?(?P<number>\d{1,4})(?: ?[.):-]{1,2})?(?: ?(?P<rest>[^\W\d].{0,250}))?"
)
_WORD = re.compile(r"\w+")
_BEFORE_NAME = re.compile(r"\W*(?:n[or]\W*)?\d{1,4}\W*", re.IGNORECASE)
_AROUND_NAME = " :*-–—"
_DOUBTS = {
    PersonDoubt.NONE: BlockDoubt.NONE,
    PersonDoubt.NOT_FOUND: BlockDoubt.NOT_FOUND,
    PersonDoubt.SEVERAL: BlockDoubt.SEVERAL,
    PersonDoubt.OTHER_NAME: BlockDoubt.OTHER_NUMBER,
    PersonDoubt.CONTRADICTION: BlockDoubt.OTHER_NUMBER,
}


@dataclass(frozen=True, slots=True)
class ProgramBlock:
    """The program of one performer in a text: its heading, its performer if that is certain, and its lines.

    `number` is the heading's line in the text, from 1. The lines before the first heading have an empty heading.
    `likely` are performers to whom a part of the heading fits; `performer` is None with a `doubt`.
    """

    number: int
    heading: str
    lines: tuple[ProgramLine, ...] = ()
    performer: Performer | None = None
    doubt: BlockDoubt = BlockDoubt.NONE
    likely: tuple[Performer, ...] = ()

    @property
    def mark(self) -> str:
        """The block's key in field names: number and checksum, so that a block of another text has another key."""
        return f"{self.number}-{crc32(self.heading.encode())}"

    @property
    def is_program(self) -> bool:
        """Whether the block is a program, not only a title before the first heading."""
        return bool(self.heading) or any(line.status is not LineStatus.NOISE for line in self.lines)


@dataclass(frozen=True, slots=True)
class _Heading:
    """A heading: its start number, and its name without instruments."""

    number: int | None
    name: str


def blocks_read(
    text: str, performers: Sequence[Performer], catalogue: Catalogue, chosen: Performer | None = None
) -> tuple[ProgramBlock, ...]:
    """Return the blocks of a text, in their order; every line that is not blank is a heading or in a block.

    With a `chosen` performer the lines before the first heading are his program, and only the certain name of another
    performer is a heading.
    """
    people = PeopleIndex(performers)
    blocks: list[ProgramBlock] = []
    bodies: list[list[str]] = []
    for number, line in enumerate(text.splitlines(), start=1):
        heading = _heading(line, people) if line.strip() else None
        begun = _block(number, line.strip(), heading, people) if heading is not None else None
        if begun is not None and (chosen is None or _is_another(begun, chosen)):
            blocks.append(begun)
            bodies.append([])
        elif blocks or line.strip():
            if not blocks:
                doubt = BlockDoubt.NONE if chosen else BlockDoubt.NO_HEADING
                blocks.append(ProgramBlock(number - 1, "", performer=chosen, doubt=doubt))
                bodies.append([])
            bodies[-1].append(line)
    certain = _once(blocks)
    return tuple(_with_lines(block, body, catalogue) for block, body in zip(certain, bodies, strict=True))


def _is_another(block: ProgramBlock, chosen: Performer) -> bool:
    """Whether a heading is certainly that of a performer who is not the chosen one."""
    return block.performer is not None and block.performer.appearance_id != chosen.appearance_id


def _heading(line: str, people: PeopleIndex[Performer]) -> _Heading | None:
    """Return the heading that a line is, or None for a line of a program."""
    folded = fold_line(line).strip(" :*-")
    numbered = _NUMBERED.fullmatch(folded)
    if numbered and not numbered["rest"]:
        return None if numbered["sign"] and "#" not in numbered["sign"] else _Heading(int(numbered["number"]), "")
    rest = numbered["rest"] if numbered else folded
    words = set(_WORD.findall(rest))
    if words & INSTRUMENTS and not any(word.isalpha() for word in words - INSTRUMENTS):  # "Steinway 479"
        return None
    text = unicodedata.normalize("NFKC", line)
    text = text[match.end() :] if numbered and (match := _BEFORE_NAME.match(text)) else text
    name = _without_instruments(text) if words & INSTRUMENTS else text.strip(_AROUND_NAME)
    is_heading = bool(people.with_name(name)) or _is_person(tuple(tokens_of(rest)), text, name, people)
    return _Heading(int(numbered["number"]) if numbered else None, name) if is_heading else None


def _without_instruments(text: str) -> str:
    return " ".join(word for word in text.split() if INSTRUMENTS.isdisjoint(_WORD.findall(fold_line(word))))


def _is_person(tokens: tuple[Token, ...], text: str, name: str, people: PeopleIndex[Performer]) -> bool:
    """Whether a line without pieces names a person who is not a known composer."""
    if references_read(tokens)[0] or any(each.kind is Kind.OTHER_COMPOSER or each.value in COMPOSER for each in tokens):
        return False
    return people.has_words(name) or is_name(tokens, text)


def _block(number: int, text: str, heading: _Heading, people: PeopleIndex[Performer]) -> ProgramBlock:
    """Return the block of a heading without its lines, with its performer if exactly one is meant."""
    found = people.find(heading.name, heading.number)
    return ProgramBlock(number, text, (), found.person, _DOUBTS[found.doubt], found.likely)


def _once(blocks: Sequence[ProgramBlock]) -> list[ProgramBlock]:
    """Return the blocks; of two blocks with one performer neither is certain."""
    counts = Counter(each.performer.appearance_id for each in blocks if each.performer)
    return [
        replace(each, performer=None, doubt=BlockDoubt.TWICE, likely=(each.performer,))
        if each.performer and counts[each.performer.appearance_id] > 1
        else each
        for each in blocks
    ]


def _with_lines(block: ProgramBlock, body: Sequence[str], catalogue: Catalogue) -> ProgramBlock:
    """Return the block with the result of its lines, numbered as in the whole text."""
    names = (block.performer.name, block.performer.country) if block.performer else ()
    lines = program_read("\n".join(body), catalogue, names=names)
    return replace(block, lines=tuple(_moved(line, block.number) for line in lines))


def _moved(line: ProgramLine, by: int) -> ProgramLine:
    same_as = line.same_as + by if line.same_as is not None else None
    return replace(line, number=line.number + by, same_as=same_as, below=line.below + by if line.below else 0)


def performer_labels(performers: Iterable[Performer]) -> Mapping[str, Performer]:
    """Return the performers by the unique text with which one is chosen by hand."""
    return {performer_label(each): each for each in performers}


def performer_label(performer: Performer) -> str:
    """Return the text with which a performer is chosen: "12 Zofia Nowak (Stage I, 3)"."""
    number = f"{performer.start_number} " if performer.start_number is not None else ""
    return f"{number}{performer.name} ({performer.session}, {performer.order_number})"
