"""Sessions: one row for each browser (`apps/accounts/session_store.py`)."""

from uuid import uuid4

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

KEY_LENGTH = 40  # characters
AGENT_LENGTH = 60


class AuthSession(models.Model):
    """A session of one browser: the secret `key` is its cookie, `handle` names it on pages.

    The client's address is not stored.
    """

    key = models.CharField(max_length=KEY_LENGTH, primary_key=True)
    handle = models.UUIDField(unique=True, default=uuid4, editable=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="auth_sessions"
    )
    data = models.TextField()
    created_at = models.DateTimeField(db_default=Now())  # the sign-in
    seen_at = models.DateTimeField(db_default=Now())
    expire_date = models.DateTimeField(db_index=True)
    remembered = models.BooleanField(default=False)
    second_factor = models.BooleanField(db_default=False)  # whether one was proved in this session
    agent = models.CharField(max_length=AGENT_LENGTH, blank=True)  # browser and system, such as "Firefox on Linux"

    class Meta:
        db_table = "auth_sessions"

    def __str__(self) -> str:
        return str(self.handle)
