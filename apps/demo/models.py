"""What is remembered of a demo that was loaded here, so that its dates can follow the days."""

from django.db import models
from django.db.models import Q


class LoadedDemo(models.Model):
    """The demo of this installation; at most one.

    `present_at` is the moment as of which it is told: nothing of it that has happened is later. `last_ids` are the
    highest ids of its tables when it had been loaded: later rows are other people's.
    """

    present_at = models.DateTimeField()
    last_ids = models.JSONField(default=dict)

    class Meta:
        db_table = "loaded_demos"
        constraints = (models.CheckConstraint(condition=Q(pk=1), name="one_loaded_demo"),)

    def __str__(self) -> str:
        return f"as of {self.present_at:%Y-%m-%d %H:%M}"
