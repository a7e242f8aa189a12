"""Reads of the programs of a stage with slots of its own, each checked against them."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db.models import Count, Q

from apps.competition.limits import PROGRAM_MOST, WORKS_OFFERED
from apps.competition.models import Appearance, Piece, ProgramEntry
from apps.competition.program_check import Check, Item, program_check
from apps.competition.selectors.admin.pieces import in_order, with_words
from apps.competition.selectors.admin.programs import program_version
from apps.competition.selectors.admin.stage_slots import StageSlots, set_members
from apps.competition.selectors.public.participants import PieceTitle
from apps.competition.selectors.public.programs import piece_title


@dataclass(frozen=True, slots=True)
class PlayedBefore:
    """The program of an earlier stage with the same work or a part of it."""

    stage: str
    starts_at: datetime
    piece: str  # its name there


@dataclass(frozen=True, slots=True)
class ProgramItem:
    """An item of a program; `parts` is the number of movements, sections or pieces."""

    id: int
    order_number: int
    piece: PieceTitle
    minutes: Decimal | None
    parts: int
    played: PlayedBefore | None


@dataclass(frozen=True, slots=True)
class CheckedProgram:
    """The program of one appearance, with its check."""

    appearance_id: int
    order_number: int
    participant_id: int
    name: str
    session_id: int
    session: str
    piano_id: int | None
    items: tuple[ProgramItem, ...]
    check: Check

    @property
    def version(self) -> str:
        """The version of the program, which each of its commands sends back."""
        return program_version(each.piece.name for each in self.items)

    @property
    def is_full(self) -> bool:
        """Whether no work can be added."""
        return len(self.items) >= PROGRAM_MOST


@dataclass(frozen=True, slots=True)
class WorkOffer:
    """A work that a search found; `slot` is the index of the slot that it would fill."""

    piece: PieceTitle
    minutes: Decimal | None
    slot: int | None
    is_in_program: bool


@dataclass(frozen=True, slots=True)
class WorkOffers:
    """The first works that a search found, and whether there are more."""

    works: tuple[WorkOffer, ...]
    has_more: bool


@dataclass(frozen=True, slots=True)
class _Played:
    """A work that a participant plays in an earlier stage: the ids of the piece and of the pieces of a set."""

    ids: frozenset[int]
    before: PlayedBefore


_ROW = ("pk", "order_number", "participant_id", "participant__name", "session_id", "session__title", "piano_id")


def stage_programs(stage: StageSlots) -> tuple[CheckedProgram, ...]:
    """Return the programs of a stage by session and order of playing. Four queries."""
    found = Appearance.objects.filter(session__stage=stage.id)
    rows = list(found.order_by("session__starts_at", "session_id", "order_number").values_list(*_ROW))
    entries = _entries([row[0] for row in rows])
    played_rows = _earlier([row[2] for row in rows], stage.order_number)
    pieces = [*(entry.piece_id for own in entries.values() for entry in own), *(row[1] for row in played_rows)]
    members = set_members(piece_ids=pieces)
    played: dict[int, list[_Played]] = defaultdict(list)
    for participant_id, piece_id, name, of_stage, starts_at in played_rows:
        ids = frozenset((piece_id, *members.get(piece_id, ())))
        played[participant_id].append(_Played(ids, PlayedBefore(of_stage, starts_at, name)))
    return tuple(_program(stage, row, entries.get(row[0], ()), members, played[row[2]]) for row in rows)


def work_offers(stage: StageSlots, program: CheckedProgram, *, query: str) -> WorkOffers:
    """Return the first WORKS_OFFERED works, also sets, with every word of `query`, and which slot each would fill.

    Three queries.
    """
    found = list(in_order(with_words(Piece.objects.all(), query))[: WORKS_OFFERED + 1])
    offered, own = found[:WORKS_OFFERED], [each.piece.id for each in program.items]
    stored = Piece.objects.in_bulk(own)
    members = set_members(piece_ids=[*own, *(each.pk for each in offered)])
    items = [_item(stored[pk], members) for pk in own if pk in stored]
    works = (
        WorkOffer(
            piece_title(each),
            each.minutes,
            program_check(stage.rules, [*items, _item(each, members)]).slots[-1],
            each.pk in own,
        )
        for each in offered
    )
    return WorkOffers(tuple(works), len(found) > WORKS_OFFERED)


def _entries(appearance_ids: Collection[int]) -> Mapping[int, list[Any]]:
    entries: dict[int, list[Any]] = defaultdict(list)
    found = ProgramEntry.objects.filter(appearance__in=appearance_ids).select_related("piece")
    for entry in found.annotate(part_count=Count("piece__parts")).order_by("appearance_id", "order_number"):
        entries[entry.appearance_id].append(entry)
    return entries


def _earlier(participant_ids: Collection[int], stage_number: int) -> list[tuple[int, int, str, str, datetime]]:
    """Return the works of these participants in earlier stages, the first stage first."""
    found = ProgramEntry.objects.filter(
        Q(appearance__session__stage__order_number__lt=stage_number),
        appearance__participant__in=participant_ids,
    ).order_by("appearance__session__starts_at", "pk")
    of = "appearance"
    return list(
        found.values_list(
            f"{of}__participant_id",
            "piece_id",
            "piece__name",
            f"{of}__session__stage__name",
            f"{of}__session__starts_at",
        )
    )


def _program(
    stage: StageSlots,
    row: tuple[int, int, int, str, int, str, int | None],
    entries: Sequence[Any],  # `ProgramEntry` with `part_count`
    members: Mapping[int, tuple[int, ...]],
    played: Sequence[_Played],
) -> CheckedProgram:
    before = [_played_before(each.piece_id, members, played) for each in entries]
    items = [_item(entry.piece, members, is_played=one is not None) for entry, one in zip(entries, before, strict=True)]
    shown = (
        ProgramItem(entry.pk, entry.order_number, piece_title(entry.piece), entry.piece.minutes, entry.part_count, one)
        for entry, one in zip(entries, before, strict=True)
    )
    check = program_check(stage.rules, items, least_minutes=stage.least_minutes, most_minutes=stage.most_minutes)
    return CheckedProgram(*row, items=tuple(shown), check=check)


def _played_before(
    piece_id: int, members: Mapping[int, tuple[int, ...]], played: Sequence[_Played]
) -> PlayedBefore | None:
    own = {piece_id, *members.get(piece_id, ())}
    return next((each.before for each in played if own & each.ids), None)


def _item(piece: Piece, members: Mapping[int, tuple[int, ...]], *, is_played: bool = False) -> Item:
    own = members.get(piece.pk, ())
    return Item(piece.pk, piece.category, own, piece.minutes, piece.with_orchestra, is_played)
