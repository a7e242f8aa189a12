"""Reads a pasted running order: each line names a participant by start number, by name, or by both."""

import re
from collections.abc import Collection, Iterable, Sequence

from apps.competition.limits import CANDIDATES_MOST
from apps.competition.models import Appearance
from apps.competition.order_drafts import OpenLine, OrderDraft
from apps.competition.piano_columns import person_lines
from apps.competition.selectors.admin.advancements import advancing_into, stage_candidates
from apps.competition.selectors.admin.participants import ParticipantName, ParticipantOption, participant_names
from apps.core.people import PeopleIndex
from apps.core.text_rules import has_letter

_NUMBER = re.compile(r"\s*(?:(?:no|nr)\.?\s*)?#?(\d{1,4})(?![\d\w])[\s.):,;|–-]*(.*)", re.ASCII | re.IGNORECASE)
_CELLS = str.maketrans("\t|", ";;")  # the signs between the columns of a table


class People(PeopleIndex[ParticipantName]):
    """All participants by second name, as lines are compared with them."""

    @classmethod
    def read(cls) -> "People":
        """Return all participants. One query."""
        return cls(participant_names())

    def named(self, line: str) -> int | None:
        """Return the id of the participant that the line names; None for no one and for several."""
        number, name = _parts(line)
        person = self.find(name, number, is_place=True).person
        return person.id if person else None

    def like(self, line: str, playing: Collection[int] = ()) -> tuple[ParticipantOption, ...]:
        """Return the participants that the line may name, most similar first, at most CANDIDATES_MOST.

        Those who are `playing` already are left out.
        """
        number, name = _parts(line)
        people = (*self.with_name(name), *self.similar(name), *self.with_number(number))
        likely = {person.id: person for person in people if person.id not in playing}
        return tuple(ParticipantOption(each.id, each.name, each.country) for each in likely.values())[:CANDIDATES_MOST]


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
