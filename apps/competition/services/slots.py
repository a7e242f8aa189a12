"""Writes of the slots of a stage's programs: presets, single slots, and the minutes of the whole.

Every write locks the stage first, so that two of one stage follow each other.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import F

from apps.accounts.actors import Actor
from apps.accounts.audit_notes import change_note
from apps.competition.enums import SPECIFIED
from apps.competition.events import StagesChanged
from apps.competition.limits import ALLOWED_MOST, SLOTS_MOST
from apps.competition.models import Piece, SlotAllowance, Stage, StageSlot
from apps.competition.permissions import can_edit_competition
from apps.competition.selectors.admin.stage_slots import (
    SlotEdit,
    minutes_fields,
    preset_works,
    slot_fields,
    slots_read,
    stage_slots,
)
from apps.competition.selectors.admin.works_typed import WorksTyped, works_typed
from apps.competition.services.catalogue import set_add
from apps.competition.slot_presets import PresetSlot, WorkKey, presets
from apps.core.edits import ConfirmationNeeded, Saved, edit_merge, row_validate
from apps.core.events import publish
from apps.core.permissions import require

_NOT_ALLOWED = "Only administrators edit stages."
ALLOWS_NOTHING = "Allow at least one category or work, or make the slot free."
TOO_MANY = "A slot allows at most %(most)d categories and works."
_STEPS = {"up": -1, "down": 1}
_COLUMNS = {"label": "label", "is_free": "free", "least": "least", "most": "most"}
_LABELS = {"free": "Free", "least": "How many items", "most": "How many items", "allowed": "Allowed"}


@dataclass(frozen=True, slots=True)
class SlotForm:
    """A slot as its form sends it; `kept` are the allowed categories and piece ids that stay, `more` is typed text."""

    label: str
    is_free: bool
    least: int
    most: int | None
    kept: WorksTyped = field(default_factory=WorksTyped)
    more: str = ""


@transaction.atomic
def stage_preset(*, actor: Actor, stage_id: int, preset: str, confirmed: bool = False) -> tuple[str, ...]:
    """Replace the slots and minutes of a stage by those of a preset; return its works that the catalogue lacks.

    Programs stay as they are. Raises PermissionDenied, Stage.DoesNotExist, ValidationError for an unknown preset and
    for a slot whose works are all missing, ConfirmationNeeded when the slots were edited.
    """
    stage = _locked(actor, stage_id)
    if preset not in presets():
        raise ValidationError({"preset": "Choose a preset."})
    before = stage_slots(stage_id=stage_id)
    if before and before.preset == preset:
        return ()
    if before and before.slots and not before.preset and not confirmed:
        question = "The slots of %(stage)s were edited, and those of the preset replace them. The programs stay."
        raise ConfirmationNeeded([ValidationError(question, params={"stage": stage.name})])
    chosen = presets()[preset]
    stage.slots.all().delete()
    works, missing = preset_works(), []
    for number, slot in enumerate(chosen.slots, start=1):
        missing += _preset_slot_store(actor, stage, number, slot, works)
    stage.has_own_slots = chosen.has_own_slots
    stage.least_minutes, stage.most_minutes = chosen.least_minutes, chosen.most_minutes
    stage.save(update_fields=["has_own_slots", "least_minutes", "most_minutes"])
    _announce(actor, stage, {"preset": before.preset if before else ""}, {"preset": preset})
    return tuple(missing)


@transaction.atomic
def stage_minutes(
    *, actor: Actor, stage_id: int, least: int | None, most: int | None, version: str | None = None
) -> Saved[Stage]:
    """Store the minutes of the stage's whole programs; None is no limit. `version` is the one that the editor read.

    Raises PermissionDenied, Stage.DoesNotExist, EditConflict, ValidationError at `most_minutes`.
    """
    stage = _locked(actor, stage_id)
    before = minutes_fields(stage.least_minutes, stage.most_minutes)
    fields, kept_fields = edit_merge(version=version, stored=before, given=minutes_fields(least, most))
    stage.least_minutes, stage.most_minutes = fields["least_minutes"], fields["most_minutes"]
    if stage.least_minutes and stage.most_minutes and stage.least_minutes > stage.most_minutes:
        raise ValidationError({"most_minutes": "The most minutes are not fewer than the least."})
    stage.save(update_fields=["least_minutes", "most_minutes"])
    if fields != before:
        _announce(actor, stage, before, fields)
    return Saved(stage, kept_fields)


@transaction.atomic
def slot_add(*, actor: Actor, stage_id: int, form: SlotForm) -> StageSlot:
    """Add a slot after all others of a stage and return it.

    A stage of the specification's five categories gets them as slots of its own first. Raises PermissionDenied,
    Stage.DoesNotExist, ValidationError.
    """
    stage = _locked(actor, stage_id)
    typed = _checked(form)
    if not stage.has_own_slots:
        _five_store(stage)
    count = stage.slots.count()
    if count >= SLOTS_MOST:
        raise ValidationError("A stage has at most %(most)d slots.", params={"most": SLOTS_MOST})
    slot = StageSlot(stage=stage, order_number=count + 1)
    _store(slot, form)
    _allow(slot, typed)
    _announce(actor, stage, None, {"slot": slot.label, "allowed": _allowed_names(typed)})
    return slot


@transaction.atomic
def slot_update(*, actor: Actor, slot_id: int, form: SlotForm, version: str | None = None) -> Saved[StageSlot]:
    """Save a slot and return it; `version` is the one that the editor read.

    Raises PermissionDenied, StageSlot.DoesNotExist, EditConflict, ValidationError.
    """
    stage, slot, old = _slot(actor, slot_id)
    typed, before = _checked(form), _fields(old)
    given = before | {"label": " ".join(form.label.split()), "free": form.is_free}
    given |= {"least": form.least, "most": form.most, "allowed": _allowed_names(typed)}
    fields, kept_fields = edit_merge(version=version, stored=before, given=given, labels=_LABELS)
    _store(slot, replace(form, **{name: fields[column] for name, column in _COLUMNS.items()}))
    if fields["allowed"] != before["allowed"]:
        slot.allowances.all().delete()
        _allow(slot, typed)
    if not slot.is_free and not slot.allowances.exists():
        raise ValidationError({"more": ALLOWS_NOTHING})
    if fields != before:
        _announce(actor, stage, {"slot": old.label, **before}, {"slot": slot.label, **fields})
    return Saved(slot, kept_fields)


@transaction.atomic
def slot_remove(*, actor: Actor, slot_id: int) -> int:
    """Remove a slot and return its stage's id; programs stay as they are.

    Raises PermissionDenied, StageSlot.DoesNotExist.
    """
    stage, slot, old = _slot(actor, slot_id)
    slot.delete()
    following = stage.slots.filter(order_number__gt=old.order_number)
    following.update(order_number=F("order_number") - 1)
    _announce(actor, stage, {"slot": old.label, **_fields(old)}, None)
    return stage.pk


@transaction.atomic
def slot_move(*, actor: Actor, slot_id: int, direction: str) -> None:
    """Swap a slot with the one before ("up") or after it ("down"); at the end it stays.

    Raises PermissionDenied, StageSlot.DoesNotExist, ValidationError.
    """
    if direction not in _STEPS:
        raise ValidationError("A slot moves up or down.")
    stage, slot, _ = _slot(actor, slot_id)
    slots = list(stage.slots.order_by("order_number"))
    at, labels = slots.index(slot), [each.label for each in slots]
    other = at + _STEPS[direction]
    if not 0 <= other < len(slots):
        return
    slots[at].order_number, slots[other].order_number = slots[other].order_number, slots[at].order_number
    StageSlot.objects.bulk_update([slots[at], slots[other]], ["order_number"])
    moved = list(labels)
    moved[at], moved[other] = moved[other], moved[at]
    _announce(actor, stage, {"slots": labels}, {"slots": moved})


def _locked(actor: Actor, stage_id: int) -> Stage:
    require(can_edit_competition(actor), _NOT_ALLOWED)
    return Stage.objects.select_for_update(no_key=True).get(pk=stage_id)


def _slot(actor: Actor, slot_id: int) -> tuple[Stage, StageSlot, SlotEdit]:
    """Return a slot with its stage, locked, and as editors read it. Raises StageSlot.DoesNotExist."""
    require(can_edit_competition(actor), _NOT_ALLOWED)
    stage = _locked(actor, StageSlot.objects.values_list("stage_id", flat=True).get(pk=slot_id))
    slot = StageSlot.objects.get(pk=slot_id)  # again, because it may be removed while the stage was locked
    old = next(each for each in slots_read(stage_id=stage.pk) if each.id == slot_id)
    return stage, slot, old


def _checked(form: SlotForm) -> WorksTyped:
    """Return all that the slot will allow. Raises ValidationError at `more` if it is nothing."""
    typed = works_typed(form.more, field="more")
    pieces = tuple(dict.fromkeys((*form.kept.piece_ids, *typed.piece_ids)))
    known = frozenset(Piece.objects.select_for_update(no_key=True).filter(pk__in=pieces).values_list("pk", flat=True))
    categories = tuple(dict.fromkeys((*form.kept.categories, *typed.categories)))
    allowed = WorksTyped(categories, tuple(pk for pk in pieces if pk in known))
    if not form.is_free and not allowed.categories and not allowed.piece_ids:
        raise ValidationError({"more": ALLOWS_NOTHING})
    if len(allowed.categories) + len(allowed.piece_ids) > ALLOWED_MOST:
        raise ValidationError({"more": ValidationError(TOO_MANY, params={"most": ALLOWED_MOST})})
    if form.most is not None and form.most < form.least:
        raise ValidationError({"most": "The most items are not fewer than the least."})
    return WorksTyped() if form.is_free else allowed


def _store(slot: StageSlot, form: SlotForm) -> None:
    slot.label, slot.is_free = " ".join(form.label.split()), form.is_free
    slot.least, slot.most = form.least, form.most
    row_validate(slot, exclude=["stage"])
    slot.save()


def _allow(slot: StageSlot, allowed: WorksTyped) -> None:
    categories = [SlotAllowance(slot=slot, category=each.value) for each in allowed.categories]
    SlotAllowance.objects.bulk_create(
        [*categories, *(SlotAllowance(slot=slot, piece_id=pk) for pk in allowed.piece_ids)]
    )


def _five_store(stage: Stage) -> None:
    """Store the specification's five categories as slots of a stage."""
    stage.has_own_slots = True
    stage.save(update_fields=["has_own_slots"])
    for number, category in enumerate(SPECIFIED, start=1):
        slot = StageSlot.objects.create(stage=stage, order_number=number, label=str(category.label))
        SlotAllowance.objects.create(slot=slot, category=category.value)


