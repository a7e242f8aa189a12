"""The participants that rows of a file are compared with."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from apps.competition.selectors.admin.participants import ParticipantName
from apps.core.people import PeopleIndex, country_key, name_keys, stored_keys, written_key
from apps.core.text_rules import fold

_Key = tuple[str, str]  # of a name and a country


@dataclass(slots=True)
class KnownPeople:
    """The participants of the site and of earlier rows, in any order of the name, by country.

    A row may name a new person: a name that is written as one of the site is certain, and one that is only spelled
    alike is a question.

    `people` are those of the site; `stored` has them by written name and country, and `lines` the lines of rows.
    `alike` has the first person by the spelling of name and country, without an id for one of an earlier row.
    `numbers` maps the start numbers of the site to the name that has it, and `number_lines` those of the file to their
    line and its person. `playing` are the ids of participants with a performance.
    """

    people: PeopleIndex[ParticipantName] = field(default_factory=lambda: PeopleIndex(()))
    stored: dict[_Key, list[ParticipantName]] = field(default_factory=dict)
    lines: dict[_Key, int] = field(default_factory=dict)
    alike: dict[_Key, ParticipantName] = field(default_factory=dict)
    numbers: dict[int, str] = field(default_factory=dict)
    number_lines: dict[int, tuple[int, _Key]] = field(default_factory=dict)
    playing: frozenset[int] = frozenset()

    @classmethod
    def of(cls, stored: Iterable[ParticipantName], playing: frozenset[int] = frozenset()) -> "KnownPeople":
        """Return the participants of the site; `playing` are the ids of those with a performance."""
        known = cls(PeopleIndex(stored), playing=playing)
        for each in known.people.people:
            for name in {written_key(name) for name in each.names}:
                known.stored.setdefault((name, fold(each.country)), []).append(each)
            _alike_add(known.alike, each)
            if each.start_number is not None:
                known.numbers[each.start_number] = each.name
        return known

    def line_of(self, first: str, last: str, country: str) -> int | None:
        """Return the line of an earlier row with this participant, 0 for one of the site, None if there is none."""
        key = _key(first, last, country)
        return 0 if key in self.stored else self.lines.get(key)

    def id_of(self, first: str, last: str, country: str, *, is_alike: bool = False) -> int | None:
        """Return the id of this participant of the site, None for an unknown one.

        With `is_alike` the participant of a similar spelling is the one.
        """
        return next((each.id for each in self._those(first, last, country, is_alike=is_alike)), None)

    def player(self, first: str, last: str, country: str, *, is_alike: bool = False) -> int | None:
        """Return the id of this participant of the site, None for one without a performance, and for an unknown one.

        With `is_alike` the participant of a similar spelling is the one.
        """
        pk = self.id_of(first, last, country, is_alike=is_alike)
        return pk if pk in self.playing else None

    def one_of(self, first: str, last: str, country: str, *, is_alike: bool = False) -> int | None:
        """Return what `id_of` returns, None for a participant with a namesake from the same country."""
        those = self._those(first, last, country, is_alike=is_alike)
        return those[0].id if len(those) == 1 else None

    def alike_to(self, first: str, last: str, country: str) -> str:
        """Return name and country of a participant with a similar spelling of both, empty without one."""
        alike = self._alike(first, last, country)
        return f"{alike.name}, {alike.country}" if alike else ""

    def number_owner(self, number: int, first: str, last: str, country: str, *, is_another: bool = False) -> str:
        """Return the name of another participant of the site that has this start number; empty without one.

        The participant of a similar spelling counts as the same one, unless `is_another`.
        """
        owner = self.numbers.get(number, "")
        namesakes = self.stored.get(_key(first, last, country), ())
        if not owner or any(each.start_number == number for each in namesakes):
            return ""
        alike = self._alike(first, last, country)
        return "" if alike and alike.name == owner and not is_another else owner

    def number_line(self, number: int, line: int, first: str, last: str, country: str) -> int | None:
        """Return the line of an earlier row that gives this start number to another person, or None.

        Without such a row the number belongs to this person, at `line`.
        """
        person = _key(first, last, country)
        earlier, owner = self.number_lines.setdefault(number, (line, person))
        return None if owner == person else earlier

    def add(self, first: str, last: str, country: str, line: int) -> None:
        """Add the participant of a row."""
        self.lines.setdefault(_key(first, last, country), line)
        _alike_add(self.alike, ParticipantName(f"{first} {last}", first, last, country))

    def _alike(self, first: str, last: str, country: str) -> ParticipantName | None:
        place = country_key(country)
        alike = (self.alike.get((key, place)) for key in name_keys(f"{first} {last}"))
        return next(filter(None, alike), None)

    def _those(self, first: str, last: str, country: str, *, is_alike: bool) -> list[ParticipantName]:
        """Return the participants of the site who are written so, with `is_alike` also those of a similar spelling."""
        those = self.stored.get(_key(first, last, country), [])
        alike = self._alike(first, last, country) if is_alike and not those else None
        return self.stored.get(_key(alike.first_name, alike.second_name, alike.country), []) if alike else those


def _key(first: str, last: str, country: str) -> _Key:
    return written_key(f"{first} {last}"), fold(country)


def _alike_add(alike: dict[_Key, ParticipantName], person: ParticipantName) -> None:
    for key in {key for name in set(person.names) for key in stored_keys(name)}:
        alike.setdefault((key, country_key(person.country)), person)
