"""Undo of changes to programs: keep appearances with their programs, and restore them."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import zip_longest
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction

from apps.accounts.actors import Actor
from apps.accounts.audit_notes import change_note
from apps.competition.enums import UndoKind
from apps.competition.events import AppearancesChanged, SessionChanged
from apps.competition.models import (
    Appearance,
    Participant,
    PerformingTime,
    Piano,
    Piece,
    PiecePart,
    ProgramEntry,
    ProgramPart,
    ProgramUndo,
    Session,
)
from apps.competition.permissions import can_edit_competition
from apps.competition.selectors.admin.sessions import undo_since
from apps.competition.services.places import free_numbers, intervals_follow
from apps.competition.services.programs import NewEntry, PiecesRated, program_replace
from apps.competition.services.repeated import repetitions
from apps.core.events import publish
from apps.core.permissions import require

GONE = "What was there before is gone."
CHANGED = "The program was changed since, so it stays as it is."
ALL_CHANGED = "These programs were changed or rated since, so they stay as they are."
RATED = "Listeners have rated the program since, so it stays as it is."
PROGRAM_BACK = "The program is as it was before."
PERFORMERS_BACK = "They are in the session again, with their programs."
BACK_REPEATED = "They are in the session again, with their programs. Other performances count now: these are repeated."
_ENTRY = ("piece_id", "order_number", "slot", "timestamp", "youtube_url")
_PART = ("part_id", "timestamp", "youtube_url")  # each item has those of its parts as `parts`
_TIMES = ("began_at", "ended_at")  # and `time_ids`: the ids are the order of entries on stage
Kept = Mapping[str, Any]


def programs_keep(
    kind: UndoKind, session_id: int, appearances: Sequence[Appearance], piece_ids: Sequence[int] = ()
) -> int:
    """Store these appearances with their programs for UNDO_LIFETIME and return the id of the undo.

    `piece_ids` is the new program of an assignment: its undo is refused after a later change of the program.
    """
    content = {"appearances": [_kept(appearance) for appearance in appearances], "pieces": list(piece_ids)}
    return ProgramUndo.objects.create(session_id=session_id, kind=kind, content=content).pk


def program_keep(*, appearance_id: int, piece_ids: Sequence[int]) -> int | None:
    """Store the program of an appearance before these pieces replace it; return the id of the undo, None without it."""
    locked = Appearance.objects.select_for_update(no_key=True, of=("self",))
    appearance = locked.select_related("participant").filter(pk=appearance_id).first()
    if appearance is None:
        return None
    return programs_keep(UndoKind.ASSIGNMENT, appearance.session_id, [appearance], piece_ids)


def assignment_keep(
    appearances: Sequence[Appearance],
    old: Mapping[int, Sequence[ProgramEntry]],
    piece_ids: Mapping[int, Sequence[int]],
) -> int:
    """Store the `old` programs of these appearances before others with `piece_ids` replace them; return the undo's id.

    The undo restores each program that was not changed since. Two queries.
    """
    parts = _parts([entry.pk for own in old.values() for entry in own])
    kept = [
        {
            "id": each.pk,
            "participant_id": each.participant_id,
            "name": each.participant.name,
            "program": [
                {field: getattr(entry, field) for field in _ENTRY} | {"parts": parts.get(entry.pk, [])}
                for entry in old.get(each.pk, ())
            ],
            "pieces": list(piece_ids[each.pk]),
        }
        for each in appearances
    ]
    content = {"appearances": kept, "pieces": []}
    session_id = appearances[0].session_id
    return ProgramUndo.objects.create(session_id=session_id, kind=UndoKind.ASSIGNMENT, content=content).pk


@dataclass(frozen=True, slots=True)
class Undone:
    """The result of an undo: its sentence, or for several programs the number restored and the names that stay."""

    sentence: str = PROGRAM_BACK
    restored: int = 1
    staying: tuple[str, ...] = ()


@transaction.atomic
def program_undo(*, actor: Actor, undo_id: int) -> Undone:
    """Restore what a change removed; ratings deleted with it stay deleted.

    Of an assignment to many, programs that were changed or rated since stay. Raises PermissionDenied, ValidationError
    after UNDO_LIFETIME, and when required rows were changed or deleted since.
    """
    require(can_edit_competition(actor), "Only administrators edit programs.")
    undo = ProgramUndo.objects.select_for_update().filter(pk=undo_id, created_at__gt=undo_since()).first()
    if undo is None:
        raise ValidationError("This can no longer be taken back.")
    undo.delete()
    if undo.kind == UndoKind.REMOVAL:
        session = Session.objects.select_for_update(no_key=True).get(pk=undo.session_id)
        return Undone(_performers_restore(actor, session, undo.content))
    kept: Sequence[Kept] = undo.content["appearances"]
    if len(kept) == 1:
        _program_restore(actor, kept[0], kept[0].get("pieces", undo.content["pieces"]))
        return Undone()
    return _programs_restore(actor, kept)


def _programs_restore(actor: Actor, kept: Sequence[Kept]) -> Undone:
    """Restore the programs that an assignment to many replaced. Raises ValidationError if none can be restored."""
    ids = [each["id"] for each in kept]
    list(Appearance.objects.select_for_update(no_key=True).filter(pk__in=ids).order_by("pk").values_list("pk"))
    staying = []
    for each in kept:
        try:
            with transaction.atomic():
                _program_restore(actor, each, each["pieces"])
        except ValidationError:
            staying.append(each["name"])
    if len(staying) == len(kept):
        raise ValidationError(ALL_CHANGED)
    return Undone("", len(kept) - len(staying), tuple(staying))


@transaction.atomic
def program_undos_prune() -> int:
    """Delete expired undos; return how many."""
    return ProgramUndo.objects.filter(created_at__lte=undo_since()).delete()[0]


def _parts(entry_ids: Sequence[int]) -> Mapping[int, list[Kept]]:
    """Return the moments of the parts of these items, by item. One query."""
    found: dict[int, list[Kept]] = defaultdict(list)
    for row in ProgramPart.objects.filter(entry__in=entry_ids).order_by("pk").values("entry_id", *_PART):
        found[row.pop("entry_id")].append(row)
    return found


def _kept(appearance: Appearance) -> Kept:
    program = list(appearance.program.order_by("order_number").values("pk", *_ENTRY))
    parts = _parts([entry["pk"] for entry in program])
    times = list(appearance.times.order_by("pk").values_list(*_TIMES, "pk"))
    return {
        "id": appearance.pk,
        "participant_id": appearance.participant_id,
        "name": appearance.participant.name,
        "order_number": appearance.order_number,
        "is_repeated": appearance.is_repeated,
        "planned_start": appearance.planned_start and appearance.planned_start.isoformat(),
        "piano_id": appearance.piano_id,
        "program": [
            {field: entry[field] for field in _ENTRY} | {"parts": parts.get(entry["pk"], [])} for entry in program
        ],
        "times": [[at and at.isoformat() for at in pair] for *pair, _ in times],
        "time_ids": [pk for *_, pk in times],
    }


def _performers_restore(actor: Actor, session: Session, content: Mapping[str, Any]) -> str:
    """Restore these appearances in the locked session, each in its old place, and return the sentence to show.

    An appearance is repeated if it was, or if another one of the participant counts in the stage now. A participant who
    was added again since gets program and time back in the present place.
    """
    kept: Sequence[Kept] = content["appearances"]
    by_participant = {each["participant_id"]: each for each in kept}
    known = Participant.objects.select_for_update(no_key=True).filter(pk__in=by_participant).order_by("pk")
    if len(known) < len(by_participant):
        raise ValidationError(GONE)
    _pieces_require(kept)
    playing = list(session.appearances.order_by("order_number"))
    again = {each.participant_id: each for each in playing if each.participant_id in by_participant}
    _bare_require(again, by_participant)
    order, now_repeated = list(playing), repetitions(session, by_participant.keys() - again.keys())
    piano_ids = [each["piano_id"] for each in kept if each.get("piano_id")]
    pianos = Piano.objects.select_for_update(no_key=True).filter(pk__in=piano_ids).order_by("pk")
    known_pianos = set(pianos.values_list("pk", flat=True))
    for each in sorted(kept, key=lambda each: each["order_number"]):
        is_repeated = each.get("is_repeated", False) or each["participant_id"] in now_repeated
        back = again.get(each["participant_id"])
        if back is None:
            of = {"session": session, "participant_id": each["participant_id"], "is_repeated": is_repeated}
            back = Appearance(pk=each["id"], order_number=each["order_number"], **of)
            order.insert(sum(other.order_number < each["order_number"] for other in order), back)
        back.planned_start = back.planned_start or _read_moment(each.get("planned_start"))
        back.piano_id = back.piano_id or (each.get("piano_id") if each.get("piano_id") in known_pianos else None)
    before = [appearance.order_number for appearance in playing]
    for appearance, number in zip(order, free_numbers(session, by_participant), strict=False):
        appearance.order_number = number
    intervals_follow(session, before, [appearance.order_number for appearance in order if appearance in playing])
    Appearance.objects.bulk_update(playing, ["order_number", "planned_start", "piano_id"])
    Appearance.objects.bulk_create(appearance for appearance in order if appearance not in playing)
    ids = {appearance.participant_id: appearance.pk for appearance in order}
    program = [(ids[each["participant_id"]], entry) for each in kept for entry in each["program"]]
    entries = ProgramEntry.objects.bulk_create(
        ProgramEntry(appearance_id=pk, **{field: entry[field] for field in _ENTRY}) for pk, entry in program
    )
    _parts_restore(zip(entries, (entry for _, entry in program), strict=True))
    PerformingTime.objects.bulk_create(
        PerformingTime(pk=pk, appearance_id=ids[each["participant_id"]], **_read(pair))
        for each in kept
        for pk, pair in zip_longest(each.get("time_ids", ()), each["times"])  # of an older version: without ids
    )
    names = [each["name"] for each in kept]
    change_note(actor=actor, action="session.restore", subject_id=session.pk, name=session.title, restored=names)
    concerned = tuple(appearance.participant_id for appearance in order)
    publish(SessionChanged(session_id=session.pk, participant_ids=concerned))
    publish(AppearancesChanged(session_id=session.pk, participant_ids=concerned))
    is_news = any(not by_participant[pk].get("is_repeated", False) for pk in now_repeated)
    return BACK_REPEATED if is_news else PERFORMERS_BACK


def _bare_require(again: Mapping[int, Appearance], kept: Mapping[int, Kept]) -> None:
    """Raise ValidationError if an appearance that was added again has a program, or was on stage."""
    ids = [appearance.pk for appearance in again.values()]
    used = {
        pk
        for model in (ProgramEntry, PerformingTime)
        for (pk,) in model._default_manager.filter(appearance__in=ids).values_list("appearance")  # noqa: SLF001 - Django's name
    }
    for participant_id, appearance in again.items():
        if appearance.pk in used:
            raise ValidationError("%(name)s is in the session again.", params={"name": kept[participant_id]["name"]})


def _program_restore(actor: Actor, kept: Kept, piece_ids: Sequence[int]) -> None:
    """Restore the program of an appearance that an assignment replaced by these pieces."""
    appearance = Appearance.objects.select_for_update(no_key=True).filter(pk=kept["id"]).first()
    if appearance is None:
        raise ValidationError(GONE)
    _pieces_require([kept])
    program = appearance.program.order_by("order_number")
    if list(program.values_list("piece_id", flat=True)) != list(piece_ids):
        raise ValidationError(CHANGED)
    entries = [NewEntry(each["piece_id"], slot=each["slot"]) for each in kept["program"]]
    try:
        program_replace(actor=actor, appearance_id=appearance.pk, entries=entries)
    except PiecesRated as question:
        if question.leaving:
            raise ValidationError(RATED) from question
        program_replace(actor=actor, appearance_id=appearance.pk, entries=entries, confirmed=True)
    restored = list(zip(program.all(), kept["program"], strict=True))
    for entry, each in restored:
        entry.timestamp, entry.youtube_url = each["timestamp"], each["youtube_url"]
        entry.save(update_fields=["timestamp", "youtube_url"])
    ProgramPart.objects.filter(entry__in=[entry for entry, _ in restored]).delete()
    _parts_restore(restored)


def _parts_restore(restored: Iterable[tuple[ProgramEntry, Kept]]) -> None:
    """Store the moments of the items' parts again, of those parts that the pieces still have."""
    moments = [(entry, part) for entry, each in restored for part in each.get("parts", ())]
    ids = {part["part_id"] for _, part in moments}
    staying = frozenset(PiecePart.objects.filter(pk__in=ids).values_list("pk", flat=True))
    ProgramPart.objects.bulk_create(
        ProgramPart(entry=entry, **part) for entry, part in moments if part["part_id"] in staying
    )


def _pieces_require(kept: Sequence[Kept]) -> None:
    """Raise ValidationError when a piece of these programs was deleted."""
    ids = {entry["piece_id"] for each in kept for entry in each["program"]}
    found = Piece.objects.select_for_update(no_key=True).filter(pk__in=ids).order_by("pk")
    if len(found.values_list("pk")) < len(ids):
        raise ValidationError(GONE)


def _read(pair: Sequence[str | None]) -> dict[str, datetime | None]:
    return {name: _read_moment(at) for name, at in zip(_TIMES, pair, strict=True)}


def _read_moment(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None
