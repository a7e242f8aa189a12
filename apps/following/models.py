"""Follows as they are stored."""

from django.conf import settings
from django.db import models
from django.db.models.functions import Now


class Follow(models.Model):
    """A performer that a member follows; deleted with the account, and with the performer."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, db_index=False, related_name="+")
    participant = models.ForeignKey("competition.Participant", on_delete=models.CASCADE, related_name="+")
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        db_table = "follows"
        constraints = (models.UniqueConstraint(fields=("user", "participant"), name="one_follow_of_a_performer"),)

    def __str__(self) -> str:
        return f"{self.user_id}, {self.participant_id}"
