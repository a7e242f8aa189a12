"""References of a line: for each piece its title, key, opus and number."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from apps.imports.limits import LINE_REFERENCES
from apps.imports.program_lines.catalogue import POSTHUMOUS
from apps.imports.program_lines.tokens import CLOSING, LARGEST, OPENING, RANGE_WORDS, ROMAN, Kind, Token

_JOINTS = frozenset("/-.:")  # between opus and number: "10/4", "10-4"
_END = Token(Kind.SIGN, "", 0, 0)


@dataclass(frozen=True, slots=True)
class Reference:
    """Facts about one piece, or about the pieces of one opus; missing facts are empty or None."""

    title: str = ""
    opus: str = ""
    number: int | None = None  # after an opus
    series: int | None = None  # before an opus, or without one: among all nocturnes
    key: str = ""
    nickname: str = ""
    is_posthumous: bool = False
    is_plural: bool = False
    count: int | None = None
    is_loose: bool = False  # a bare number after an opus, which may be another opus: "Op. 10, 1 and 2", "Op. 10 & 25"
    written: frozenset[str] = field(default=frozenset())  # own facts, not inherited ones

    @property
    def is_empty(self) -> bool:
        """Whether it has no fact that identifies a piece."""
        return not (self.written & {"opus", "number", "series", "key", "nickname", "posthumous"})

    @property
    def is_whole_opus(self) -> bool:
        """Whether it means all pieces of an opus: "Nocturnes Op. 27", "4 Mazurken op. 24"."""
        single = self.number is not None or self.series is not None or self.key or self.nickname
        return bool(self.opus and not single and (self.is_plural or self.count))


class _Reader:
    """Collect facts in the order of a line; a second value for a fact begins the next piece."""

    def __init__(self) -> None:
        self.found: list[Reference] = []
        self.now = Reference()
        self.unread: list[Token] = []

    def title(self, token: Token, count: int | None) -> None:
        if (self.now.title, token.value) == ("nouvelle etude", "etude"):
            return
        if "title" in self.now.written and self.now.title != token.value:
            self._next(Reference())
        elif self.now.title and self.now.title != token.value:  # inherited from the reference before
            self.now = replace(self.now, opus=self.now.opus if "opus" in self.now.written else "")
        plural = self.now.is_plural or token.is_plural
        self._note(title=token.value, is_plural=plural, count=self.now.count or count)

    def key(self, key: str) -> None:
        if self.now.key and self.now.key != key:
            self._next(self._same_opus())
        self._note(key=key)

    def opus(self, opus: str) -> None:
        if self.now.opus and self.now.opus != opus and ("opus" in self.now.written or self.now.number is not None):
            self._next(Reference(title=self.now.title, is_plural=self.now.is_plural))
        self._note(opus=opus)

    def number(self, number: int, *, is_loose: bool = False) -> None:
        if self.now.opus:
            if self.now.number is not None and self.now.number != number:
                self._next(self._same_opus())
            self._note(number=number)
            self.now = replace(self.now, is_loose=is_loose)
        else:
            if self.now.series is not None and self.now.series != number:
                self._next(self._same_opus())
            self._note(series=number)

    def nickname(self, nickname: str) -> None:
        if self.now.nickname and self.now.nickname != nickname:
            self._next(Reference(title=self.now.title))
        self._note(nickname=nickname)

    def posthumous(self) -> None:
        self.now = replace(self.now, is_posthumous=True, written=self.now.written | {"posthumous"})

    def ascertain(self, first: int) -> None:
        """Make the references from this index on certain."""
        self.found[first:] = [replace(each, is_loose=False) for each in self.found[first:]]
        self.now = replace(self.now, is_loose=False)

    def end(self) -> tuple[Reference, ...]:
        self._next(Reference())
        return tuple(self.found)

    def _note(self, **facts: Any) -> None:
        self.now = replace(self.now, written=self.now.written.union(facts), **facts)

    def _same_opus(self) -> Reference:
        return Reference(title=self.now.title, opus=self.now.opus, is_plural=self.now.is_plural)

    def _next(self, begun: Reference) -> None:
        if self.now.written:
            self.found.append(self.now)
        self.now = begun


def references_of(tokens: Sequence[Token]) -> tuple[Reference, ...]:
    """Return the references of a line, in its order; a title alone is a reference too."""
    return references_read(tokens)[0]


def references_read(tokens: Sequence[Token]) -> tuple[tuple[Reference, ...], tuple[Token, ...]]:
    """Return the references of a line, and the words and numbers that no reference uses. Linear in the tokens."""
    reader = _Reader()
    index = 0
    while index < len(tokens):
        if len(reader.found) >= LINE_REFERENCES:
            reader.unread += tokens[index:]
            break
        if tokens[index].kind in {Kind.COUNT, Kind.WORD}:
            reader.unread.append(tokens[index])
        index += _read(reader, tokens, index)
    return _with_one_opus(reader.end()), tuple(reader.unread)


def _read(reader: _Reader, tokens: Sequence[Token], index: int) -> int:
    """Read the fact at `index` and return its number of tokens."""
    token = tokens[index]
    match token.kind:
        case Kind.TITLE:
            return _title(reader, tokens, index)
        case Kind.KEY:
            reader.key(token.value)
        case Kind.OPUS:
            reader.opus(token.value)
            return 1 + _numbers_behind_opus(reader, tokens, index)
        case Kind.NUMBER:
            return _numbers(reader, tokens, index)
        case Kind.NICKNAME:
            reader.nickname(token.value)
        case Kind.POSTHUMOUS:
            reader.posthumous()
        case Kind.INTEGER:
            return _opus_and_number(reader, tokens, index)
    return 1


def _title(reader: _Reader, tokens: Sequence[Token], index: int) -> int:
    """Read a title with the count before it and the number after it; return the number of tokens from `index` on."""
    count = _count_before(tokens, index)
    if count is not None:
        reader.unread.pop()
    reader.title(tokens[index], count)
    return 1 + _series_behind(reader, tokens, index)


def _count_before(tokens: Sequence[Token], index: int) -> int | None:
    """Return the number of pieces that precedes the title at `index`: "4 Mazurken", "四首玛祖卡"."""
    if index == 0:
        return None
    before, title = tokens[index - 1], tokens[index]
    if before.kind == Kind.COUNT or (before.kind == Kind.INTEGER and title.is_plural):
        return int(before.value)
    return None


def _series_behind(reader: _Reader, tokens: Sequence[Token], index: int) -> int:
    """Read the bare numbers after a title, as in "Scherzo 2" and "Scherzi 1-4", and return their number of tokens."""
    first, second, _ = _following(tokens, index)
    number = int(first.value) if first.kind == Kind.INTEGER else ROMAN.get(first.value, 0)
    if not 0 < number <= LARGEST or second.value == "/":
        return 0
    reader.number(number)
    return 1 + (_list_behind(reader, tokens, index + 1) if first.kind == Kind.INTEGER else 0)


def _numbers_behind_opus(reader: _Reader, tokens: Sequence[Token], index: int) -> int:
    """Read the numbers in "op. 10/4", "op.25.6", "Op. 10 (1, 2)" and "Op. 10, 1 and 2"; return their number of tokens.

    Numbers in brackets are certain if they are several: "(4)" may be the number of pieces.
    """
    joint, number, _ = _following(tokens, index)
    if joint.value in _JOINTS and number.kind == Kind.INTEGER and int(number.value) <= LARGEST:
        reader.number(int(number.value))
        return 2 + _list_behind(reader, tokens, index + 2)
    is_joined = joint.value in OPENING or joint.kind == Kind.BREAK
    first = index + 2 if is_joined else index + 1
    if not _is_bare_number(tokens, first):
        return 0
    if not is_joined:  # "Op. 10 1 2" may be op. 10 no. 12
        reader.unread.append(tokens[first])
    before = len(reader.found)
    reader.number(int(tokens[first].value), is_loose=True)
    last = first + _list_behind(reader, tokens, first, is_loose=True)
    if joint.value in OPENING and _following(tokens, last)[0].value in CLOSING and len(reader.found) > before:
        reader.ascertain(before)
    return last - index


def _is_bare_number(tokens: Sequence[Token], index: int) -> bool:
    """Whether the token is a number that can follow an opus: neither a year, nor a count, nor another opus."""
    if index >= len(tokens) or tokens[index].kind != Kind.INTEGER or not 0 < int(tokens[index].value) <= LARGEST:
        return False
    behind = _following(tokens, index)[0]
    return behind.kind not in {Kind.TITLE, Kind.KEY} and behind.value != "/"


def _opus_and_number(reader: _Reader, tokens: Sequence[Token], index: int) -> int:
    """Read "10/4" behind a title or an opus, return its number of tokens; another number is one unread token."""
    joint, number, _ = _following(tokens, index)
    is_known = reader.now.title or reader.now.opus
    if joint.value != "/" or number.kind != Kind.INTEGER or not is_known or int(number.value) > LARGEST:
        reader.unread.append(tokens[index])
        return 1
    reader.opus(str(int(tokens[index].value)))
    reader.number(int(number.value))
    return 3 + _list_behind(reader, tokens, index + 2)


def _numbers(reader: _Reader, tokens: Sequence[Token], index: int) -> int:
    """Read "No. 4", "Nos. 1-4", "no.1 and 2" and return the number of tokens."""
    number = int(tokens[index].value)
    if number > LARGEST:
        reader.unread.append(tokens[index])
        return 1
    reader.number(number)
    return 1 + _list_behind(reader, tokens, index)


def _list_behind(reader: _Reader, tokens: Sequence[Token], index: int, *, is_loose: bool = False) -> int:
    """Read the further numbers of a list or range and return their number of tokens.

    "No. 1 - No. 6" may be two pieces: its dash stays unread.
    """
    last, taken = int(tokens[index].value), 0
    while True:
        joint, number, behind = _following(tokens, index + taken)
        if is_loose and joint.kind == Kind.INTEGER:  # "Op. 10 1 2 5"
            joint, number, behind, width = Token(Kind.BREAK, "", joint.start, joint.start), joint, number, 1
        else:
            width = 2
        is_range = joint.value in RANGE_WORDS and last < _value(number)
        is_numbered = is_range and number.kind == Kind.NUMBER
        is_listed = number.kind == Kind.INTEGER and (is_range or joint.kind == Kind.BREAK)
        is_other = behind.kind in {Kind.TITLE, Kind.KEY} or behind.value == "/"
        is_apart = number.is_aside != tokens[index].is_aside
        is_full = len(reader.found) >= LINE_REFERENCES
        is_foreign = is_other or is_apart or is_full
        if not 0 < _value(number) <= LARGEST or is_foreign or not (is_listed or is_numbered):
            return taken
        if is_numbered and joint.kind is not Kind.WORD and _value(number) > last + 1:
            reader.unread.append(joint)
        for each in range(last + 1, _value(number) + 1) if is_range else (_value(number),):
            reader.number(each, is_loose=is_loose)
        last, taken = _value(number), taken + width


def _value(token: Token) -> int:
    return int(token.value) if token.kind in {Kind.INTEGER, Kind.NUMBER} else 0


def _following(tokens: Sequence[Token], index: int) -> tuple[Token, Token, Token]:
    """Return the three tokens after `index`, padded with empty signs at the end of the line."""
    first, second, third = (*tokens[index + 1 : index + 4], _END, _END, _END)[:3]
    return first, second, third


def _with_one_opus(found: tuple[Reference, ...]) -> tuple[Reference, ...]:
    """Return the references, with the line's only opus added where it is missing: "no.1 and no.2 of op. 27"."""
    written = {each.opus for each in found if each.opus}
    if len(written) != 1:
        return found
    (opus,) = written
    return tuple(_of_opus(each, opus) if each.title in {"", found[-1].title} else each for each in found)


def _of_opus(reference: Reference, opus: str) -> Reference:
    """Return the reference with this opus if it has a number without an opus."""
    if reference.opus or reference.series is None:
        return reference
    return replace(reference, opus=opus, number=reference.series, series=None)


def opus_of(reference: Reference) -> str:
    """Return the reference's opus; POSTHUMOUS for "op. posth." without a number."""
    return reference.opus or (POSTHUMOUS if reference.is_posthumous else "")
