"""The catalogue, programs, the slots of stages, and the undo of changes to programs."""

from django.db import models
from django.db.models import Deferrable, F, Q
from django.db.models.functions import Now

from apps.competition.enums import Category, UndoKind
from apps.competition.limits import (
    COMPOSER_LENGTH,
    PARTS_MOST,
    PIECE_LENGTH,
    PIECE_NOTE_LENGTH,
    PROGRAM_MOST,
    SLOT_LABEL_LENGTH,
    SLOTS_MOST,
)
from apps.competition.models.sessions import Appearance, Session, Stage
from apps.core.database.fields import at_most, is_not_blank
from apps.core.limits import ADDRESS_LENGTH
from apps.core.text_rules import SECURE_ADDRESS


class Piece(models.Model):
    """A work of the catalogue; unknown parts of its title are empty.

    `opus` is the number of another catalogue ("BI 71") for a work without an opus. `minutes` is its usual length. A
    piece may have parts: movements, sections, or pieces of their own, which make it a set.
    """

    name = models.CharField(max_length=PIECE_LENGTH)
    category = models.CharField(max_length=12, choices=Category)
    composer = models.CharField(max_length=COMPOSER_LENGTH, blank=True)
    title = models.CharField(max_length=100, blank=True)
    key = models.CharField(max_length=30, blank=True)
    opus = models.CharField(max_length=20, blank=True)
    number = models.PositiveSmallIntegerField(null=True, blank=True)
    numbers = models.CharField(max_length=100, blank=True, default="", db_default="")  # of a set: "13–18"
    minutes = models.DecimalField(max_digits=4, decimal_places=1, null=True, blank=True)
    with_orchestra = models.BooleanField(default=False, db_default=False)
    score_url = models.CharField(max_length=ADDRESS_LENGTH, blank=True, default="", db_default="")
    note = models.TextField(blank=True, default="", db_default="")  # Markdown, as in news

    class Meta:
        db_table = "pieces"
        constraints = (
            models.UniqueConstraint(
                fields=["category", "name"],
                name="piece_once_per_category",
                violation_error_message="This piece is in the catalogue already.",
            ),
            is_not_blank("name", name="piece_name_written"),
            models.CheckConstraint(condition=Q(category__in=Category.values), name="piece_category_known"),
            models.CheckConstraint(
                condition=Q(minutes__gt=0),
                name="piece_minutes_possible",
                violation_error_message="A piece lasts longer than 0 minutes.",
            ),
            models.CheckConstraint(
                condition=Q(score_url="") | Q(score_url__regex=SECURE_ADDRESS),
                name="piece_score_is_https",
                violation_error_message="A link begins with https://.",
            ),
            at_most("note", PIECE_NOTE_LENGTH, name="piece_note_length"),
        )

    def __str__(self) -> str:
        return self.name


class PiecePart(models.Model):
    """A part of a piece: a movement or section, or in a set a piece of its own (`member`).

    Triggers refuse a part of a part (`sql/parts_are_flat.sql`).
    """

    piece = models.ForeignKey(Piece, on_delete=models.CASCADE, related_name="parts", db_index=False)
    order_number = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=PIECE_LENGTH, blank=True)  # of a movement or section
    member = models.ForeignKey(Piece, null=True, blank=True, on_delete=models.PROTECT, related_name="sets")

    class Meta:
        db_table = "piece_parts"
        constraints = (
            models.UniqueConstraint(
                fields=["piece", "order_number"], name="part_order_once_per_piece", deferrable=Deferrable.IMMEDIATE
            ),
            models.UniqueConstraint(
                fields=["piece", "member"],
                name="member_once_per_set",
                violation_error_message="A set has each of its pieces once.",
            ),
            models.CheckConstraint(
                condition=Q(order_number__range=(1, PARTS_MOST)),
                name="part_order_possible",
                violation_error_message="A piece has at most 40 parts.",
            ),
            models.CheckConstraint(
                condition=Q(member=None, name__regex=r"^\S(.*\S)?$") | Q(member__isnull=False, name=""),
                name="part_has_name_or_member",
                violation_error_message="A part has a name, or is a piece of its own.",
            ),
        )

    def __str__(self) -> str:
        return f"{self.piece_id}, {self.order_number}: {self.name}"


class CatalogueLoad(models.Model):
    """A part of the built-in catalogue that was loaded: what was deleted since does not come back."""

    name = models.CharField(max_length=20, unique=True)  # a category, or "sets"
    at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        db_table = "catalogue_loads"

    def __str__(self) -> str:
        return self.name