def _preset_slot_store(
    actor: Actor, stage: Stage, number: int, slot: PresetSlot, works: Mapping[WorkKey, int]
) -> list[str]:
    """Store a slot of a preset, with missing sets; return its works that the catalogue lacks."""
    whole = [allowed for allowed in slot.allowed if all(key in works for key in allowed)]
    if slot.allowed and not whole:
        sentence = "The catalogue has no work of the slot %(slot)s. Add one first, or choose another preset."
        raise ValidationError(sentence, params={"slot": slot.label})
    stored = StageSlot.objects.create(
        stage=stage,
        order_number=number,
        label=slot.label,
        is_free=slot.is_free,
        least=slot.least,
        most=slot.most,
    )
    pieces = [_preset_piece(actor, [works[key] for key in allowed]) for allowed in whole]
    SlotAllowance.objects.bulk_create(SlotAllowance(slot=stored, piece_id=pk) for pk in dict.fromkeys(pieces))
    lacking = (key for allowed in slot.allowed for key in allowed if key not in works)
    return [f"{slot.label}: op. {opus}" + (f" no. {of_opus}" if of_opus else "") for opus, of_opus in lacking]


def _preset_piece(actor: Actor, piece_ids: Sequence[int]) -> int:
    return piece_ids[0] if len(piece_ids) == 1 else set_add(actor=actor, piece_ids=piece_ids).pk


def _fields(slot: SlotEdit) -> dict[str, object]:
    return slot_fields(slot, categories=slot.categories, names=(each.piece.name for each in slot.pieces))


def _allowed_names(allowed: WorksTyped) -> list[str]:
    pieces = Piece.objects.filter(pk__in=allowed.piece_ids).values_list("name", flat=True)
    return sorted((*(str(each.label) for each in allowed.categories), *pieces))


def _announce(
    actor: Actor, stage: Stage, before: Mapping[str, object] | None, after: Mapping[str, object] | None
) -> None:
    change_note(actor=actor, action="stage.slots", subject_id=stage.pk, name=stage.name, before=before, after=after)
    publish(StagesChanged())
