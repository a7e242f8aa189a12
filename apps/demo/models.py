"""The record of a loaded demo, used to move its dates to today."""

from django.db import models
from django.db.models import Q


class LoadedDemo(models.Model):
    """The demo of this installation; at most one row.

    `present_at` is the present moment of the demo's content: later events of it have not happened. `last_ids` are the
    highest ids of its tables after loading: rows with higher ids are not part of the demo.
    """

    present_at = models.DateTimeField()
    last_ids = models.JSONField(default=dict)

    class Meta:
        db_table = "loaded_demos"
        constraints = (models.CheckConstraint(condition=Q(pk=1), name="one_loaded_demo"),)

    def __str__(self) -> str:
        return f"as of {self.present_at:%Y-%m-%d %H:%M}"
