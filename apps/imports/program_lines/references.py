"""References of a line: for each piece its title, key, opus and number."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from apps.imports.limits import LINE_REFERENCES
from apps.imports.program_lines.catalogue import POSTHUMOUS
from apps.imports.program_lines.names import places_named
from apps.imports.program_lines.tokens import CLOSING, LARGEST, OPENING, ROMAN, Kind, Token
from apps.imports.program_lines.vocabulary import RANGE_WORDS

_JOINTS = frozenset("/-.:")  # between opus and number: "10/4", "10-4"
_OF = frozenset({"の", "의"})
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
    is_weak: bool = False  # its title is also another word, and nothing else tells that a piece is meant
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

    def title(self, token: Token, count: int | None, *, is_apart: bool) -> None:
        """Note a title, which may be apart from what is before it by a comma or word."""
        if (self.now.title, token.value) == ("nouvelle etude", "etude"):
            return
        if "title" in self.now.written and self.now.title != token.value:
            self._next(Reference())
        elif self.now.title and self.now.title != token.value:  # inherited from the reference before
            places = {"opus", "number"} if is_apart else {"number"}
            if self.now.written & places:
                self._next(Reference())
            else:
                self.now = replace(self.now, opus=self.now.opus if "opus" in self.now.written else "")
        plural = self.now.is_plural or token.is_plural
        weak = token.is_weak and self.now.title in {"", token.value} and "title" not in self.now.written
        self._note(title=token.value, is_plural=plural, count=self.now.count or count)
        self.now = replace(self.now, is_weak=weak)

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
        """Note a name; of two names of one work, the one of fewer works."""
        before = places_named(self.now.nickname) if self.now.nickname else frozenset()
        own = places_named(nickname)
        if before and before.isdisjoint(own):
            self._next(Reference(title=self.now.title))
        elif before and len(before) <= len(own):
            return
        self._note(nickname=nickname)

    def posthumous(self) -> None:
        opus = self.now.opus if "opus" in self.now.written else ""
        self.now = replace(self.now, opus=opus, is_posthumous=True, written=self.now.written | {"posthumous"})

    def apart(self, *, title: str) -> None:
        """Begin another work of this title if the present one has its place."""
        if self.now.written & {"opus", "number", "posthumous"}:
            self._next(Reference(title=title))

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
            _key(reader, tokens, index)
        case Kind.OPUS:
            reader.opus(token.value)
            return 1 + _numbers_behind_opus(reader, tokens, index)
        case Kind.NUMBER:
            return _numbers(reader, tokens, index)
        case Kind.NICKNAME:
            _nickname(reader, tokens, index)
        case Kind.POSTHUMOUS:
            reader.posthumous()
        case Kind.INTEGER:
            return _opus_and_number(reader, tokens, index)
    return 1


def _key(reader: _Reader, tokens: Sequence[Token], index: int) -> None:
    """Read a key; behind a comma and a work that has its name and place, it is another work's."""
    is_apart = index > 0 and tokens[index - 1].kind is Kind.BREAK
    if is_apart and reader.now.nickname and reader.now.is_posthumous:
        reader.apart(title=reader.now.title)
    reader.key(tokens[index].value)


def _nickname(reader: _Reader, tokens: Sequence[Token], index: int) -> None:
    """Read a name; behind a comma and with an own opus, it is another work's."""
    is_apart = index > 0 and tokens[index - 1].kind is Kind.BREAK
    if is_apart and _following(tokens, index)[0].kind in {Kind.OPUS, Kind.POSTHUMOUS}:
        reader.apart(title="")
    reader.nickname(tokens[index].value)


def _title(reader: _Reader, tokens: Sequence[Token], index: int) -> int:
    """Read a title with the count before it and the number after it; return the number of tokens from `index` on."""
    count, width = _count_before(tokens, index)
    del reader.unread[len(reader.unread) - width :]
    before = tokens[index - 1 - width] if index > width else _END
    reader.title(tokens[index], count, is_apart=before.kind is Kind.BREAK)
    return 1 + _series_behind(reader, tokens, index)


