"""The participants that rows of a file are compared with."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from apps.competition.selectors.admin.participants import ParticipantName
from apps.core.text_rules import SIGNS, fold, name_key, same_text

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


def country_key(country: str) -> str:
    """Return a key that the usual spellings of one country share: "China", "P.R. China"; so do a few others."""
    plain = fold(country).replace(".", "").replace("'", "")
    words = "".join(" " if sign in SIGNS else sign for sign in plain).split()
    key = "".join(word for word in words if word not in _FORMS) or "".join(words)
    return _SPELLINGS.get(key, key)


@dataclass(slots=True)
class KnownPeople:
    """The participants of the site and of earlier rows, in either order of the name, by country.

    `lines` maps a name to the line of its row, 0 for a participant of the site; `alike` maps a name's key to name and
    country. `numbers` maps the start numbers of the site to the name that has it, and `number_lines` those of the file
    to their line and its person. `owned` maps a name to its start number. `ids` and `alike_ids` map a name and a name's
    key to the id of a participant of the site, and `playing` are those with a performance. `named` are the participants
    of the site by the key of their whole name in either order.
    """

    lines: dict[tuple[str, str], int] = field(default_factory=dict)
    named: dict[str, list[ParticipantName]] = field(default_factory=dict)
    alike: dict[tuple[str, str], tuple[str, str]] = field(default_factory=dict)
    numbers: dict[int, str] = field(default_factory=dict)
    number_lines: dict[int, tuple[int, frozenset[tuple[str, str]]]] = field(default_factory=dict)
    owned: dict[tuple[str, str], int] = field(default_factory=dict)
    ids: dict[tuple[str, str], int] = field(default_factory=dict)
    alike_ids: dict[tuple[str, str], int] = field(default_factory=dict)
    playing: frozenset[int] = frozenset()
    twins: set[int] = field(default_factory=set)  # ids of participants with a namesake from the same country

    @classmethod
    def of(cls, stored: Iterable[ParticipantName], playing: frozenset[int] = frozenset()) -> "KnownPeople":
        """Return the participants of the site; `playing` are the ids of those with a performance."""
        known = cls(playing=playing)
        for each in stored:
            first, second, place = each.first_name, each.second_name, fold(each.country)
            for name in (each.name, f"{first} {second}", f"{second} {first}"):
                known.lines[same_text(name), place] = 0
                if (other := known.ids.setdefault((same_text(name), place), each.id)) != each.id:
                    known.twins |= {other, each.id}
                if each.start_number is not None:
                    known.owned[same_text(name), place] = each.start_number
            keys = {name_key(folded) for folded in (each.name_folded, each.sort_folded, fold(f"{first} {second}"))}
            for key in keys:
                known.named.setdefault(key, []).append(each)
            for folded in (each.name_folded, each.sort_folded):
                known.alike.setdefault((name_key(folded), country_key(each.country)), (each.name, each.country))
                known.alike_ids.setdefault((name_key(folded), country_key(each.country)), each.id)
            if each.start_number is not None:
                known.numbers[each.start_number] = each.name
        return known

    def line_of(self, first: str, last: str, country: str) -> int | None:
        """Return the line of an earlier row with this participant, 0 for one of the site, None if there is none."""
        found = (self.lines.get((same_text(name), fold(country))) for name in _orders(first, last))
        return next((line for line in found if line is not None), None)

    def with_name(self, written: str) -> tuple[ParticipantName, ...]:
        """Return the participants of the site with this whole name in either order: exactly this, else a near one."""
        found = self.named.get(name_key(fold(written.replace(",", " "))), [])
        exact = [each for each in found if is_written(each, written)]
        return tuple(exact or found)

    def id_of(self, first: str, last: str, country: str, *, is_alike: bool = False) -> int | None:
        """Return the id of this participant of the site, None for an unknown one.

        With `is_alike` the participant of a similar spelling is the one.
        """
        exact = [self.ids.get((same_text(name), fold(country))) for name in _orders(first, last)]
        key = country_key(country)
        alike = [self.alike_ids.get((name_key(fold(name)), key)) for name in _orders(first, last)] if is_alike else []
        return next(filter(None, (*exact, *alike)), None)

    def player(self, first: str, last: str, country: str, *, is_alike: bool = False) -> int | None:
        """Return the id of this participant of the site, None for one without a performance, and for an unknown one.

        With `is_alike` the participant of a similar spelling is the one.
        """
        found = self.id_of(first, last, country, is_alike=is_alike)
        return found if found in self.playing else None

    def one_of(self, first: str, last: str, country: str, *, is_alike: bool = False) -> int | None:
        """Return what `id_of` returns, None for a participant with a namesake from the same country."""
        found = self.id_of(first, last, country, is_alike=is_alike)
        return None if found in self.twins else found

    def alike_to(self, first: str, last: str, country: str) -> str:
        """Return name and country of a participant with a similar spelling of both, empty without one."""
        return ", ".join(self._alike(first, last, country) or ())

    def number_owner(self, number: int, first: str, last: str, country: str, *, is_another: bool = False) -> str:
        """Return the name of another participant of the site that has this start number; empty without one.

        The participant of a similar spelling counts as the same one, unless `is_another`.
        """
        owner = self.numbers.get(number, "")
        if not owner or self._owns(number, first, last, country):
            return ""
        alike = self._alike(first, last, country)
        return "" if alike and alike[0] == owner and not is_another else owner

    def _owns(self, number: int, first: str, last: str, country: str) -> bool:
        return any(self.owned.get((same_text(name), fold(country))) == number for name in _orders(first, last))

    def number_line(self, number: int, line: int, first: str, last: str, country: str) -> int | None:
        """Return the line of an earlier row that gives this start number to another person, or None.

        Without such a row the number belongs to this person, at `line`.
        """
        person = frozenset((same_text(name), fold(country)) for name in _orders(first, last))
        earlier, owner = self.number_lines.setdefault(number, (line, person))
        return None if owner & person else earlier

    def add(self, first: str, last: str, country: str, line: int) -> None:
        """Add the participant of a row."""
        place = fold(country)
        for name in _orders(first, last):
            self.lines.setdefault((same_text(name), place), line)
            self.alike.setdefault((name_key(fold(name)), country_key(country)), (f"{first} {last}", country))

    def _alike(self, first: str, last: str, country: str) -> tuple[str, str] | None:
        found = (self.alike.get((name_key(fold(name)), country_key(country))) for name in _orders(first, last))
        return next(filter(None, found), None)


def is_written(person: ParticipantName, name: str) -> bool:
    """Return whether this is the participant's whole name, in either order."""
    return same_text(name) in _spellings(person)


def _spellings(person: ParticipantName) -> set[str]:
    """Return the participant's whole name as it may be written, in either order, also as "Nowak, Zofia"."""
    first, second = person.first_name, person.second_name
    return {same_text(name) for name in (person.name, f"{first} {second}", f"{second} {first}", f"{second}, {first}")}


def _orders(first: str, last: str) -> tuple[str, str]:
    return f"{first} {last}", f"{last} {first}"
