"""The rules of usernames and passwords, with the specification's words (section 5)."""

from functools import cache
from typing import Any

from django.contrib.auth.password_validation import CommonPasswordValidator as Common
from django.core.exceptions import ValidationError

from .limits import PASSWORD_SHORTEST, WORD_SHORTEST

USERNAME_SHORTEST = 3
USERNAME_LONGEST = 20
USERNAME = rf"^[A-Za-z][A-Za-z0-9_-]{{{USERNAME_SHORTEST - 1},{USERNAME_LONGEST - 1}}}$"
_ALLOWED = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")
# Names that would pass for the site itself, or for an account that is gone; without hyphens and underscores.
_RESERVED = frozenset(
    "admin administrator anonymous everybody formermember guest help jury mail moderator nobody parterre postmaster "
    "press root security staff support system webmaster".split()
)
_SITE_WORDS = ("parterre", "chopin")


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


def validate_username_free_to_choose(username: str) -> None:
    """Raise ValidationError when people may not take `username` for themselves; only the operator gives such names."""
    validate_username(username)
    if username.lower().replace("-", "").replace("_", "") in _RESERVED:
        raise ValidationError("This username is reserved. Please choose another one.")


class LongEnough:
    """A password's length, as Django's AUTH_PASSWORD_VALIDATORS ask for it."""

    def validate(self, password: str, user: Any = None) -> None:  # noqa: ARG002 - the signature is Django's
        """Raise ValidationError for a password that is too short."""
        if len(password) < PASSWORD_SHORTEST:
            raise ValidationError("Password must be at least 6 characters", code="password_too_short")

    def get_help_text(self) -> str:
        """Return the rule."""
        return "Password must be at least 6 characters"


class Uncommon:
    """None of the commonest passwords (Django's list)."""

    def validate(self, password: str, user: Any = None) -> None:  # noqa: ARG002 - the signature is Django's
        """Raise ValidationError for a password that everybody tries first."""
        if password.lower().strip() in _common():
            raise ValidationError(
                "This password is one of the most common. Please choose another one.", code="password_too_common"
            )

    def get_help_text(self) -> str:
        """Return the rule."""
        return "Password must not be one of the most common"


@cache
def _common() -> frozenset[str]:
    return frozenset(Common().passwords)


class Impersonal:
    """Nothing that whoever knows the person or the site would try."""

    def validate(self, password: str, user: Any = None) -> None:
        """Raise ValidationError for a password that contains the name, the address or a word of the site."""
        local, _, domain = str(getattr(user, "email", "")).lower().partition("@")
        words = (str(getattr(user, "username", "")).lower(), local, domain, *_SITE_WORDS)
        if any(len(word) >= WORD_SHORTEST and word in password.lower() for word in words):
            raise ValidationError(
                "Password must not contain your name, your address or the name of this site",
                code="password_too_personal",
            )

    def get_help_text(self) -> str:
        """Return the rule."""
        return "Password must not contain your name, your address or the name of this site"
