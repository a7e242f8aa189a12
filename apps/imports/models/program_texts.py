"""Programs that were pasted and are not yet assigned."""

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from apps.core.database.constraints import at_most, is_not_blank
from apps.imports.limits import PROGRAM_LENGTH


class ProgramText(models.Model):
    """The text that one administrator has pasted last, until all of it is assigned."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    text = models.TextField()
    # whose program it became in part; null before, and when the appearance is gone
    assigned_to = models.ForeignKey(
        "competition.SessionParticipant", null=True, on_delete=models.SET_NULL, db_index=False, related_name="+"
    )
    updated_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        db_table = "program_texts"
        constraints = (
            is_not_blank("text", name="program_text_written"),
            at_most("text", PROGRAM_LENGTH, name="program_text_length"),
        )

    def __str__(self) -> str:
        return f"{self.user_id}: {len(self.text)}"
