"""Parse a pasted program: the result of each of its lines."""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from apps.competition.enums import SPECIFIED, Category
from apps.imports.enums import LineStatus
from apps.imports.program_lines.catalogue import Catalogue, CataloguePiece, opus_order
from apps.imports.program_lines.damage import is_damaged
from apps.imports.program_lines.exclusions import Exclusion, exclusion_split
from apps.imports.program_lines.folding import fold_line
from apps.imports.program_lines.matching import (
    CHOICES,
    Match,
    Outcome,
    Why,
    doubt_of,
    is_name,
    loose_settled,
    match,
    match_title,
    only_titled,
    unknown_words,
)
from apps.imports.program_lines.movements import is_movements_line, movement_number, without_movements
from apps.imports.program_lines.names import single_titles
from apps.imports.program_lines.performances import without_performers
from apps.imports.program_lines.references import Reference, references_read
from apps.imports.program_lines.results import ProgramLine, SlottedPiece
from apps.imports.program_lines.starts import TimedPart, sets_headed, starts_added
from apps.imports.program_lines.times import Times, begins, rises, times_of
from apps.imports.program_lines.tokens import Kind, Token, tokens_of
from apps.imports.program_lines.vocabulary import COMPOSER, OPEN_WORDS, OPENING_WORDS

# "1.", "2)", "I.", "•", "–" before the text; not a number joined to the next one
_LISTED = re.compile(r"(?:\(?\d{1,3}[.)\]](?!\d)|[ivx]{1,4}[.)]|[a-z]\)|-{1,3}|\*|>)\s*")
_SPECIFIED = re.compile(
    r"(?P<title>\S\D{0,100}?) in (?P<key>\S.{0,20}? ?(?:major|minor))(?:,? op\. ?(?P<opus>\S{1,10}))?"
    r"(?:,? no\. ?(?P<number>\d{1,3}))?"
)
# The specification's slots, for the headings of its programs: two books of études, and the titles of the others.
_SLOT_OF_OPUS = {slot.opus: slot for slot in SPECIFIED if slot.opus}
_SLOT_OF_TITLE = {slot.genres[0]: slot for slot in SPECIFIED if not slot.opus}
_SLOT_TITLES = frozenset(genre for slot in SPECIFIED for genre in slot.genres)


@dataclass(frozen=True, slots=True)
class _Read:
    """A line before it is matched with the catalogue; `tokens` are without those of the exclusion."""

    number: int
    text: str
    folded: str
    tokens: tuple[Token, ...]
    references: tuple[Reference, ...]
    unread: tuple[Token, ...]
    times: Times
    exclusion: Exclusion | None = None

    @property
    def has_numbers_only(self) -> bool:
        """Whether the line consists of numbers, such as those of an opus named above it."""
        kinds = {token.kind for token in self.tokens}
        return Kind.INTEGER in kinds and kinds <= {Kind.INTEGER, Kind.BREAK, Kind.SIGN}

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
    number: int = 0  # the line of a heading that names an opus
    by: str = ""  # the composer of the lines below: empty for this catalogue's, else `_ANOTHER` or `_UNKNOWN`


_CERTAIN = frozenset({Outcome.MATCHED, Outcome.WHOLE})
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
    found, heading, first_lines = list[ProgramLine](), _Heading(), dict[int, int]()
    above: CataloguePiece | None = None  # the work to which movements below belong
    parts, work_number = list[TimedPart](), 0
    for line, following in zip(lines, _followers(lines), strict=True):
        if is_movements_line(line.tokens, above) and not (following and above is None and _continues(following)):
            parts += _movement(line, above, work_number)
            found.append(ProgramLine(line.number, line.text, LineStatus.NOISE, why=Why.MOVEMENT))
            continue
        below = _heading_of(line, following, catalogue)
        if below is not None and is_damaged(line.text, line.tokens):  # what it gave to its lines is lost
            below, heading = None, _Heading(by=heading.by)
        by = _by(line, heading.by, performer, people, is_heading=below is not None)
        if by and by != heading.by:
            heading = _Heading()
        heading = replace(below or heading, by=by)
        if below is not None and not unknown_words(line.tokens):
            heading = replace(heading, number=line.number if heading.opus else 0)
            second, url = begins(line.times, rising=rising)
            found.append(ProgramLine(line.number, line.text, LineStatus.NOISE, (), (), second, url, why=Why.HEADING))
            continue
        result = _line(line, heading, catalogue, people, rising=rising)
        result = replace(result, below=heading.number if _continues(line) and len(result.pieces) == 1 else 0)
        found.append(_once(result, first_lines))
        heading = _after(result, line, heading)
        above, work_number = _work_above(found[-1]), line.number
        if (item := found[-1].same_as or result.below) and len(result.pieces) == 1:
            parts.append(TimedPart(line.number, item, result.pieces[0].piece.id, 0, line.times))
    return starts_added(sets_headed(found, catalogue), parts, {line.number: line.times for line in lines})