def _count_before(tokens: Sequence[Token], index: int) -> tuple[int | None, int]:
    """Return the number of pieces that precedes the title at `index`, and its unread tokens.

    "4 Mazurken", "四首玛祖卡", "24の前奏曲".
    """
    first, before = (_END, _END, *tokens[max(0, index - 2) : index])[-2:]
    title = tokens[index]
    if before.kind is Kind.COUNT or (before.kind is Kind.INTEGER and title.is_plural):
        return int(before.value), 1
    if first.kind is Kind.INTEGER and before.value in _OF:
        return int(first.value), 2
    return None, 0


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
    is_range = _is_range(tokens, first)
    if not is_joined and not is_range:  # "Op. 10 1 2" may be op. 10 no. 12
        reader.unread.append(tokens[first])
    before = len(reader.found)
    reader.number(int(tokens[first].value), is_loose=not is_range)
    last = first + _list_behind(reader, tokens, first, is_loose=not is_range)
    if joint.value in OPENING and _following(tokens, last)[0].value in CLOSING and len(reader.found) > before:
        reader.ascertain(before)
    return last - index


def _is_range(tokens: Sequence[Token], index: int) -> bool:
    """Whether the number at `index` begins a range without blanks: "1-4"."""
    dash, number, _ = _following(tokens, index)
    is_dash = dash.value == "-" and number.kind is Kind.INTEGER and number.start == dash.end
    return is_dash and dash.start == tokens[index].end and int(tokens[index].value) < int(number.value) <= LARGEST


def _is_bare_number(tokens: Sequence[Token], index: int) -> bool:
    """Whether the token is a number that can follow an opus: neither a year, nor a count, nor another opus."""
    if index >= len(tokens) or tokens[index].kind != Kind.INTEGER or not 0 < int(tokens[index].value) <= LARGEST:
        return False
    behind = _following(tokens, index)[0]
    if behind.kind is Kind.WORD and behind.start == tokens[index].end:  # "3Mazurkas"
        return False
    return behind.kind not in {Kind.TITLE, Kind.KEY} and behind.value != "/"


def _opus_and_number(reader: _Reader, tokens: Sequence[Token], index: int) -> int:
    """Read "10/4" behind a title or an opus, return its number of tokens; another number is one unread token."""
    joint, number, _ = _following(tokens, index)
    if joint.value == "/" and number.kind is Kind.INTEGER and _is_track(reader, tokens[index]):
        return 3
    is_known = reader.now.title or reader.now.opus
    if joint.value != "/" or number.kind != Kind.INTEGER or not is_known or int(number.value) > LARGEST:
        reader.unread.append(tokens[index])
        return 1
    reader.opus(str(int(tokens[index].value)))
    reader.number(int(number.value))
    return 3 + _list_behind(reader, tokens, index + 2)


def _is_track(reader: _Reader, token: Token) -> bool:
    """Whether a number in brackets behind an opus counts recordings: "Op. 30 No. 3 (39/154)"."""
    return token.is_aside and "opus" in reader.now.written and reader.now.opus != token.value


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
        is_counted = number.kind is Kind.COUNT and is_range and behind.kind is not Kind.TITLE  # 第13至18首
        is_listed = is_counted or (number.kind == Kind.INTEGER and (is_range or joint.kind == Kind.BREAK))
        is_other = behind.kind in {Kind.TITLE, Kind.KEY} or behind.value == "/"
        is_apart = number.is_aside != tokens[index].is_aside
        is_full = len(reader.found) >= LINE_REFERENCES
        is_foreign = is_other or is_apart or is_full
        if not 0 < _value(number) <= LARGEST or is_foreign or not (is_listed or is_numbered):
            return taken
        if is_numbered and joint.kind is not Kind.WORD and joint.value != "~" and _value(number) > last + 1:
            reader.unread.append(joint)
        for each in range(last + 1, _value(number) + 1) if is_range else (_value(number),):
            reader.number(each, is_loose=is_loose)
        last, taken = _value(number), taken + width


def _value(token: Token) -> int:
    return int(token.value) if token.kind in {Kind.INTEGER, Kind.NUMBER, Kind.COUNT} else 0


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
