"""Participants and jurors that the lines of a jury's file are compared with, by folded name in either order."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from zlib import crc32

from apps.competition.selectors.admin.participants import ParticipantName
from apps.core.text_rules import fold, name_key
from apps.imports.enums import PersonDoubt

LIKELY = 3  # participants that are offered for one line
_WORDS = 4  # words of a name that are compared to find likely ones


@dataclass(frozen=True, slots=True)
class PersonFound:
    """The participant that a line names; None with a `doubt`, and then those to whom a part of the name fits."""

    participant: ParticipantName | None = None
    doubt: PersonDoubt = PersonDoubt.NONE
    likely: tuple[ParticipantName, ...] = ()


class Performers:
    """The participants of the site by start number, by name in either order, and by the words of their names."""

    def __init__(self, participants: Iterable[ParticipantName]) -> None:
        self.all = tuple(participants)
        self.by_number: dict[int, ParticipantName] = {}
        self.by_name: dict[str, list[ParticipantName]] = defaultdict(list)
        self.by_word: dict[str, list[ParticipantName]] = defaultdict(list)
        for each in self.all:
            if each.start_number is not None:
                self.by_number[each.start_number] = each
            orders = (f"{each.first_name} {each.second_name}", f"{each.second_name} {each.first_name}")
            for name in {each.name_folded, each.sort_folded, *map(name_folded, orders)}:
                self.by_name[name].append(each)
            for word in set(each.name_folded.split()):
                self.by_word[word].append(each)

    def find(self, number: int | None, name: str) -> PersonFound:
        """Return the participant with this number and name. With both, both have to be the participant's."""
        folded = name_folded(name)
        named = self.by_name.get(folded, []) if folded else []
        numbered = self.by_number.get(number) if number is not None else None
        if not folded or numbered in named:
            return PersonFound(numbered) if numbered else PersonFound(doubt=PersonDoubt.NOT_FOUND)
        if not named:
            return self._unknown(folded, numbered)
        if number is not None and (numbered or all(each.start_number is not None for each in named)):
            return PersonFound(doubt=PersonDoubt.CONTRADICTION)
        free = [each for each in named if number is None or each.start_number is None]
        if len(free) == 1:
            return PersonFound(free[0])
        return PersonFound(doubt=PersonDoubt.SEVERAL, likely=tuple(free[:LIKELY]))

    def _unknown(self, folded: str, numbered: ParticipantName | None) -> PersonFound:
        if numbered:
            return PersonFound(doubt=PersonDoubt.OTHER_NAME, likely=(numbered,))
        words = folded.split()[:_WORDS]
        counts = Counter(each for word in words for each in self.by_word.get(word, ()))
        most = max(counts.values(), default=0)
        likely = (each for each, count in counts.items() if count == most)
        return PersonFound(doubt=PersonDoubt.NOT_FOUND, likely=tuple(likely)[:LIKELY])


@dataclass(frozen=True, slots=True)
class JurorFound:
    """A juror of a file: the spelling that is stored, and whether the juror is new.

    `near` is the nearest spelling of another juror, which differs in signs and accents only; empty without one.
    """

    name: str
    is_new: bool = True
    near: str = ""


class Jurors:
    """The stored jurors, and those of a file in the order in which they are found."""

    def __init__(self, stored: Iterable[str]) -> None:
        self.by_words: dict[tuple[str, ...], JurorFound] = {}
        self.by_key: dict[str, str] = {}
        for name in stored:
            self._add(name, JurorFound(name, is_new=False))

    def find(self, name: str) -> JurorFound:
        """Return the juror with this name in either order; the first spelling of a new one stays."""
        if found := self.by_words.get(_words(name)):
            return found
        near = next((self.by_key[key] for key in _keys(name) if key in self.by_key), "")
        found = JurorFound(" ".join(name.replace(",", " ").split()) if "," not in name else _turned(name), near=near)
        self._add(name, found)
        return found

    def _add(self, name: str, found: JurorFound) -> None:
        self.by_words.setdefault(_words(name), found)
        for key in _keys(name):
            self.by_key.setdefault(key, found.name)


def name_folded(name: str) -> str:
    """Return a name as it is compared: folded, without the comma of "Nowak, Zofia"."""
    return " ".join(fold(name).replace(",", " ").split())


def _turned(name: str) -> str:
    """Return "Allison, John" as "John Allison"."""
    last, _, first = name.partition(",")
    return " ".join(f"{first} {last}".replace(",", " ").split())


def _words(name: str) -> tuple[str, ...]:
    return tuple(sorted(name_folded(name).split()))


def _keys(name: str) -> tuple[str, ...]:
    words = name_folded(name).split()
    return tuple(name_key("".join(order)) for order in (words, words[1:] + words[:1], words[-1:] + words[:-1]))


def mark_of(kind: str, line: int, text: str) -> str:
    """Return the name of a field that chooses by hand: kind, first line and checksum; another file has other names."""
    return f"{kind}-{line}-{crc32(text.encode())}"


def participant_labels(participants: Iterable[ParticipantName]) -> Mapping[str, ParticipantName]:
    """Return the participants by the unique text with which one is chosen by hand."""
    labels: dict[str, ParticipantName] = {}
    for each in participants:
        label = participant_label(each)
        labels[label if label not in labels else f"{label} ({each.id})"] = each
    return labels


def participant_label(participant: ParticipantName) -> str:
    """Return the text with which a participant is chosen: "12 Zofia Nowak, Poland"."""
    number = f"{participant.start_number} " if participant.start_number is not None else ""
    return f"{number}{participant.name}, {participant.country}"