def _after(result: ProgramLine, line: _Read, heading: _Heading) -> _Heading:
    """Return the heading of the lines below: an opus ends where a line names several pieces of another one."""
    is_other = heading.opus not in {"", *(each.opus for each in line.references)}
    return (
        _Heading(by=heading.by)
        if result.status is LineStatus.EXPANDED and is_other and not _continues(line)
        else heading
    )


def _movement(line: _Read, work: CataloguePiece | None, work_number: int) -> list[TimedPart]:
    """Return the movement of the work above that a line means, empty if that is uncertain."""
    number = movement_number(line.folded, line.tokens, work) if work is not None else None
    return [TimedPart(line.number, work_number, work.id, number, line.times)] if work is not None and number else []


def _work_above(line: ProgramLine) -> CataloguePiece | None:
    """Return the work of a line to which movements on the lines below belong."""
    (only, *_) = (*(each.piece for each in (*line.pieces, *line.choices)), None)
    return only if only is not None and only.part_words else None


def _followers(lines: Sequence[_Read]) -> list[_Read | None]:
    """Return for each line the next one that names a piece, or a number alone."""
    following, found = None, list[_Read | None]()
    for line in reversed(lines):
        found.append(following)
        following = line if line.references or line.has_numbers_only else following
    return found[::-1]


def _read(number: int, text: str) -> _Read:
    folded = fold_line(text)
    listed = _LISTED.match(folded)
    all_tokens = tokens_of(folded[listed.end() :] if listed else folded)
    tokens, exclusion = exclusion_split(without_movements(without_performers(all_tokens)))
    times = times_of(all_tokens, folded, text)
    return _Read(number, text.strip(), folded, tokens, *references_read(tokens), times, exclusion)


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


def _heading_of(line: _Read, following: _Read | None, catalogue: Catalogue) -> _Heading | None:
    """Return the facts of a heading such as "Nocturne:" or "Etudes Op. 10", or None for any other line.

    A line with an opus, or with a title outside the categories ("Barcarolle"), is a heading only if the next piece can
    be below it.
    """
    has_numbers = line.exclusion or any(each.kind is not Kind.WORD for each in line.unread)
    if not line.references or has_numbers or not all(map(_is_bare, line.references)):
        return None
    if unknown_words(line.tokens) and not (following and _continues(following)):
        return None
    titles, opuses = {each.title for each in line.references}, set().union(*map(_opuses, line.references))
    if len(titles) > 1 or (len(opuses) > 1 and not opuses <= _SLOT_OF_OPUS.keys()):
        return None
    (title,) = titles
    if not opuses:
        is_single = title not in _SLOT_TITLES and not (following and _is_below(following, title, ()))
        if title in single_titles() and only_titled(title, catalogue):  # a work, unless the next line completes it
            is_single = not (following and _continues(following))
        return None if is_single else _Heading(title, "", _SLOT_OF_TITLE.get(title, ""))
    opus = "".join(opuses) if len(opuses) == 1 else ""
    is_etude = title in {"", "etude"} and opuses <= _SLOT_OF_OPUS.keys()
    if is_etude and not any(each.count for each in line.references):
        is_above = following is not None and _is_below(following, "etude", opuses)
        return _Heading("etude", opus, _SLOT_OF_OPUS.get(opus, "")) if is_above else None
    is_above = following is not None and _continues(following) and bool(opus)
    return _Heading(title, opus, _SLOT_OF_TITLE.get(title, "")) if is_above else None


