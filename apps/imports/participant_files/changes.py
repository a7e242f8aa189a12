"""What a row changes of a participant who is there: empty facts are filled, others change where they are ticked."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from apps.competition.selectors.admin.participants import FACTS, ParticipantFacts
from apps.imports.enums import RowProblem, RowStatus
from apps.imports.models import ParticipantImportRow
from apps.imports.participant_files.extras import Extras
from apps.imports.participant_files.people import KnownPeople
from apps.imports.participant_files.plan import PlannedRow

START_NUMBER = "start_number"
_GENERATED = "{first} {last} comes from {country} and takes part in the competition."


Facts = Extras | ParticipantImportRow  # the facts of a row, planned or stored


def biography_generated(first: str, last: str, country: str) -> str:
    """Return the biography of a participant without one."""
    return _GENERATED.format(first=first, last=last, country=country)


def stored_facts(facts: ParticipantFacts) -> dict[str, Any]:
    """Return what a participant has by field; a generated biography is none."""
    stored = {field: getattr(facts, field) for field in FACTS}
    if stored["biography"] == biography_generated(facts.first_name, facts.second_name, facts.country):
        stored["biography"] = ""
    return stored


def facts_before(row: Facts, facts: ParticipantFacts) -> dict[str, Any]:
    """Return what a participant has now, by each field that this row fills (an empty value) or would change."""
    given, stored = {field: getattr(row, field) for field in FACTS}, stored_facts(facts)
    return {field: stored[field] for field in FACTS if given[field] and given[field] != stored[field]}


def to_tick(before: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the fields that change only where they are ticked: those that are not empty."""
    return tuple(field for field in FACTS if before.get(field))


def changes_plan(
    rows: Sequence[PlannedRow], known: KnownPeople, facts_of: Callable[[Iterable[int]], Mapping[int, ParticipantFacts]]
) -> tuple[PlannedRow, ...]:
    """Return the rows with what they change of participants who are there; `facts_of` returns these by id.

    Of two rows with one participant the first counts. A start number of another participant makes a row bad, unless
    this file gives the other one another number.
    """
    there = {row.participant for row in rows if row.participant and row.status not in (RowStatus.BAD, RowStatus.SHORT)}
    facts = facts_of(there)
    given = {row.participant: row.extras.start_number for row in rows if row.participant in facts}
    freed = {each.start_number for pk, each in facts.items() if given[pk] not in (None, each.start_number)}
    seen: Counter[int] = Counter()

    def planned(row: PlannedRow) -> PlannedRow:
        pk = row.participant or 0
        if pk not in facts or row.status in (RowStatus.BAD, RowStatus.SHORT):
            return row
        seen[pk] += 1
        before = facts_before(row.extras, facts[pk]) if seen[pk] == 1 else {}
        number = row.extras.start_number
        owner = known.numbers.get(number, "") if START_NUMBER in before and number is not None else ""
        if owner and number not in freed:
            return replace(row, status=RowStatus.BAD, problem=RowProblem.NUMBER_TAKEN, detail=f"{number}, {owner}")
        return replace(row, before=before)

    return tuple(map(planned, rows))
