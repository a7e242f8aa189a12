"""The table of what can be found."""

from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVectorField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from apps.search.enums import Kind
from apps.search.limits import ENTRY_TITLE


class SearchEntry(models.Model):
    """One object that can be found. Written by `services.entries_write` in the transaction that writes the object.

    `folded` are the title and the other names, folded, each between bars: "| jan kaldunski | kaldunski jan |".
    `words` are the folded words (`entries.vector_of`).
    """

    kind = models.CharField(max_length=11)
    object_id = models.BigIntegerField()
    is_public = models.BooleanField()
    weight = models.BigIntegerField()
    title = models.CharField(max_length=ENTRY_TITLE)
    detail = models.TextField(blank=True)
    text = models.TextField(blank=True)
    folded = models.TextField()
    words = SearchVectorField()
    changed_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        db_table = "search_entries"
        constraints = (
            models.UniqueConstraint(fields=("object_id", "kind"), name="found_once"),
            models.CheckConstraint(condition=Q(kind__in=[kind.value for kind in Kind]), name="search_kind_known"),
            models.CheckConstraint(condition=~Q(title=""), name="search_title_written"),
        )
        indexes = (
            # without a list of pending entries: a search would read it from its beginning to its end
            GinIndex(fields=["words"], name="search_words", fastupdate=False),
            models.Index(fields=["kind", "-weight", "-object_id"], name="search_heaviest"),
            models.Index(fields=["changed_at"], name="search_changed"),
            models.Index(fields=["changed_at"], name="search_named_changed", condition=~Q(kind=Kind.POST.value)),
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.object_id}: {self.title}"