def _opuses(reference: Reference) -> set[str]:
    """Return the opuses that a reference of a heading names: two of "Etudes Op. 10 & 25"."""
    return {each for each in (reference.opus, str(reference.number or "")) if each}


def _is_bare(reference: Reference) -> bool:
    """Whether a reference has no fact but its title and its opus, or the opuses of two books of études."""
    single = reference.series is not None or reference.key or reference.nickname or reference.is_posthumous
    is_opus = reference.is_loose and str(reference.number) in _SLOT_OF_OPUS
    return not single and (reference.number is None or is_opus)


def _is_below(line: _Read, title: str, opuses: Collection[str]) -> bool:
    """Whether a line can be below a heading of this title and these opuses, of any without one; no heading can."""
    if line.has_numbers_only:
        return len(opuses) == 1
    if all(_is_bare(each) and (each.opus or not opuses) for each in line.references):
        return False
    is_of = all(not opuses or each.opus in {"", *opuses} for each in line.references)
    return is_of and all(each.title in {"", title} for each in line.references)


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
    line = _with_numbers(line, heading, catalogue)
    if _is_noise(line, people):
        if is_damaged(line.text, line.tokens):
            return ProgramLine(line.number, line.text, LineStatus.UNKNOWN, why=Why.DAMAGED)
        return ProgramLine(line.number, line.text, LineStatus.NOISE)
    if is_by_another:
        return ProgramLine(line.number, line.text, LineStatus.UNKNOWN, why=Why.OTHER_COMPOSER)
    references = loose_settled([_under(heading, each) for each in _meant(line.references)], catalogue)
    if line.exclusion:
        references = [_as_whole(each) for each in references]
    doubt = Why.OTHER_COMPOSER if heading.by else _doubt(line, references, people)
    found = ProgramLine(line.number, line.text, LineStatus.UNKNOWN, second=second, url=url)
    found = replace(found, is_several=_is_several(line, references))
    return _with_pieces(*_matched(found, line, references, catalogue, doubt), heading)


def _doubt(line: _Read, references: Sequence[Reference], people: Collection[str]) -> Why:
    """Return why the pieces of a line are uncertain although they fit."""
    why = doubt_of(line.tokens, line.unread, references, line.text, people)
    why = why or (Why.LEFT_OVER if line.has_numbers_only else Why.NONE)
    if why or not all(map(_is_bare, references)):
        return why
    is_heading = all(
        each.title in {"", "etude"} and each.opus in _SLOT_OF_OPUS and not each.count for each in references
    )
    return Why.HEADING if is_heading and not line.exclusion else Why.NONE


def _as_whole(reference: Reference) -> Reference:
    """Return a reference to an opus of which pieces are excluded: it means all others, also in the singular."""
    return replace(reference, is_plural=True) if reference.opus and _is_bare(reference) else reference


def _is_several(line: _Read, references: Sequence[Reference]) -> bool:
    """Whether a line names several pieces, not one of several."""
    is_open = any(token.value in OPEN_WORDS for token in line.tokens)
    return any(each.is_plural or each.is_whole_opus for each in references) or (len(references) > 1 and not is_open)


def _matched(
    found: ProgramLine, line: _Read, references: list[Reference], catalogue: Catalogue, doubt: Why
) -> tuple[ProgramLine, Iterable[CataloguePiece]]:
    """Return the line with its status, and the pieces of its references without those that it excludes."""
    is_vague = bool(unknown_words(line.tokens))
    is_alone = len(references) == 1
    matches = [_match(each, catalogue, is_vague=is_vague, is_alone=is_alone) for each in references]
    matches = _ordered(references, matches)
    pieces = {piece.id: piece for each in matches for piece in each.pieces}
    if doubt is Why.LEFT_OVER and (possible := [piece for each in references for piece in _of_plural(each, catalogue)]):
        pieces = {piece.id: piece for piece in opus_order({*pieces.values(), *possible})}
    if line.exclusion:
        excluded, is_clear = _excluded(line.exclusion, catalogue)
        doubt = doubt or (Why.NONE if is_clear and excluded and excluded <= pieces.keys() else Why.LEFT_OVER)
        pieces = {pk: piece for pk, piece in pieces.items() if pk not in excluded}
    joined = _joined(found, references, matches, len(pieces))
    if line.exclusion and not pieces:
        joined = replace(joined, why=Why.LEFT_OVER)
    return _doubted(joined, doubt), pieces.values()


