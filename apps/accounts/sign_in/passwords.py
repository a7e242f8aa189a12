"""Errors of new passwords, in the specification's words."""

from typing import Any

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError

from apps.accounts.limits import PASSWORD_SHORTEST


def password_errors(password: str, again: str, *, user: Any) -> dict[str, list[str]]:
    """Return what is wrong with a new password for `user`, by field; nothing when it may be used."""
    differ = {"password2": ["Passwords do not match"]} if password != again else {}
    if len(password) < PASSWORD_SHORTEST:
        return {"password1": ["Password must be at least 6 characters long"], **differ}
    try:
        validate_password(password, user)
    except ValidationError as error:
        return {"password1": error.messages, **differ}
    return differ
