"""Writes of the programs of many appearances at once, in one transaction and with one undo."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.db import transaction

from apps.accounts.actors import Actor
from apps.accounts.audit_notes import change_notes
from apps.competition.events import ProgramsChanged
from apps.competition.models import Appearance, Piece, ProgramEntry
from apps.competition.permissions import can_edit_competition
from apps.competition.selectors.admin.programs import program_fields
from apps.competition.services.program_conflicts import last_edit
from apps.competition.services.program_undo import assignment_keep
from apps.competition.services.programs import (
    NewEntry,
    PiecesRated,
    entry_build,
    program_replace,
    program_size_require,
    programs_lock,
    starts_store,
)
from apps.core.edits import ConfirmationNeeded, EditConflict
from apps.core.events import publish
from apps.core.permissions import require

GONE = "A participant is no longer in the session. Please look again."
REPEATED = "Two of these programs are for %(name)s. Please choose one of them."
CHANGED = "The program of %(name)s was changed meanwhile. Please look at it again."


@dataclass(frozen=True, slots=True)
class NewProgram:
    """The pieces of an appearance's new program, in their order.

    `replaces` is the version of the program that it may replace, empty for any; None only fills an empty program.
    """

    appearance_id: int
    entries: tuple[NewEntry, ...]
    replaces: str | None = None


@dataclass(frozen=True, slots=True)
class ProgramsSet:
    """The ids of appearances whose program was set, and of those whose chosen program stayed; the undo of all."""

    assigned: frozenset[int]
    kept: frozenset[int]
    undo_id: int | None = None


@transaction.atomic
def programs_set(*, actor: Actor, programs: Sequence[NewProgram], confirmed: bool = False) -> ProgramsSet:
    """Set the programs of these appearances. A program that has pieces stays, unless the new one `replaces` it.

    Filling empty programs takes the same number of queries for any number of them; each replacement adds its own.
    Raises PermissionDenied, ValidationError, ConfirmationNeeded unless `confirmed` when ratings would be deleted. An
    error rolls everything back.
    """
    require(can_edit_competition(actor), "Only administrators edit programs.")
    by_id = {each.appearance_id: each for each in programs}
    appearances = _appearances_lock(by_id)
    if len(by_id) < len(programs):
        ids = [each.appearance_id for each in programs]
        twice = next(each for each in ids if ids.count(each) > 1)
        raise ValidationError(REPEATED, params={"name": appearances[twice].participant.name})
    old = _entries(by_id)
    filled = [each for each in programs if each.entries and not old.get(each.appearance_id)]
    replaced = [each for each in programs if each.entries and old.get(each.appearance_id) and each.replaces is not None]
    assigned = [each.appearance_id for each in (*filled, *replaced)]
    kept = frozenset(pk for pk, entries in old.items() if entries) - frozenset(assigned)
    if not assigned:
        return ProgramsSet(frozenset(), kept)
    piece_ids = {pk: [entry.piece_id for entry in by_id[pk].entries] for pk in assigned}
    undo_id = assignment_keep([appearances[pk] for pk in assigned], old, piece_ids)
    _fill(actor, filled, appearances)
    _replace(actor, replaced, appearances, confirmed=confirmed)
    return ProgramsSet(frozenset(assigned), kept, undo_id)


def _appearances_lock(ids: Collection[int]) -> Mapping[int, Appearance]:
    """Return the appearances by id, locked in the order of their ids. Raises ValidationError for a deleted one."""
    locked = Appearance.objects.select_for_update(no_key=True, of=("self",)).filter(pk__in=ids)
    found = {each.pk: each for each in locked.select_related("participant").order_by("pk")}
    if len(found) < len(ids):
        raise ValidationError(GONE)
    return found


def _entries(appearance_ids: Collection[int]) -> Mapping[int, list[ProgramEntry]]:
    """Lock the programs of locked appearances and return their entries by appearance, in their order."""
    programs_lock(appearance_ids=appearance_ids)
    entries: dict[int, list[ProgramEntry]] = defaultdict(list)
    found = ProgramEntry.objects.filter(appearance_id__in=appearance_ids)
    for entry in found.order_by("appearance_id", "order_number"):
        entries[entry.appearance_id].append(entry)
    return entries


def _fill(actor: Actor, programs: Sequence[NewProgram], appearances: Mapping[int, Appearance]) -> None:
    """Store the programs of locked appearances without one, in a fixed number of queries."""
    if not programs:
        return
    program_size_require(max(len(each.entries) for each in programs))
    pieces = Piece.objects.in_bulk({entry.piece_id for each in programs for entry in each.entries})
    rows = {
        each.appearance_id: [
            entry_build(appearances[each.appearance_id], entry, pieces, number)
            for number, entry in enumerate(each.entries, start=1)
        ]
        for each in programs
    }
    ProgramEntry.objects.bulk_create(row for own in rows.values() for row in own)
    starts_store(pair for each in programs for pair in zip(rows[each.appearance_id], each.entries, strict=True))
    changes = {
        pk: (appearances[pk].participant.name, program_fields(row.piece.name for row in own))
        for pk, own in rows.items()
    }
    change_notes(actor=actor, action="program.replace", changes=changes)
    changed = [appearances[pk] for pk in rows]
    publish(
        ProgramsChanged(
            session_ids=tuple(sorted({each.session_id for each in changed})),
            participant_ids=tuple(each.participant_id for each in changed),
            stage_ids=tuple(sorted({each.stage_id for each in changed})),
        )
    )


def _replace(
    actor: Actor, programs: Sequence[NewProgram], appearances: Mapping[int, Appearance], *, confirmed: bool
) -> None:
    """Replace the programs of locked appearances, and collect the questions about ratings into one."""
    questions: list[ValidationError] = []
    for each in programs:
        name = appearances[each.appearance_id].participant.name
        try:
            program_replace(
                actor=actor,
                appearance_id=each.appearance_id,
                entries=each.entries,
                version=each.replaces or None,
                confirmed=confirmed,
            )
        except EditConflict as conflict:
            changed = ValidationError(CHANGED, params={"name": name})
            raise ValidationError([changed, *last_edit(each.appearance_id)]) from conflict
        except PiecesRated as rated:
            questions += [ValidationError("%(name)s:", params={"name": name}), *rated.error_list]
    if questions:
        raise ConfirmationNeeded(questions)
