"""Reads a pasted running order: each line names a participant by start number, by name, or by both."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property

from apps.competition.limits import CANDIDATES_MOST
from apps.competition.models import Appearance, Participant
from apps.competition.order_drafts import OpenLine, OrderDraft
from apps.competition.piano_columns import person_lines
from apps.competition.selectors.admin.advancements import advancing_into, stage_candidates
from apps.competition.selectors.admin.participants import ParticipantOption
from apps.core.text_rules import fold, has_letter, name_key

_COLUMNS = ("id", "name", "country", "start_number", "name_folded", "sort_folded")
_NUMBER = re.compile(r"\s*(?:(?:no|nr)\.?\s*)?#?(\d{1,4})(?![\d\w])[\s.):,;|–-]*(.*)", re.ASCII | re.IGNORECASE)
_CELLS = str.maketrans("\t|", ";;")  # the signs between the columns of a table
_WORD = 3  # letters of a word that two similar names share


@dataclass(frozen=True, slots=True)
class _Person:
    id: int
    name: str
    country: str
    start_number: int | None
    name_folded: str
    sort_folded: str

    @property
    def keys(self) -> set[str]:
        return {name_key(self.name_folded), name_key(self.sort_folded)}

    @property
    def words(self) -> set[str]:
        return _words(self.name_folded)


class People:
    """All participants, as lines are compared with them."""

    def __init__(self, people: Iterable[_Person]) -> None:
        self.people = tuple(people)

    @classmethod
    def read(cls) -> "People":
        """Return all participants by second name. One query."""
        return cls(_Person(*row) for row in Participant.objects.order_by("sort_folded", "id").values_list(*_COLUMNS))

    @cached_property
    def _by_key(self) -> Mapping[str, Sequence[_Person]]:
        found: dict[str, list[_Person]] = defaultdict(list)
        for person in self.people:
            for key in person.keys:
                found[key].append(person)
        return found

    @cached_property
    def _by_number(self) -> Mapping[int, _Person]:
        return {person.start_number: person for person in self.people if person.start_number}

    def named(self, line: str) -> int | None:
        """Return the id of the participant that the line names; None for no one and for several."""
        number, name = _parts(line)
        if not name:
            person = self._by_number.get(number) if number else None
            return person.id if person else None
        found = self._found(name)
        if len(found) > 1:  # of two with one name, the start number tells
            found = [person for person in found if number and person.start_number == number]
        return found[0].id if len(found) == 1 else None

    def _found(self, name: str) -> Sequence[_Person]:
        keys = _keys(name)
        found = {person.id: person for key in keys for person in self._by_key.get(key, ())}
        first, comma, rest = name.rpartition(",")
        if not found and comma:  # "Zofia Wróblewska-Łęcka, Poland"
            same = {person.id: person for key in _keys(first) for person in self._by_key.get(key, ())}
            found = {pk: person for pk, person in same.items() if fold(person.country) == fold(rest)}
        return list(found.values())

    def like(self, line: str, playing: Collection[int] = ()) -> tuple[ParticipantOption, ...]:
        """Return the participants that the line may name, most similar first, at most CANDIDATES_MOST.

        Those who are `playing` already are left out.
        """
        number, name = _parts(line)
        words = _words(fold(name))
        shared = sorted(self.people, key=lambda person: -len(words & person.words))
        similar = [person for person in shared if words & person.words]
        close = get_close_matches(name_key(fold(name)), list(self._by_key)) if name else []
        near = [person for key in close for person in self._by_key[key]]
        own = [self._by_number[number]] if number and number in self._by_number else []
        all_found = (*self._found(name), *similar, *near, *own)
        found = {person.id: person for person in all_found if person.id not in playing}
        return tuple(ParticipantOption(each.id, each.name, each.country) for each in found.values())[:CANDIDATES_MOST]


def order_lines_read(text: str, playing: Sequence[int]) -> OrderDraft:
    """Return the order `playing` with the participants that these lines name added at the end. One query.

    A header with a column of pianos names the columns; its line is left out.
    """
    people, order = People.read(), list(playing)
    seen: set[int] = set()
    there: list[int] = []
    repeated: list[int] = []
    open_lines: list[OpenLine] = []
    for number, line in enumerate(person_lines(text), start=1):
        words = " ".join(line.replace("\t", "; ").split())
        if not words:
            continue
        pk = people.named(line)
        if pk is None:
            open_lines.append(OpenLine(number, order[-1] if order else 0, words))
        elif pk in seen:
            repeated.append(number)
        elif pk in playing:
            there.append(number)
        else:
            order.append(pk)
        seen |= {pk} if pk else set()
    return OrderDraft(tuple(order), len(order) - len(playing), tuple(there), tuple(repeated), tuple(open_lines))


def order_chosen(playing: Sequence[int], chosen: Iterable[tuple[int, int]]) -> OrderDraft:
    """Return the order with these pairs added: a participant after whom the second one comes. No query.

    Several participants after one keep their order. Without the first one in the order, the second comes last.
    """
    order, last = list(playing), dict[int, int]()
    added = 0
    for after, pk in chosen:
        if pk in order:
            continue
        before = last.get(after, after)
        order.insert(order.index(before) + 1 if before in order else len(order) if after else 0, pk)
        last[after] = pk
        added += 1
    return OrderDraft(tuple(order), added)


def order_next(*, stage_id: int, count: int, playing: Sequence[int]) -> OrderDraft:
    """Return the order with the next `count` of `stage_candidates`, by start number, then by name. One query."""
    found = stage_candidates(stage_id).exclude(pk__in=playing)
    ordered = found.order_by("start_number", "sort_folded", "id")  # PostgreSQL puts missing numbers last
    return _with(playing, list(ordered.values_list("pk", flat=True)[:count]))


def order_copied(*, session_id: int, playing: Sequence[int]) -> OrderDraft:
    """Return the order with the participants of a session added, in its order. One query."""
    found = Appearance.objects.filter(session_id=session_id).order_by("order_number")
    return _with(playing, list(found.values_list("participant_id", flat=True)))


def order_advancing(*, stage_id: int, playing: Sequence[int]) -> OrderDraft:
    """Return the order with those who advance into the stage and are in no session of it. One query.

    They are those of the stage before it, by start number, then by name.
    """
    taken = Appearance.objects.filter(stage_id=stage_id).values("participant_id")
    ordered = advancing_into(stage_id).exclude(participant__in=taken)
    ordered = ordered.order_by("participant__start_number", "participant__sort_folded", "participant_id")
    return _with(playing, list(ordered.values_list("participant_id", flat=True)))


def _with(playing: Sequence[int], found: Sequence[int]) -> OrderDraft:
    added = [pk for pk in found if pk not in playing]
    there = tuple(number for number, pk in enumerate(found, start=1) if pk in playing)
    return OrderDraft((*playing, *added), len(added), there)


def _parts(line: str) -> tuple[int | None, str]:
    """Return the number and the name of a line: "12. Zofia Wróblewska-Łęcka", "12;Zofia;Poland"."""
    match = _NUMBER.fullmatch(line.strip())
    number, rest = (int(match[1]), match[2]) if match else (None, line)
    name = next((cell for cell in rest.translate(_CELLS).split(";") if has_letter(cell)), "")
    return number, " ".join(name.split())


def _words(folded: str) -> set[str]:
    """Return the words of a folded name, without short ones."""
    letters = "".join(sign if sign.isalnum() else " " for sign in folded)
    return {word for word in letters.split() if len(word) >= _WORD}


def _keys(name: str) -> set[str]:
    """Return the keys of a name: as written, and with the parts around a comma exchanged."""
    second, _, first = name.partition(",")
    return {key for words in (f"{second} {first}", f"{first} {second}") if (key := name_key(fold(words)))}
