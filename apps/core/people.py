"""The person that a line names: one index of names, and one rule of doubt for every list, file and pasted text.

A match is certain, or it is a question with candidates. Two names match if they are spelled alike (`name_key`), or have
the same words in any order, with or without the country. Of several matches the one that is written exactly counts. A
start number must belong to the named person, unless it may be the place in the list.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum
from typing import Generic, Protocol, TypeVar

from apps.core.text_rules import SIGNS, fold, name_key, same_text

LIKELY = 3  # people that are offered beside a question
_COMPARED = 10  # words of a line that are compared to find likely people
_LONG = 3  # letters of the shortest word that makes a name similar
_NEAR = 8  # near spellings that are offered
_WORD = re.compile(r"[a-z0-9]+")
_FORMS = frozenset("the of and republic peoples pr rep federation federal state kingdom islamic sar".split())
_SPELLINGS = {  # names of one country, folded, without `_FORMS`
    "usa": "unitedstates",
    "us": "unitedstates",
    "unitedstatesamerica": "unitedstates",
    "america": "unitedstates",
    "uk": "united",
    "greatbritain": "united",
    "britain": "united",
    "england": "united",
    "southkorea": "korea",
    "rok": "korea",
    "prc": "china",
    "czechia": "czech",
    "holland": "netherlands",
    "chinesetaipei": "taiwan",
    "taiwanchina": "taiwan",
    "hongkongchina": "hongkong",
    "macauchina": "macau",
    "macao": "macau",
    "russian": "russia",
    "slovak": "slovakia",
    "kyrgyz": "kyrgyzstan",
    "turkiye": "turkey",
    "belorussia": "belarus",
}


class PersonDoubt(StrEnum):
    """Why the person of a line is not certain."""

    NONE = ""
    NOT_FOUND = "unknown"
    SEVERAL = "several"
    OTHER_NAME = "name"  # the start number is that of a person with another name
    CONTRADICTION = "contradiction"  # number and name are two people's, or the name has another number


class Person(Protocol):
    """What a line is compared with."""

    @property
    def names(self) -> tuple[str, ...]:
        """The spellings of the whole name."""

    @property
    def country(self) -> str:
        """The country in English."""

    @property
    def start_number(self) -> int | None:
        """The start number, None without one."""


P = TypeVar("P", bound=Person)


@dataclass(frozen=True, slots=True)
class PersonFound(Generic[P]):
    """The person that a line names; None with a `doubt`, and then the people who may be meant."""

    person: P | None = None
    doubt: PersonDoubt = PersonDoubt.NONE
    likely: tuple[P, ...] = ()


class PeopleIndex(Generic[P]):
    """People by start number, by name, and by the words of their names.

    A search takes time in proportion to the line and to the people who share its words.
    """

    def __init__(self, people: Iterable[P]) -> None:
        self.people = tuple(people)
        self._by_number: dict[int, list[P]] = defaultdict(list)
        self._by_key: dict[str, list[int]] = defaultdict(list)
        self._by_word: dict[str, list[int]] = defaultdict(list)
        for at, person in enumerate(self.people):
            if person.start_number is not None:
                self._by_number[person.start_number].append(person)
            names, country = {fold(name) for name in set(person.names)}, _words(fold(person.country))
            for key in {key for name in names for key in (*_stored_keys(name), _sorted_key(_words(name) + country))}:
                self._by_key[key].append(at)
            for word in {word for name in names for word in _words(name)}:
                self._by_word[word].append(at)

    def find(self, name: str, number: int | None = None, *, is_place: bool = False) -> PersonFound[P]:
        """Return the person with this name and start number, either of which may be missing.

        A number with a part of its person's name is certain. With `is_place` a number beside a name may be the place in
        the list: then it only distinguishes people with one name.
        """
        numbered = self.with_number(number)
        if not words_of(name):
            return _one(numbered)
        if named := self.with_name(name):
            both = [person for person in named if person in numbered]
            # one of them has no number, and no other person has this one
            is_free = not numbered and any(person.start_number is None for person in named)
            if both or number is None or is_place or is_free:
                return _one(both or named)
            return PersonFound(doubt=PersonDoubt.CONTRADICTION, likely=(*named, *numbered)[:LIKELY])
        if numbered and not is_place:
            part = [person for person in numbered if _has_part(person, name)]
            return _one(part) if part else PersonFound(doubt=PersonDoubt.OTHER_NAME, likely=tuple(numbered[:LIKELY]))
        shared = self._shared(words_of(name))
        most = max(shared.values(), default=0)
        likely = [self.people[at] for at, count in shared.items() if count == most]
        return PersonFound(doubt=PersonDoubt.NOT_FOUND, likely=tuple(likely[:LIKELY]))

    def with_number(self, number: int | None) -> Sequence[P]:
        """Return the people with this start number."""
        return self._by_number.get(number, ()) if number is not None else ()

    def with_name(self, name: str) -> Sequence[P]:
        """Return the people with this whole name: those that are written so, else all that are spelled alike."""
        found = self.spelled_alike(name)
        # a country in another spelling, or behind a name in another spelling
        if not found and "," in name:
            head, _, country = name.rpartition(",")
            found = [each for each in self.spelled_alike(head) if country_key(each.country) == country_key(country)]
        return [person for person in found if is_written(person, name)] or found

    def spelled_alike(self, name: str) -> Sequence[P]:
        """Return the people whose whole name is spelled alike or has the same words."""
        places = dict.fromkeys(at for key in name_keys(name) for at in self._by_key.get(key, ()))
        return [self.people[at] for at in places]

    def has_words(self, name: str) -> bool:
        """Return whether each word of this name is one of some person's name."""
        words = words_of(name)
        return bool(words) and all(word in self._by_word for word in words)

    def similar(self, name: str) -> Sequence[P]:
        """Return the people who share long words with this name, the most first, and those with a near spelling.

        The name is compared with each name of the index: for few lines.
        """
        shared = self._shared(word for word in words_of(name) if len(word) >= _LONG)
        whole = [key for key in self._by_key if " " not in key]
        near = get_close_matches(name_key(fold(name)), whole, n=_NEAR) if words_of(name) else []
        found = [*sorted(shared, key=lambda at: (-shared[at], at)), *(at for key in near for at in self._by_key[key])]
        return [self.people[at] for at in dict.fromkeys(found)]

    def _shared(self, words: Iterable[str]) -> Counter[int]:
        distinct = list(dict.fromkeys(words))[:_COMPARED]
        return Counter(at for word in distinct for at in self._by_word.get(word, ()))


