"""Parse a pasted program: the result of each of its lines."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from zlib import crc32

from django.core.exceptions import ValidationError

from apps.competition.enums import Category
from apps.imports.enums import LineStatus
from apps.imports.program_lines.catalogue import Catalogue, CataloguePiece, fold_line
from apps.imports.program_lines.matching import Match, Outcome, Why, doubt_of, is_name, match, unknown_words
from apps.imports.program_lines.references import Reference, references_read
from apps.imports.program_lines.times import Times, begins, rises, times_of
from apps.imports.program_lines.tokens import COMPOSER, OPENING_WORDS, Kind, Token, tokens_of

# "1.", "2)", "I.", "•", "–" before the text; not a number joined to the next one
_LISTED = re.compile(r"(?:\(?\d{1,3}[.)\]](?!\d)|[ivx]{1,4}[.)]|[a-z]\)|-{1,3}|\*|>)\s*")
_SPECIFIED = re.compile(
    r"(?P<title>\S\D{0,100}?) in (?P<key>\S.{0,20}? ?(?:major|minor))(?:,? op\. ?(?P<opus>\S{1,10}))?"
    r"(?:,? no\. ?(?P<number>\d{1,3}))?"
)
_SLOT_OF_OPUS = {"10": Category.ETIUDA_A, "25": Category.ETIUDA_B}
_SLOT_OF_TITLE = {"nocturne": Category.NOCTURN, "scherzo": Category.SCHERZO, "mazurka": Category.MAZUREK}


@dataclass(frozen=True, slots=True)
class SlottedPiece:
    """A piece of the catalogue in a slot of the program."""

    piece: CataloguePiece
    slot: str


@dataclass(frozen=True, slots=True)
class ProgramLine:
    """One line that is not blank, with its status and the reason for it.

    `number` counts all pasted lines, from 1. `choices` are the candidates of an undecided line. `second` and `url`
    locate the start of the first piece. `about` is the reference that `why` refers to. `same_as` is the number of an
    earlier line with the same pieces.
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

    @property
    def mark(self) -> str:
        """The line's key in field names: number and checksum, so that a line of another text has another key."""
        return f"{self.number}-{crc32(self.text.encode())}"


@dataclass(frozen=True, slots=True)
class _Read:
    """A line before it is matched with the catalogue."""

    number: int
    text: str
    folded: str
    tokens: tuple[Token, ...]
    references: tuple[Reference, ...]
    unread: tuple[Token, ...]
    times: Times

    @property
    def is_by_composer(self) -> bool:
        """Whether the line names this catalogue's composer."""
        return any(token.value in COMPOSER for token in self.tokens)

    @property
    def is_by_another(self) -> bool:
        """Whether the line names another composer."""
        return any(token.kind is Kind.OTHER_COMPOSER for token in self.tokens)


@dataclass(frozen=True, slots=True)
class _Heading:
    """The facts of a heading, which apply to the lines below it."""

    title: str = ""
    opus: str = ""
    slot: str = ""
    by: str = ""  # the composer of the lines below: empty for this catalogue's, else `_ANOTHER` or `_UNKNOWN`


_ANOTHER, _UNKNOWN = "another", "unknown"  # composers


def program_read(text: str, catalogue: Catalogue, *, names: Iterable[str] = ()) -> tuple[ProgramLine, ...]:
    """Return the result of each line of `text`. Linear in the length.

    `names` are the performer's name and country. A line of only these words is a heading; a line with the whole name
    begins that performer's program.
    """
    named = [set(re.findall(r"\w+", fold_line(name))) for name in names]
    performer, people = named[0] if named else set(), set().union(*named)
    lines = [_read(number, line) for number, line in enumerate(text.splitlines(), start=1) if line.strip()]
    rising = rises([line.times for line in lines if line.references])
    found, heading, first_lines = [], _Heading(), dict[int, int]()
    for line, following in zip_longest(lines, lines[1:]):
        below = _heading_of(line, following)
        by = _by(line, heading.by, performer, people, is_heading=below is not None)
        if by and by != heading.by:
            heading = _Heading()
        heading = replace(below or heading, by=by)
        if below is not None and not unknown_words(line.tokens):
            found.append(ProgramLine(line.number, line.text, LineStatus.NOISE))
            continue
        found.append(_once(_line(line, heading, catalogue, people, rising=rising), first_lines))
    return tuple(found)


