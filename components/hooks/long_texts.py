"""Fields that came ahead of their act over HTTP, because one frame of the socket does not hold them."""

from dataclasses import replace

from django.core.exceptions import ValidationError

from apps.accounts.selectors import answer_get
from components.hooks.arguments import Asked

HELD = "held"  # what the form answers are called that hold them, and the field that names one


def whole(asked: Asked, *, user_id: int) -> Asked:
    """What was asked for with all its fields, also those that this person posted ahead.

    Raises ValidationError when those are gone.
    """
    held = asked.fields.get(HELD)
    if not isinstance(held, str) or len(asked.fields) > 1:
        return asked
    name, data = answer_get(answer_id=held, user_id=user_id) or ("", {})
    if name != HELD:
        raise ValidationError("That took too long. Please save it once more.")
    return replace(asked, fields=data["fields"])
