"""Check constraints used by several tables."""

from django.db.models import CheckConstraint, Q
from django.db.models.functions import Length
from django.db.models.lookups import LessThanOrEqual

from apps.core.text_rules.validators import PICTURE_ADDRESS, SECURE_ADDRESS


def is_not_blank(field: str, *, name: str) -> CheckConstraint:
    """Return the constraint that a text is not blank and has no blanks around it."""
    condition = Q(**{f"{field}__regex": r"^\S(.*\S)?$"})
    return CheckConstraint(condition=condition, name=name, violation_error_message=f"{_label(field)} is required.")


def at_most(field: str, characters: int, *, name: str) -> CheckConstraint:
    """Return the constraint that a text has at most that many characters."""
    message = f"{_label(field)} must be no more than {characters:,} characters long."
    return CheckConstraint(
        condition=LessThanOrEqual(Length(field), characters), name=name, violation_error_message=message
    )


def is_picture(field: str, *, name: str) -> CheckConstraint:
    """Return the constraint that a picture's address is empty, https:// or a static file of ours."""
    condition = Q(**{field: ""}) | Q(**{f"{field}__regex": PICTURE_ADDRESS})
    message = "A picture needs an https:// address or a static file of this site."
    return CheckConstraint(condition=condition, name=name, violation_error_message=message)


def is_secure_picture(field: str, *, name: str) -> CheckConstraint:
    """Return the rule that a picture's address is empty or https://: what people post is never a file of ours."""
    condition = Q(**{field: ""}) | Q(**{f"{field}__regex": SECURE_ADDRESS})
    message = "A picture needs an https:// address."
    return CheckConstraint(condition=condition, name=name, violation_error_message=message)


def _label(field: str) -> str:
    """Return the field's name as a sentence begins with it."""
    return field.replace("_", " ").capitalize()
