"""The default pictures."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from apps.core.database.constraints import is_picture
from apps.core.limits import ADDRESS_LENGTH
from apps.core.text_rules.validators import picture_address


class DefaultAvatars(models.Model):
    """One choice of default pictures; the newest row is used, older ones are history."""

    user_avatar_url = models.CharField(max_length=ADDRESS_LENGTH, validators=[*picture_address])
    participant_avatar_url = models.CharField(max_length=ADDRESS_LENGTH, validators=[*picture_address])
    updated_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        db_table = "default_avatar_urls"
        indexes = (models.Index(fields=["-created_at", "-id"], name="default_avatars_newest"),)
        constraints = (
            models.CheckConstraint(
                condition=~Q(user_avatar_url="") & ~Q(participant_avatar_url=""),
                name="default_avatars_both",
                violation_error_message="Both default pictures are needed.",
            ),
            is_picture("user_avatar_url", name="default_user_avatar_is_picture"),
            is_picture("participant_avatar_url", name="default_participant_avatar_is_picture"),
        )

    def __str__(self) -> str:
        return f"{self.user_avatar_url}, {self.participant_avatar_url}"
