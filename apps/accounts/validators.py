"""The rules of a username, with the specification's words (section 5)."""

from django.core.exceptions import ValidationError

USERNAME_SHORTEST = 3
USERNAME_LONGEST = 20
USERNAME = rf"^[A-Za-z][A-Za-z0-9_-]{{{USERNAME_SHORTEST - 1},{USERNAME_LONGEST - 1}}}$"
_ALLOWED = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")


def validate_username(username: str) -> None:
    """Raise ValidationError with the first rule that `username` breaks."""
    if len(username) < USERNAME_SHORTEST:
        raise ValidationError("Username must be at least 3 characters long")
    if len(username) > USERNAME_LONGEST:
        raise ValidationError("Username must be no more than 20 characters long")
    if not set(username) <= _ALLOWED:
        raise ValidationError("Username can only contain letters, numbers, underscores, and hyphens")
    if username[0] in "0123456789_-":
        raise ValidationError("Username must start with a letter")