def _read(number: int, text: str) -> _Read:
    folded = fold_line(text)
    listed = _LISTED.match(folded)
    tokens = tuple(tokens_of(folded[listed.end() :] if listed else folded))
    return _Read(number, text.strip(), folded, tokens, *references_read(tokens), times_of(tokens, folded, text))


def _by(line: _Read, now: str, performer: set[str], people: set[str], *, is_heading: bool) -> str:
    """Return the composer of the lines from here on: `now`, unless this line names another composer or person."""
    words = {token.value for token in line.tokens}
    if (
        line.is_by_composer
        or (line.tokens and line.tokens[0].value in OPENING_WORDS)
        or (performer and performer <= words)
    ):
        return ""
    if line.references and not is_heading:
        return now
    if line.is_by_another:
        return _ANOTHER
    return _UNKNOWN if is_name(line.tokens, line.text, people) else now


def _heading_of(line: _Read, following: _Read | None) -> _Heading | None:
    """Return the facts of a heading such as "Nocturne:" or "Etudes Op. 10", or None for any other line."""
    if len(line.references) != 1 or (unknown_words(line.tokens) and not (following and _continues(following))):
        return None
    (only,) = line.references
    if only.number is not None or only.series is not None or only.key or only.nickname or only.is_posthumous:
        return None
    slot = _SLOT_OF_TITLE.get(only.title, "")
    if only.title in {"", "etude"} and only.opus in _SLOT_OF_OPUS and not only.count:
        return _Heading("etude", only.opus, _SLOT_OF_OPUS[only.opus])
    if only.opus:
        return _Heading(only.title, only.opus, slot) if following and _continues(following) else None
    return _Heading(only.title, "", slot)


def _continues(line: _Read) -> bool:
    """Whether a line names pieces of the opus above it: "No. 1 in A minor"."""
    return bool(line.references) and not any(each.title or each.opus or each.nickname for each in line.references)


def _line(line: _Read, heading: _Heading, catalogue: Catalogue, people: set[str], *, rising: bool) -> ProgramLine:
    if line.times.has_bad_link:
        return ProgramLine(line.number, line.text, LineStatus.UNKNOWN, why=Why.BAD_LINK)
    named = catalogue.by_name.get(line.folded) or _specified(line.folded, catalogue)
    second, url = begins(line.times, rising=rising)
    is_by_another = line.is_by_another or (heading.by == _ANOTHER and bool(line.references))
    if named and not is_by_another:
        status = LineStatus.MATCHED if len(named) == 1 else LineStatus.AMBIGUOUS
        found = ProgramLine(line.number, line.text, status, second=second, url=url)
        return _with_pieces(_doubted(found, Why.OTHER_COMPOSER if heading.by else Why.NONE), named, heading)
    if _is_noise(line, people):
        return ProgramLine(line.number, line.text, LineStatus.NOISE)
    if is_by_another:
        return ProgramLine(line.number, line.text, LineStatus.UNKNOWN, why=Why.OTHER_COMPOSER)
    references = [_under(heading, each) for each in _meant(line.references)]
    is_vague = bool(unknown_words(line.tokens))
    matches = [
        Match(Outcome.UNKNOWN) if _is_unspecific(each, is_vague) else match(each, catalogue) for each in references
    ]
    found = ProgramLine(line.number, line.text, LineStatus.UNKNOWN, second=second, url=url)
    pieces = {piece.id: piece for each in matches for piece in each.pieces}.values()
    doubt = Why.OTHER_COMPOSER if heading.by else doubt_of(line.tokens, line.unread, references, line.text, people)
    return _with_pieces(_doubted(_joined(found, references, matches, len(pieces)), doubt), pieces, heading)


def _doubted(line: ProgramLine, doubt: Why) -> ProgramLine:
    """Return the line; with a doubt, a certain line becomes ambiguous."""
    if not doubt or line.status not in {LineStatus.MATCHED, LineStatus.EXPANDED}:
        return line
    return replace(line, status=LineStatus.AMBIGUOUS, why=doubt)


def _is_unspecific(reference: Reference, is_vague: bool) -> bool:  # noqa: FBT001 - of its line
    """Whether a reference identifies no piece: a title alone, or a key alone among unknown words."""
    is_key = not (reference.title or reference.opus or reference.nickname or reference.is_posthumous)
    return reference.is_empty or (is_key and is_vague)


def _joined(line: ProgramLine, references: list[Reference], matches: list[Match], count: int) -> ProgramLine:
    """Return the line with the combined result of its references, and the first reason for a doubt."""
    reasons = [(each.why, about) for each, about in zip(matches, references, strict=True) if each.why]
    why, about = reasons[0] if reasons else (Why.NONE, None)
    return replace(line, status=_status([each.outcome for each in matches], count), why=why, about=about)