def _match(reference: Reference, catalogue: Catalogue, *, is_vague: bool, is_alone: bool) -> Match:
    """Return the pieces of a reference on its line, on which it is alone or which has unknown words."""
    if reference.is_weak and not (reference.key or reference.opus or reference.nickname):
        return Match(Outcome.UNKNOWN)
    if reference.is_empty and reference.title and not is_vague:
        found = match_title(reference, catalogue)
        return found if is_alone or found.outcome in _CERTAIN else Match(Outcome.UNKNOWN)
    return Match(Outcome.UNKNOWN) if _is_unspecific(reference, is_vague) else match(reference, catalogue)


def _ordered(references: Sequence[Reference], matches: list[Match]) -> list[Match]:
    """Return the matches, certain where a list has all pieces that editions number differently: "Op. 33 Nos. 1-4"."""
    for opus in {each.opus for each in references if each.opus and each.number is not None}:
        places = [at for at, each in enumerate(references) if (each.opus, each.key) == (opus, "") and each.number]
        pieces = {piece.id: piece for at in places for piece in matches[at].pieces}
        is_open = any(matches[at].outcome is Outcome.AMBIGUOUS for at in places)
        if is_open and len(pieces) == len(places) and all(matches[at].pieces for at in places):
            for at, piece in zip(places, opus_order(pieces.values()), strict=True):
                matches[at] = Match(Outcome.MATCHED, (piece,))
    return matches


def _of_plural(reference: Reference, catalogue: Catalogue) -> Iterable[CataloguePiece]:
    """Return the pieces of an opus or a title in the plural: a line that is not understood may mean any of them."""
    if not reference.is_plural:
        return ()
    if reference.opus:
        of_opus = catalogue.by_opus.get(reference.opus, ())
        return (piece for piece in of_opus if not reference.title or piece.is_called(reference.title))
    of_title = catalogue.by_title.get(reference.title, ())
    return of_title if reference.series is not None and len(of_title) <= CHOICES else ()


def _excluded(exclusion: Exclusion, catalogue: Catalogue) -> tuple[set[int], bool]:
    """Return the ids of the pieces that a line excludes, and whether it is certain that these are meant."""
    matches = [match(each, catalogue) for each in exclusion.references]
    is_clear = exclusion.is_clear and all(each.outcome in _CERTAIN for each in matches)
    return {piece.id for each in matches if each.outcome in _CERTAIN for piece in each.pieces}, is_clear


def _with_numbers(line: _Read, heading: _Heading, catalogue: Catalogue) -> _Read:
    """Return a line of numbers alone with the pieces that it may mean: of the opus above it, or as "10/4"."""
    if not line.has_numbers_only:
        return line
    first, *rest = line.tokens
    kind = Kind.NUMBER if heading.opus else Kind.OPUS
    if first.kind is not Kind.INTEGER or (kind is Kind.OPUS and not _is_place(line.tokens, catalogue)):
        return line
    references, _ = references_read((replace(first, kind=kind), *rest))
    return replace(line, references=references, unread=(first,))


def _is_place(tokens: Sequence[Token], catalogue: Catalogue) -> bool:
    """Whether numbers alone begin with opus and number of a piece: "10/4"."""
    opus, stroke, number = (*(each.value for each in tokens[:3]), "", "", "")[:3]
    return stroke == "/" and any(str(piece.number) == number for piece in catalogue.by_opus.get(opus, ()))


def _doubted(line: ProgramLine, doubt: Why) -> ProgramLine:
    """Return the line; with a doubt, a certain line becomes ambiguous. No contradiction of a damaged line is one."""
    if doubt is Why.DAMAGED:
        status = line.status if line.status is LineStatus.UNKNOWN else LineStatus.AMBIGUOUS
        return replace(line, status=status, why=doubt)
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
    if count and outcomes and all(each in _CERTAIN for each in outcomes):
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
    if line.references or line.exclusion:
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