def is_written(person: Person, name: str) -> bool:
    """Return whether this is the person's whole name as it is written, in any order of its words."""
    return written_key(name) in map(written_key, person.names)


def written_key(name: str) -> str:
    """Return a key of a name as it is written, in any order of its words, also as "Nowak, Zofia"."""
    return " ".join(sorted(same_text(name).replace(",", " ").split()))


def name_keys(name: str) -> tuple[str, ...]:
    """Return the keys by which a name is found: its `name_key`, and that of its words in any order."""
    folded = fold(name)
    return tuple(filter(None, (name_key(folded), _sorted_key(_words(folded)))))


def stored_keys(name: str) -> frozenset[str]:
    """Return all keys by which a stored name is found: one of them is in the `name_keys` of each of its spellings."""
    return _stored_keys(fold(name))


def words_of(name: str) -> list[str]:
    """Return the words of a name as they are compared, each as its `name_key`."""
    return _words(fold(name))


def country_key(country: str) -> str:
    """Return a key that the usual spellings of one country share: "China", "P.R. China"; so do a few others."""
    plain = fold(country).replace(".", "").replace("'", "")
    words = "".join(" " if sign in SIGNS else sign for sign in plain).split()
    key = "".join(word for word in words if word not in _FORMS) or "".join(words)
    return _SPELLINGS.get(key, key)


def _one(found: Sequence[P]) -> PersonFound[P]:
    if len(found) == 1:
        return PersonFound(found[0])
    return PersonFound(doubt=PersonDoubt.SEVERAL if found else PersonDoubt.NOT_FOUND, likely=tuple(found[:LIKELY]))


def _has_part(person: Person, name: str) -> bool:
    known = {word for each in (*person.names, person.country) for word in words_of(each)}
    return known.issuperset(words_of(name))


def _words(folded: str) -> list[str]:
    return [name_key(word) for word in _WORD.findall(folded)]


def _sorted_key(words: Iterable[str]) -> str:
    return " ".join(sorted(words))


def _stored_keys(folded: str) -> frozenset[str]:
    """Return the keys of the words in any order, and of the name from each of its words on: "U Chun Lam"."""
    words = folded.replace(",", " ").split()
    turned = (name_key("".join(words[at:] + words[:at])) for at in range(len(words)))
    return frozenset(filter(None, (*turned, _sorted_key(_words(folded)))))