def _status(outcomes: Sequence[Outcome], count: int) -> LineStatus:
    if outcomes and all(each in {Outcome.MATCHED, Outcome.WHOLE} for each in outcomes):
        return LineStatus.MATCHED if count == 1 else LineStatus.EXPANDED
    if not count:
        return LineStatus.UNKNOWN
    return LineStatus.CONTRADICTORY if Outcome.CONTRADICTORY in outcomes else LineStatus.AMBIGUOUS


def _with_pieces(line: ProgramLine, pieces: Iterable[CataloguePiece], heading: _Heading) -> ProgramLine:
    """Return the line with these pieces in their slots, as its pieces or as its choices."""
    slotted = tuple(SlottedPiece(piece, _slot(piece, heading)) for piece in pieces)
    is_found = line.status in {LineStatus.MATCHED, LineStatus.EXPANDED}
    return replace(line, pieces=slotted) if is_found else replace(line, choices=slotted)


def _slot(piece: CataloguePiece, heading: _Heading) -> str:
    """Return the slot of a piece: the heading's for an étude, the piece's category for any other."""
    is_etude = piece.category in {Category.ETIUDA_A, Category.ETIUDA_B}
    return heading.slot if heading.slot and is_etude else piece.category


def _meant(references: Sequence[Reference]) -> list[Reference]:
    """Return the references without bare titles that another reference has."""
    telling = [each for each in references if not each.is_empty]
    titles = {each.title for each in telling}
    return telling + [each for each in references if each.is_empty and each.title not in titles]


def _under(heading: _Heading, reference: Reference) -> Reference:
    """Return the reference, completed by the facts of the heading above."""
    if reference.opus or reference.nickname or reference.title not in {"", heading.title}:
        return reference
    return replace(reference, title=heading.title, opus=heading.opus)


def _specified(folded: str, catalogue: Catalogue) -> list[CataloguePiece]:
    """Return the pieces with all parts of a line in the specified format (section 5) in their name."""
    found = _SPECIFIED.fullmatch(folded)
    if found is None:
        return []
    parts = [found["title"], f"in {found['key']}"]
    parts += [f"op. {found['opus'].rstrip(',')}"] if found["opus"] else []
    parts += [f"no. {found['number']}"] if found["number"] else []
    wanted = [re.compile(rf"(?<!\w){re.escape(part)}(?!\w)") for part in parts]
    named = (pieces for name, pieces in catalogue.by_name.items() if all(each.search(name) for each in wanted))
    return [piece for pieces in named for piece in pieces]


def _is_noise(line: _Read, people: set[str]) -> bool:
    """Whether a line has no reference to a piece: a bare time, a date, a rule, a name, heading words."""
    if line.references:
        return False
    if line.tokens and line.tokens[0].value in OPENING_WORDS:
        return True
    return not unknown_words(line.tokens, people)


def _once(line: ProgramLine, first_lines: dict[int, int]) -> ProgramLine:
    """Return the line, or a noise line if earlier lines already have all its pieces."""
    ids = [each.piece.id for each in line.pieces]
    earlier = [first_lines[each] for each in ids if each in first_lines]
    if ids and len(earlier) == len(ids):
        return ProgramLine(line.number, line.text, LineStatus.NOISE, same_as=earlier[0])
    for each in ids:
        first_lines.setdefault(each, line.number)
    return line


@dataclass(frozen=True, slots=True)
class Decisions:
    """Decisions of an administrator by the marks of lines; an empty mapping has none.

    `slots` are categories by line and piece. `taken` are the ticked pieces of a line with several. `picked` is the
    chosen candidate of a line. `named` is the name of another piece for a line.
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
        pieces = (each for each in line.choices if each.piece.id == decisions.picked.get(line.mark))
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
    found = catalogue.by_name.get(fold_line(name), [])
    if len(found) != 1:
        raise ValidationError({f"name-{line.mark}": "This piece is not in the catalogue."})
    slot = line.pieces[0].slot if len(line.pieces) == 1 else found[0].category
    return (SlottedPiece(found[0], slot),)


def _slotted(line: ProgramLine, each: SlottedPiece, decisions: Decisions) -> SlottedPiece:
    return SlottedPiece(each.piece, decisions.slots.get((line.mark, each.piece.id), each.slot))
