"""Programs: their pieces, and the undo of their changes."""

from django.db import models
from django.db.models import Deferrable, Q
from django.db.models.functions import Now

from apps.competition.enums import Category, UndoKind
from apps.competition.limits import PIECE_LENGTH
from apps.competition.models.sessions import Session, SessionParticipant
from apps.core.database.fields import is_not_blank
from apps.core.limits import ADDRESS_LENGTH
from apps.core.text_rules import SECURE_ADDRESS


class Piece(models.Model):
    """A piece of the catalogue; unknown parts of its title are empty."""

    name = models.CharField(max_length=PIECE_LENGTH)
    category = models.CharField(max_length=8, choices=Category)
    composer = models.CharField(max_length=100, blank=True)
    title = models.CharField(max_length=100, blank=True)
    key = models.CharField(max_length=30, blank=True)
    opus = models.CharField(max_length=20, blank=True)
    number = models.PositiveSmallIntegerField(null=True, blank=True)

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
        )

    def __str__(self) -> str:
        return self.name


class ProgramEntry(models.Model):
    """One piece of an appearance's program: its slot, and where in which recording it begins."""

    session_participant = models.ForeignKey(SessionParticipant, on_delete=models.CASCADE, related_name="program")
    piece = models.ForeignKey(Piece, on_delete=models.PROTECT, related_name="entries")
    order_number = models.PositiveSmallIntegerField()
    slot = models.CharField(max_length=8, choices=Category)
    timestamp = models.PositiveIntegerField(null=True, blank=True)  # seconds into the recording
    youtube_url = models.CharField(max_length=ADDRESS_LENGTH, blank=True)

    class Meta:
        db_table = "session_participant_pieces"
        constraints = (
            models.UniqueConstraint(
                fields=["session_participant", "order_number"],
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
        return f"{self.session_participant_id}, {self.order_number}"


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
