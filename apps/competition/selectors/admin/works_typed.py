"""Categories and works of the catalogue as an administrator types them: "ballades, op. 44, Polonaises op. 26"."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.db.models import Exists, OuterRef

from apps.competition.enums import Category
from apps.competition.limits import PARTS_MOST
from apps.competition.models import Piece, PiecePart
from apps.core.database.fields import plain

_NAMED = 4  # works that a question names
_WORDS = re.compile(r"(?:op|nos?)\.? ?[0-9a-z–-]+|[^\s,.]+")  # "op. 10" and "no. 4" stay together
_NUMBER = re.compile(r"(op|nos?)\.? ?([0-9a-z–-]+)")
_OPUS = re.compile(r"op\b")
_IS_SET = Exists(PiecePart.objects.filter(piece=OuterRef("pk"), member__isnull=False))


@dataclass(frozen=True, slots=True)
class WorksTyped:
    """What a text names, in its order: categories, and ids of pieces."""

    categories: tuple[Category, ...] = ()
    piece_ids: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class _Work:
    id: int
    name: str
    plain_name: str
    is_set: bool


def works_typed(text: str, *, field: str, only_single: bool = False) -> WorksTyped:
    """Return the categories and works that `text` names, separated by commas, semicolons or lines.

    A work is named by words and numbers of its name that no other work has all of. With `only_single` neither
    categories nor sets are looked for. Raises ValidationError at `field` for names that fit no work or several, and for
    more than PARTS_MOST. One query.
    """
    works = [
        _Work(pk, name, plain(name), is_set)
        for pk, name, is_set in Piece.objects.annotate(is_set=_IS_SET)
        .order_by("pk")
        .values_list("pk", "name", "is_set")
        if not (only_single and is_set)
    ]
    terms = _terms(text, works)
    if len(terms) > PARTS_MOST:
        raise ValidationError({field: ValidationError("Name at most %(most)d works.", params={"most": PARTS_MOST})})
    names: Mapping[str, Category] = {} if only_single else _category_names()
    categories: list[Category] = []
    pieces: list[int] = []
    errors: list[ValidationError] = []
    for term in terms:
        if plain(term) in names:
            categories.append(names[plain(term)])
            continue
        try:
            pieces.append(_work(term, works).id)
        except ValidationError as error:
            errors.append(error)
    if errors:
        raise ValidationError({field: errors})
    return WorksTyped(tuple(dict.fromkeys(categories)), tuple(pieces))


def _terms(text: str, works: Sequence[_Work]) -> list[str]:
    """Return the names in a text: a line is one whole name, or several ones between commas.

    An opus after a comma belongs to the title before it if both name one work.
    """
    terms: list[str] = []
    names = {each.plain_name for each in works}
    for line in re.split(r"[;\n]", text):
        whole, start = " ".join(line.split()), len(terms)
        if plain(whole) in names:
            terms.append(whole)
            continue
        for part in filter(None, (" ".join(each.split()) for each in line.split(",")[: 2 * PARTS_MOST])):
            joined = f"{terms[-1]}, {part}" if len(terms) > start and _OPUS.match(plain(part)) else ""
            if joined and len(_fitting(joined, works)) == 1:
                terms[-1] = joined
            else:
                terms.append(part)
        if len(terms) > PARTS_MOST:
            break
    return terms


def _category_names() -> Mapping[str, Category]:
    """Return the categories by key, label and plural, in plain letters."""
    return {plain(name): each for each in Category for name in (each.value, str(each.label), each.plural)}


def _fitting(term: str, works: Sequence[_Work]) -> Sequence[_Work]:
    """Return the works with exactly this name, else those with all of its words and numbers."""
    exact = [each for each in works if each.plain_name == plain(term)]
    patterns = [_pattern(word) for word in _WORDS.findall(plain(term))]
    return exact or [each for each in works if patterns and all(one.search(each.plain_name) for one in patterns)]


def _work(term: str, works: Sequence[_Work]) -> _Work:
    """Return the work that a term names. Raises ValidationError for none and for several."""
    found = _fitting(term, works)
    if len(found) == 1:
        return found[0]
    if not found:
        raise ValidationError("No work of the catalogue fits “%(term)s”.", params={"term": term})
    named = "; ".join(each.name for each in found[:_NAMED])
    more = " …" if len(found) > _NAMED else ""
    sentence = "Several works fit “%(term)s”: %(works)s. Write more of the name."
    raise ValidationError(sentence, params={"term": term, "works": named + more})


def _pattern(word: str) -> re.Pattern[str]:
    number = _NUMBER.fullmatch(word)
    body = rf"{number[1]}\. {re.escape(number[2])}" if number else re.escape(word)
    return re.compile(rf"(?<![0-9a-z]){body}(?![0-9a-z])")
