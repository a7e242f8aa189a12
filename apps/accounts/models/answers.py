"""Answers of posted forms, stored for the page that shows them."""

from uuid import uuid4

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

FORM_LENGTH = 40  # characters


class FormAnswer(models.Model):
    """The answer to one account: errors, what was typed (never a password) and messages; deleted after a day."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="form_answers")
    form = models.CharField(max_length=FORM_LENGTH)
    data = models.JSONField()
    created_at = models.DateTimeField(db_default=Now(), editable=False, db_index=True)

    class Meta:
        db_table = "form_answers"

    def __str__(self) -> str:
        return f"{self.form}: {self.id}"
