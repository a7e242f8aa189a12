"""A field used by several tables."""

from django.db import models
from django.db.models.functions import Now


class UpdatedAtField(models.DateTimeField):  # type: ignore[type-arg]  # a class of Django takes none when it runs
    """When a row was saved last, by the database's clock; `auto_now` takes the process's, which may be wrong."""

    def pre_save(self, model_instance: models.Model, add: bool) -> Now:  # noqa: ARG002, FBT001 - the shape of the base
        """Return the database's time, at every save."""
        return Now()
