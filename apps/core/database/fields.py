"""Fields used by several tables."""

from typing import Any

from django.db import models
from django.db.models.functions import Now


class NullWhenEmptyField(models.CharField):  # type: ignore[type-arg]  # a class of Django takes none when it runs
    """A text that Python always reads as one, and that the database stores as null while it is empty."""

    def from_db_value(self, value: str | None, *_context: Any) -> str:
        """Return the text; an absent one is empty."""
        return value or ""

    def get_prep_value(self, value: Any) -> str | None:
        """Return what is stored and compared."""
        return super().get_prep_value(value) or None


class UpdatedAtField(models.DateTimeField):  # type: ignore[type-arg]  # a class of Django takes none when it runs
    """When a row was saved last, by the database's clock; `auto_now` takes the process's, which may be wrong."""

    def pre_save(self, model_instance: models.Model, add: bool) -> Now:  # noqa: ARG002, FBT001 - the shape of the base
        """Return the database's time, at every save."""
        return Now()
