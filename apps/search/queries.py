"""What was typed, as the words that are searched for."""

from dataclasses import dataclass, replace
from itertools import islice

from apps.core.text_rules import storable
from apps.search.entries import NAMED, lexeme
from apps.search.enums import Kind
from apps.search.limits import QUERY_LENGTH, QUERY_PARTS, QUERY_WORDS
from apps.search.words import TRANSCRIBED, Compound, Part, compounds, flats, folded, grams

_READ = 10_000  # characters of which those to be searched for are taken


@dataclass(frozen=True, slots=True)
class Wanted:
    """A folded word that must be there, with `is_prefix` as the beginning of one; or only of a name's words."""

    word: str
    is_prefix: bool
    is_prefix_of_name: bool = False


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
            is_prefix = wanted.is_prefix or (wanted.is_prefix_of_name and where == NAMED)
            return f"'{lexeme(kind, where, wanted.word)}'" + (":*" if is_prefix and not is_whole else "")

        return " & ".join(f"({' | '.join(' & '.join(map(one, some)) for some in term)})" for term in self.terms)


def query_read(typed: str) -> Query:
    """Return what was typed as a query; its length and the number of its words are limited."""
    words = storable(typed[:_READ].strip()[:QUERY_LENGTH]).split()[:QUERY_WORDS]
    found = islice(((each, word) for word in words for each in compounds(folded(word))), QUERY_PARTS)
    pairs = [(Compound(compound.parts[:QUERY_PARTS]), word) for compound, word in found]
    left, terms, phrase = QUERY_PARTS, [], []
    for compound, word in pairs:
        left -= len(compound.parts)
        if left < 0:
            break
        terms.append(_term(compound, word))
        phrase += [part.text for part in compound.parts]
    if len(terms) > 1:
        terms[-1] = _half_typed(terms[-1])
    return Query(" ".join(words), tuple(terms), " ".join(phrase))


def _term(compound: Compound, word: str) -> Term:
    parts = tuple(wanted for part in compound.parts for wanted in _of_part(part))
    ways, joined = [parts], compound.joined
    if len(compound.parts) > 1 and not joined.startswith(TRANSCRIBED):
        ways.append((_wanted(joined),))
    ways.append((Wanted(f"{TRANSCRIBED}{joined.removeprefix(TRANSCRIBED)}", is_prefix=False),))
    if letters := flats(compound, word):
        ways.append(tuple(Wanted(letter, is_prefix=False) for letter in letters))
    return tuple(dict.fromkeys(ways))


def _of_part(part: Part) -> list[Wanted]:
    if part.signs:
        return [Wanted(each, is_prefix=False) for each in grams(part.signs)]
    return [_wanted(part.text)]


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
