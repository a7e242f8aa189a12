"""Links that a mail brings, as they are stored: read and written by `apps/accounts/mail/one_time_links.py`."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from apps.core.limits import ADDRESS_LENGTH

DIGEST_LENGTH = 64  # characters
PURPOSE_LENGTH = 40


class OneTimeLink(models.Model):
    """A link that was mailed and not yet used; only the digest of its key is stored."""

    digest = models.CharField(max_length=DIGEST_LENGTH, primary_key=True)
    purpose = models.CharField(max_length=PURPOSE_LENGTH)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="one_time_links")
    expires_at = models.DateTimeField(db_index=True)
    next_path = models.CharField(max_length=ADDRESS_LENGTH, blank=True, default="", db_default="")

    class Meta:
        db_table = "one_time_links"
        constraints = (
            models.CheckConstraint(
                condition=Q(next_path="") | Q(next_path__regex=r"^/([^/\\]|$)"), name="link_leads_to_this_site"
            ),
        )

    def __str__(self) -> str:
        return f"{self.purpose}: {self.user_id}"
