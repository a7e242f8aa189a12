"""Reads of the slots of a stage's programs."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from apps.competition.enums import Category
from apps.competition.models import Piece, PiecePart, SlotAllowance, Stage, StageSlot
from apps.competition.program_check import Allowed, SlotRule
from apps.competition.selectors.public.participants import PieceTitle
from apps.competition.selectors.public.programs import piece_title
from apps.competition.slot_presets import Preset, WorkKey, presets
from apps.competition.works import COMPOSER
from apps.core.edits import version_of

Key = tuple[int, ...] | str  # of what a slot allows: a category, or one piece, or the pieces of a set
SlotKey = tuple[str, bool, int, int | None, frozenset[Key]]


@dataclass(frozen=True, slots=True)
class AllowedPiece:
    """A piece that a slot allows; `members` are the pieces of a set."""

    piece: PieceTitle
    members: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SlotEdit:
    """A slot with what it allows; its form sends `version` back."""

    id: int
    order_number: int
    label: str
    is_free: bool
    least: int
    most: int | None
    categories: tuple[Category, ...]
    pieces: tuple[AllowedPiece, ...]

    @property
    def version(self) -> str:
        """The version of the slot."""
        names = (each.piece.name for each in self.pieces)
        return version_of(slot_fields(self, categories=self.categories, names=names))

    @property
    def rule(self) -> SlotRule:
        """The slot for the check of a program."""
        pieces = (Allowed(piece_id=each.piece.id, members=each.members) for each in self.pieces)
        allowed = (*(Allowed(category=each.value) for each in self.categories), *pieces)
        return SlotRule(allowed, self.is_free, self.least, self.most)

    @property
    def key(self) -> SlotKey:
        """The slot for the comparison with presets."""
        pieces: Iterable[Key] = (each.members or (each.piece.id,) for each in self.pieces)
        allowed = frozenset((*(each.value for each in self.categories), *pieces))
        return self.label, self.is_free, self.least, self.most, allowed


@dataclass(frozen=True, slots=True)
class StageSlots:
    """A stage with its slots; `preset` is the key of the one that they are, empty when they were edited."""

    id: int
    name: str
    order_number: int
    has_own_slots: bool
    least_minutes: int | None
    most_minutes: int | None
    slots: tuple[SlotEdit, ...]
    preset: str

    @property
    def minutes_version(self) -> str:
        """The version of the minutes."""
        return version_of(minutes_fields(self.least_minutes, self.most_minutes))

    @property
    def rules(self) -> tuple[SlotRule, ...]:
        """The slots for the check of a program."""
        return tuple(each.rule for each in self.slots)


def slot_fields(
    slot: "StageSlot | SlotEdit", *, categories: Iterable[Category], names: Iterable[str]
) -> dict[str, Any]:
    """Return a slot's editable values by field; what it allows by name."""
    allowed = sorted((*(str(each.label) for each in categories), *names))
    return {"label": slot.label, "free": slot.is_free, "least": slot.least, "most": slot.most, "allowed": allowed}


def minutes_fields(least: int | None, most: int | None) -> dict[str, Any]:
    """Return the minutes of a stage's programs by field."""
    return {"least_minutes": least, "most_minutes": most}


def stage_slots(*, stage_id: int) -> StageSlots | None:
    """Return a stage with its slots, or None for an unknown id. At most five queries."""
    stage = Stage.objects.filter(pk=stage_id).first()
    if stage is None:
        return None
    slots = slots_read(stage_id=stage_id)
    return StageSlots(
        id=stage.pk,
        name=stage.name,
        order_number=stage.order_number,
        has_own_slots=stage.has_own_slots,
        least_minutes=stage.least_minutes,
        most_minutes=stage.most_minutes,
        slots=slots,
        preset=_preset_of(stage, slots),
    )


def slots_read(*, stage_id: int) -> tuple[SlotEdit, ...]:
    """Return the slots of a stage in order. Three queries."""
    allowances = SlotAllowance.objects.filter(slot__stage=stage_id).select_related("piece").order_by("pk")
    by_slot: dict[int, list[SlotAllowance]] = defaultdict(list)
    for each in allowances:
        by_slot[each.slot_id].append(each)
    members = set_members(piece_ids=[each.piece_id for each in allowances if each.piece_id])
    found = StageSlot.objects.filter(stage=stage_id).order_by("order_number")
    return tuple(_slot(each, by_slot[each.pk], members) for each in found)


def set_members(*, piece_ids: Collection[int]) -> Mapping[int, tuple[int, ...]]:
    """Return the pieces of those of these pieces that are sets, in their order, by set. One query."""
    members: dict[int, list[int]] = defaultdict(list)
    found = PiecePart.objects.filter(piece__in=piece_ids, member__isnull=False).order_by("piece_id", "order_number")
    for piece_id, member_id in found.values_list("piece_id", "member_id"):
        members[piece_id].append(member_id)
    return {piece_id: tuple(ids) for piece_id, ids in members.items()}


def preset_works() -> Mapping[WorkKey, int]:
    """Return the composer's works by opus and number; of several with the same, the first one. One query."""
    found = Piece.objects.filter(composer=COMPOSER, numbers="").exclude(opus="").exclude(parts__member__isnull=False)
    rows = found.order_by("-pk").values_list("opus", "number", "pk")
    return {(opus, number): pk for opus, number, pk in rows}


def _slot(slot: StageSlot, allowances: Sequence[SlotAllowance], members: Mapping[int, tuple[int, ...]]) -> SlotEdit:
    pieces = [each.piece for each in allowances if each.piece is not None]
    return SlotEdit(
        slot.pk,
        slot.order_number,
        slot.label,
        slot.is_free,
        slot.least,
        slot.most,
        tuple(Category(each.category) for each in allowances if each.category),
        tuple(AllowedPiece(piece_title(each), members.get(each.pk, ())) for each in pieces),
    )


def _preset_of(stage: Stage, slots: Sequence[SlotEdit]) -> str:
    minutes = (stage.least_minutes, stage.most_minutes)
    own = [each.key for each in slots]
    works = preset_works() if slots else {}
    for name, preset in presets().items():
        is_same = (preset.least_minutes, preset.most_minutes) == minutes or not preset.slots
        if preset.has_own_slots == stage.has_own_slots and is_same and preset_keys(preset, works) == own:
            return name
    return ""


def preset_keys(preset: Preset, works: Mapping[WorkKey, int]) -> list[SlotKey]:
    """Return the slots of a preset as `SlotEdit.key`, with the ids of `works`."""
    return [
        (
            slot.label,
            slot.is_free,
            slot.least,
            slot.most,
            frozenset(
                tuple(works[key] for key in allowed) for allowed in slot.allowed if all(key in works for key in allowed)
            ),
        )
        for slot in preset.slots
    ]
