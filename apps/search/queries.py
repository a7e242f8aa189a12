"""What was typed, as the words that are searched for."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from apps.core.text_rules import storable
from apps.search.entries import NAMED, lexeme
from apps.search.enums import Kind
from apps.search.limits import QUERY_LENGTH, QUERY_PARTS, QUERY_WORDS
from apps.search.words import TRANSCRIBED, Compound, Part, compounds, flat_words, folded, grams

_READ = 10_000  # characters of which those to be searched for are taken
_NUMBER_SIGNS = frozenset(("n", "ndeg"))  # "n." and, folded, "n°"
_OPUS = frozenset(("op", "opus"))


@dataclass(frozen=True, slots=True)
class Wanted:
    """A folded word that must be there; with `is_prefix` as the beginning of a word.

    `is_prefix_of_name`: or as the beginning of a word of a name. `is_initial`: a letter with a full stop, which stands
    for a whole word of a name ("Z." for "Zofia").
    """

    word: str
    is_prefix: bool
    is_prefix_of_name: bool = False
    is_initial: bool = False

    def tsquery(self, kind: Kind, where: str, *, is_whole: bool) -> str:
        """Return the word as PostgreSQL reads a `tsquery`; with `is_whole` it is no beginning of a longer word."""
        is_named = where == NAMED
        # keys of pieces are letters as well ("c minor"), so only performers are found by a letter without a full stop
        is_letter = is_named and kind is Kind.PARTICIPANT and len(self.word) == 1 and self.word.isalpha()
        is_prefix = self.is_prefix or is_letter or (self.is_prefix_of_name and is_named)
        begins = (is_prefix and not is_whole) or (self.is_initial and is_named)
        return f"'{lexeme(kind, where, self.word)}'" + (":*" if begins else "")


Term = tuple[tuple[Wanted, ...], ...]  # one of them must be there completely


@dataclass(frozen=True, slots=True)
class Query:
    """The cut words as typed, what must be there, and all of it as one folded text."""

    words: str
    terms: tuple[Term, ...]
    phrase: str

    def tsquery(self, kind: Kind, where: str, *, is_whole: bool) -> str:
        """Return the condition as PostgreSQL reads a `tsquery`; with `is_whole` there are no beginnings of words."""

        def one(wanted: Wanted) -> str:
            return wanted.tsquery(kind, where, is_whole=is_whole)

        return " & ".join(f"({' | '.join(' & '.join(map(one, some)) for some in term)})" for term in self.terms)


@dataclass(frozen=True, slots=True)
class _Typed:
    """One compound as it was typed, between the last part of the one before and the first of the next one."""

    compound: Compound
    word: str
    plain: str
    before: str = ""
    after: str = ""


def query_read(typed: str) -> Query:
    """Return what was typed as a query; its length and the number of its words are limited."""
    words = storable(typed[:_READ].strip()[:QUERY_LENGTH]).split()[:QUERY_WORDS]
    terms, phrase = [], []
    for each in _neighbours(list(_within_limit(words))):
        terms.append(_term(each))
        phrase += [part.text for part in each.compound.parts]
    if len(terms) > 1:
        terms[-1] = _half_typed(terms[-1])
    return Query(" ".join(words), tuple(terms), " ".join(phrase))


def _within_limit(words: Iterable[str]) -> Iterator[_Typed]:
    """Yield the compounds of these words, at most QUERY_PARTS parts of them."""
    left = QUERY_PARTS
    for word in words:
        plain = folded(word)
        for compound in compounds(plain):
            cut = Compound(compound.parts[:QUERY_PARTS])
            left -= len(cut.parts)
            if left < 0:
                return
            yield _Typed(cut, word, plain.text)


def _neighbours(typed: Sequence[_Typed]) -> Iterator[_Typed]:
    for at, each in enumerate(typed):
        before = typed[at - 1].compound.parts[-1].text if at else ""
        after = typed[at + 1].compound.parts[0].text if at + 1 < len(typed) else ""
        yield replace(each, before=before, after=after)


def _term(typed: _Typed) -> Term:
    compound = typed.compound
    parts = tuple(wanted for part in compound.parts for wanted in _of_part(part, typed.plain))
    ways, joined = [parts], compound.joined
    if len(compound.parts) > 1 and not joined.startswith(TRANSCRIBED):
        ways.append((_wanted(joined),))
    ways.append((Wanted(f"{TRANSCRIBED}{joined.removeprefix(TRANSCRIBED)}", is_prefix=False),))
    if letters := flat_words(compound, typed.word):
        ways.append(tuple(Wanted(letter, is_prefix=False) for letter in letters))
    ways += _numbers(typed, parts)
    return tuple(dict.fromkeys(ways))


def _numbers(typed: _Typed, parts: tuple[Wanted, ...]) -> Iterator[tuple[Wanted, ...]]:
    """Yield "no" for "n." and "n°" before a number, and for the last number after "op" the beginning of one."""
    texts = [part.text for part in typed.compound.parts]
    if len(texts) != len(parts):
        return
    following = [*texts[1:], typed.after]
    signs = [text in _NUMBER_SIGNS and then.isdigit() for text, then in zip(texts, following, strict=True)]
    if any(signs):
        no = Wanted("no", is_prefix=False)
        yield tuple(no if is_sign else part for is_sign, part in zip(signs, parts, strict=True))
    if not typed.after and len(texts) == 1 and texts[0].isdigit() and typed.before in _OPUS:
        yield (Wanted(f"op{texts[0]}", is_prefix=True),)


def _of_part(part: Part, plain: str) -> list[Wanted]:
    if part.signs:
        return [Wanted(each, is_prefix=False) for each in grams(part.signs)]
    is_initial = len(part.text) == 1 and part.text.isalpha() and plain[part.end : part.end + 1] == "."
    return [replace(_wanted(part.text), is_initial=is_initial)]


def _half_typed(term: Term) -> Term:
    """Return the last of several terms: a single letter may be the beginning of a word of a name ("eric l")."""
    ways = (tuple(_may_begin(wanted) for wanted in way) for way in term)
    return tuple(ways)


def _may_begin(wanted: Wanted) -> Wanted:
    is_letter = len(wanted.word) == 1 and "a" <= wanted.word <= "z"
    return replace(wanted, is_prefix_of_name=True) if is_letter else wanted


def _wanted(word: str) -> Wanted:
    """Return a word; a single letter or a number is never the beginning of another one."""
    return Wanted(word, is_prefix=len(word) > 1 and not word.isdigit())
