"""The record of a loaded demo: what belongs to it, and whether it is alive."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q


class LoadedDemo(models.Model):
    """The demo of this installation; at most one row.

    `present_at` is the present moment of the demo's content: later events of it have not happened. `last_ids` are the
    highest ids of its tables after loading: rows with higher ids are not part of the demo, except what its audience
    did while it was alive, the last time at `lived_at`. Any account that is not in `account_ids` is a real one; the
    first that is seen ends the demo's life for good (`over_at`). `stopped_at` is the time of an administrator's stop.
    """

    present_at = models.DateTimeField()
    last_ids = models.JSONField(default=dict)
    account_ids = ArrayField(models.BigIntegerField(), default=list, db_default=[])
    lived_at = models.DateTimeField(null=True, blank=True)
    stopped_at = models.DateTimeField(null=True, blank=True)
    over_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        db_table = "loaded_demos"
        constraints = (models.CheckConstraint(condition=Q(pk=1), name="one_loaded_demo"),)

    def __str__(self) -> str:
        return f"as of {self.present_at:%Y-%m-%d %H:%M}"
