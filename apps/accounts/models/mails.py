"""Mails that wait to be sent."""

from django.db import models
from django.db.models.functions import Now

NAME_LENGTH = 40  # characters
LANGUAGE_LENGTH = 16


class Mail(models.Model):
    """A mail until it is sent; its links are made when it is sent and never stored."""

    name = models.CharField(max_length=NAME_LENGTH)
    recipient = models.EmailField()
    language = models.CharField(max_length=LANGUAGE_LENGTH)
    context = models.JSONField(default=dict)
    tries = models.PositiveSmallIntegerField(default=0)
    due_at = models.DateTimeField(db_default=Now())

    class Meta:
        db_table = "mails"
        indexes = (models.Index(fields=["due_at", "id"], name="mails_due"),)

    def __str__(self) -> str:
        return f"{self.name}: {self.pk}"