class StageSlot(models.Model):
    """A slot of a stage's programs: what it allows, and how many items; `most` None means any number.

    It allows its `allowances`; a free slot, which has none, allows every work without orchestra.
    """

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="slots", db_index=False)
    order_number = models.PositiveSmallIntegerField()
    label = models.CharField(max_length=SLOT_LABEL_LENGTH)
    is_free = models.BooleanField(default=False)
    least = models.PositiveSmallIntegerField(default=1)
    most = models.PositiveSmallIntegerField(null=True, blank=True, default=1)

    class Meta:
        db_table = "stage_slots"
        constraints = (
            models.UniqueConstraint(
                fields=["stage", "order_number"], name="slot_order_once_per_stage", deferrable=Deferrable.IMMEDIATE
            ),
            models.CheckConstraint(condition=Q(order_number__range=(1, SLOTS_MOST)), name="slot_order_possible"),
            is_not_blank("label", name="slot_label_written"),
            models.CheckConstraint(
                condition=Q(least__lte=PROGRAM_MOST)
                & (Q(most=None) | (Q(most__range=(1, PROGRAM_MOST)) & Q(most__gte=F("least")))),
                name="slot_items_possible",
                violation_error_message="A slot has from 0 to 40 items, and at least 1 as the most.",
            ),
        )

    def __str__(self) -> str:
        return f"{self.stage_id}, {self.order_number}: {self.label}"


class SlotAllowance(models.Model):
    """What a slot allows: a category with all its single works, or one piece, which may be a set."""

    slot = models.ForeignKey(StageSlot, on_delete=models.CASCADE, related_name="allowances", db_index=False)
    category = models.CharField(max_length=12, choices=Category, blank=True)
    piece = models.ForeignKey(Piece, null=True, blank=True, on_delete=models.PROTECT, related_name="allowances")

    class Meta:
        db_table = "slot_allowances"
        constraints = (
            models.UniqueConstraint(
                fields=["slot", "category", "piece"], nulls_distinct=False, name="allowed_once_per_slot"
            ),
            models.CheckConstraint(
                condition=(Q(category__in=Category.values) & Q(piece=None)) | (Q(category="") & Q(piece__isnull=False)),
                name="allows_a_category_or_a_piece",
            ),
        )

    def __str__(self) -> str:
        return f"{self.slot_id}, {self.category or self.piece_id}"


class ProgramEntry(models.Model):
    """One item of an appearance's program: its piece, its slot, and where in which recording it begins.

    The slot is a category. Stages with slots of their own do not use it (`StageSlot`).
    """

    appearance = models.ForeignKey(
        Appearance, db_column="session_participant_id", on_delete=models.CASCADE, related_name="program"
    )
    piece = models.ForeignKey(Piece, on_delete=models.PROTECT, related_name="entries")
    order_number = models.PositiveSmallIntegerField()
    slot = models.CharField(max_length=12, choices=Category)
    timestamp = models.PositiveIntegerField(null=True, blank=True)  # seconds into the recording
    youtube_url = models.CharField(max_length=ADDRESS_LENGTH, blank=True)

    class Meta:
        db_table = "session_participant_pieces"
        constraints = (
            models.UniqueConstraint(
                fields=["appearance", "order_number"],
                name="entry_order_once_per_place",
                deferrable=Deferrable.IMMEDIATE,
                violation_error_message="This order number is taken in the program.",
            ),
            models.CheckConstraint(condition=Q(order_number__gte=1), name="entry_order_from_one"),
            models.CheckConstraint(condition=Q(slot__in=Category.values), name="entry_slot_known"),
            models.CheckConstraint(
                condition=Q(youtube_url="") | Q(youtube_url__regex=SECURE_ADDRESS),
                name="entry_link_is_https",
                violation_error_message="A link begins with https://.",
            ),
        )

    def __str__(self) -> str:
        return f"{self.appearance_id}, {self.order_number}"


class ProgramPart(models.Model):
    """Where in which recording a part of a program's item begins."""

    entry = models.ForeignKey(ProgramEntry, on_delete=models.CASCADE, related_name="parts", db_index=False)
    part = models.ForeignKey(PiecePart, on_delete=models.CASCADE, related_name="moments")
    timestamp = models.PositiveIntegerField(null=True, blank=True)  # seconds into the recording
    youtube_url = models.CharField(max_length=ADDRESS_LENGTH, blank=True)

    class Meta:
        db_table = "session_participant_piece_parts"
        constraints = (
            models.UniqueConstraint(fields=["entry", "part"], name="part_once_per_entry"),
            models.CheckConstraint(
                condition=Q(youtube_url="") | Q(youtube_url__regex=SECURE_ADDRESS),
                name="part_link_is_https",
                violation_error_message="A link begins with https://.",
            ),
        )

    def __str__(self) -> str:
        return f"{self.entry_id}, {self.part_id}"


class ProgramUndo(models.Model):
    """Appearances with their programs as they were before a change, kept for UNDO_LIFETIME for its undo."""

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=10, choices=[(kind.value, kind.value) for kind in UndoKind])
    content = models.JSONField()
    created_at = models.DateTimeField(db_default=Now(), editable=False, db_index=True)

    class Meta:
        db_table = "program_undos"
        constraints = (
            models.CheckConstraint(condition=Q(kind__in=[kind.value for kind in UndoKind]), name="program_undo_kind"),
        )

    def __str__(self) -> str:
        return f"{self.session_id}, {self.kind}"
