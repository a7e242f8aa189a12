"""What is wrong in several fields of a form, kept until all of it can be said at once."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TypeVar

from django.core.exceptions import ValidationError

Read = TypeVar("Read")
NONE: Mapping[str, list[ValidationError]] = MappingProxyType({})


class FieldErrors:
    """The errors of fields so far, `known` among them; of two at one field the first is said."""

    def __init__(self, known: Mapping[str, list[ValidationError]] = NONE) -> None:
        self.by_field = dict(known)

    def checked(self, read: Callable[[], Read], otherwise: Read) -> Read:
        """Return what `read` returns, or `otherwise` when it raises errors of fields, which are kept.

        What it raises besides, such as a question before a loss, is raised once no field is wrong.
        """
        try:
            return read()
        except ValidationError as error:
            if type(error) is not ValidationError or not hasattr(error, "error_dict"):
                self.require_none()
                raise
            self.by_field = error.error_dict | self.by_field
            return otherwise

    def require_none(self) -> None:
        """Raise ValidationError with all that is wrong; what was written meanwhile goes with the transaction."""
        if self.by_field:
            raise ValidationError(dict(self.by_field))
