"""The works that a line may name: their names, nicknames, numbers of other catalogues and other numberings.

They are those of the competition's table of works and the further names in this app's vocabulary.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from apps.competition import works as competition
from apps.imports.program_lines.folding import fold_line
from apps.imports.program_lines.vocabulary import SILENT, TEMPI, TITLES, rows

_SURE = "="  # marks a name of the vocabulary that identifies a work without a title
_SERIES = "series no. "
_SIGNS = re.compile(r"""[-"()„,.]|(?<!\w)'|'(?!\w)""")
_OTHER_NUMBER = re.compile(r"(?:BI )?\d+/(\d+) in ")  # "33/3 in German first ed."

Place = tuple[str, str, int | None, str]  # genre, opus, number and key of a work


@dataclass(frozen=True, slots=True)
class Work:
    """Facts about a work; `names` are folded.

    `series` are its numbers among all works of its genre, which differ where editions order an opus in another way;
    `other_number` is its number in the opus in such an edition. `is_plain` means that its name is only its genre.
    """

    title: str = ""
    names: tuple[str, ...] = ()
    catalogues: tuple[str, ...] = ()
    series: frozenset[int] = frozenset()
    other_number: int | None = None
    is_plain: bool = True
    parts: tuple[str, ...] = ()


@cache
def works() -> Mapping[Place, Work]:
    """Return all works."""
    table = {(each.genre, each.opus, each.number, each.key): each for each in competition.works()}
    titles = Counter(title for each in table.values() for title in _titles(each))
    further, firsts = _further(), _firsts(table.values())
    return {
        place: _work(each, [title for title in _titles(each) if titles[title] == 1], further.get(place, ()), firsts)
        for place, each in table.items()
    }


def work_of(genre: str, opus: str, number: int | None, key: str) -> Work:
    """Return the facts about a piece; an empty `Work` for an unknown one."""
    return works().get((genre, opus, number, key), Work())


@cache
def places_named(name: str) -> frozenset[Place]:
    """Return the works with this name."""
    return frozenset(place for place, work in works().items() if name in work.names)


@cache
def name_pattern() -> re.Pattern[str]:
    """Return the pattern of all names in folded text, the longest first."""
    names = sorted({name for work in works().values() for name in work.names}, key=len, reverse=True)
    latin = (rf"(?<![a-z]){re.escape(name)}(?![a-z])" if name.isascii() else re.escape(name) for name in names)
    return re.compile("|".join(latin).replace(r"\ ", r"\W{1,4}"))


@cache
def sure_names() -> frozenset[str]:
    """Return the names that identify a work without a title: marked ones, and those that have a title in them."""
    marked = (
        plain(name.removeprefix(_SURE))
        for row in rows("works.csv")
        for name in row["nicknames"].split("|")
        if name.startswith(_SURE)
    )
    titled = (name for work in works().values() for name in work.names if any(word in TITLES for word in name.split()))
    return frozenset((*marked, *titled))


@cache
def catalogue_numbers() -> Mapping[str, str]:
    """Return the numbers of other catalogues by their folded form without blanks: "wn37", "kkiva/16"."""
    return {fold_line(each).replace(" ", ""): each for work in works().values() for each in work.catalogues}


def is_tempo(name: str) -> bool:
    """Whether a name consists of words of tempo, as "Largo": beside another title it is one of them."""
    return all(word in TEMPI for word in name.split())


@cache
def genres_with_parts() -> frozenset[str]:
    """Return the genres of which works have movements."""
    return frozenset(genre for (genre, *_), work in works().items() if work.parts and work.is_plain)


@cache
def single_titles() -> frozenset[str]:
    """Return the titles that only one work has without a further name: "Barcarolle"."""
    counts = Counter(
        title
        for work in works().values()
        if work.is_plain
        for title in {TITLES[word] for word in plain(work.title).split() if word in TITLES}
    )
    return frozenset(title for title, count in counts.items() if count == 1)


@cache
def part_words() -> frozenset[str]:
    """Return the words in the names of all movements of works that are plainly called by their genre."""
    return frozenset(word for work in works().values() if work.is_plain for word in words_of_parts(work.parts))


def words_of_parts(parts: Iterable[str]) -> frozenset[str]:
    """Return the words in these names of movements, folded."""
    return frozenset(word for part in parts for word in plain(part).split())


def _titles(work: competition.Work) -> set[str]:
    return {plain(title) for title in (work.title, *(title for title, _key in work.translations.values()))}


def plain(name: str) -> str:
    """Return a name folded and without signs between its words."""
    return " ".join(_SIGNS.sub(" ", fold_line(name)).split())


def _work(
    work: competition.Work, titles: Iterable[str], further: Iterable[str], firsts: Mapping[tuple[str, str], int]
) -> Work:
    series = {int(note.removeprefix(_SERIES)) for note in work.notes if note.startswith(_SERIES)}
    other = next((int(match[1]) for note in work.notes if (match := _OTHER_NUMBER.match(note))), None)
    if other is not None and series and work.number and (first := firsts.get((work.genre, work.opus))):
        series.add(first + work.number - 1)
    names = {plain(each) for each in work.nicknames} | set(titles) | set(further)
    return Work(
        title=work.title,
        names=tuple(sorted(each for each in names if len(each) > 1 and each not in TITLES)),
        catalogues=work.catalogues,
        series=frozenset(series),
        other_number=other,
        is_plain=_is_plain(plain(work.title).split()),
        parts=work.parts,
    )


def _is_plain(words: list[str]) -> bool:
    """Whether the words of a title are only those of one genre."""
    titles = {TITLES[word] for word in words if word in TITLES}
    is_one = len(titles) == 1 or any(" " in title for title in titles)
    return is_one and all(word in TITLES or word in SILENT for word in words)


def _firsts(table: Iterable[competition.Work]) -> Mapping[tuple[str, str], int]:
    """Return the lowest number in a series of the works of a genre and an opus."""
    found: dict[tuple[str, str], int] = {}
    for work in table:
        for note in work.notes:
            if note.startswith(_SERIES):
                number = int(note.removeprefix(_SERIES))
                found[work.genre, work.opus] = min(number, found.get((work.genre, work.opus), number))
    return found


def _further() -> Mapping[Place, tuple[str, ...]]:
    """Return the further names in this app's vocabulary."""
    return {
        (row["genre"], row["opus"], int(row["number"]) if row["number"] else None, row["key"]): tuple(
            plain(name.removeprefix(_SURE)) for name in row["nicknames"].split("|")
        )
        for row in rows("works.csv")
    }
