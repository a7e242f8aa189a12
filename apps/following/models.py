"""Follows as they are stored."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from apps.core.database.paging import RowCount
from apps.following.limits import SECRET_LENGTH


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


class FollowCount(RowCount):
    """How many members follow a performer; triggers keep it (`sql/counts.sql`)."""

    participant = models.ForeignKey(
        "competition.Participant", on_delete=models.DO_NOTHING, related_name="+", db_constraint=False
    )

    class Meta:
        db_table = "follow_counts"

    def __str__(self) -> str:
        return f"{self.participant_id}: {self.count}"


class CalendarKey(models.Model):
    """The secret in the address of a member's private calendar; deleted with the account.

    It is stored as it is, not as a digest: `/following` shows the address again on each device. Who reads this table
    reads `follows` beside it, and the address shows nothing else.
    """

    user = models.OneToOneField(settings.AUTH_USER_MODEL, primary_key=True, on_delete=models.CASCADE, related_name="+")
    secret = models.CharField(max_length=SECRET_LENGTH, unique=True)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        db_table = "calendar_keys"
        constraints = (
            models.CheckConstraint(
                condition=Q(secret__regex=f"^[A-Za-z0-9_-]{{{SECRET_LENGTH}}}$"), name="calendar_secret_well_formed"
            ),
        )

    def __str__(self) -> str:
        return str(self.user_id)
