"""Accounts: one row is the account and its public profile."""

from typing import Any, ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.db import models
from django.db.models import Func, Q, Value
from django.db.models.functions import Lower, Now, Replace, Upper
from django.db.models.lookups import In

from apps.accounts.limits import USERNAME_LONGEST
from apps.accounts.validators import (
    ALIKE,
    ALIKE_PAIRS,
    INTO,
    RESERVED,
    RESERVED_SKELETONS,
    TAKEN,
    USERNAME,
    validate_username,
)
from apps.core.database.constraints import is_picture
from apps.core.database.fields import UpdatedAtField
from apps.core.limits import ADDRESS_LENGTH
from apps.core.text_rules.validators import picture_address


def _skeleton() -> "Func[Any]":
    """Return `username_skeleton` of the column as an expression of the database."""
    found: Func[Any] = Func(
        Lower("username"), Value(ALIKE), Value(INTO), function="translate", output_field=models.CharField()
    )
    for pair, sign in ALIKE_PAIRS:
        found = Replace(found, Value(pair), Value(sign))
    return found


USERNAME_SKELETON = _skeleton()


class UserManager(BaseUserManager["User"]):
    """Finds accounts by their address in any case."""

    def get_by_natural_key(self, username: str | None) -> "User":
        """Return the account with that e-mail address, in any case; raises User.DoesNotExist."""
        return self.get(email__iexact=username or "")


class User(AbstractBaseUser):
    """Somebody with an account."""

    email = models.EmailField(unique=True)
    username = models.CharField(max_length=USERNAME_LONGEST, validators=[validate_username])
    # The name is older than the rules about reserved names and look-alikes; they apply when it is changed.
    username_grandfathered = models.BooleanField(default=False, db_default=False, editable=False)
    avatar_url = models.CharField(max_length=ADDRESS_LENGTH, blank=True, validators=[*picture_address])
    is_admin = models.BooleanField(default=False)
    is_active = models.BooleanField(default=True)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    updated_at = UpdatedAtField(db_default=Now(), editable=False)

    objects = UserManager()

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = ["username"]

    class Meta:
        db_table = "users"
        indexes = (
            # what Django makes of "iexact"
            models.Index(Upper("email"), name="user_by_email"),
            models.Index(Upper("username"), name="user_by_username"),
            models.Index(fields=["username"], name="user_administrators", condition=Q(is_admin=True)),
            models.Index(fields=["-created_at", "-id"], name="user_newest"),
            models.Index(fields=["-created_at", "-id"], name="user_closed", condition=Q(is_active=False)),
        )
        constraints = (
            models.UniqueConstraint(
                Lower("email"),
                name="email_once_in_any_case",
                violation_error_code="email_taken",
                violation_error_message="An account with this e-mail address exists already.",
            ),
            models.UniqueConstraint(
                Lower("username"),
                name="username_once_in_any_case",
                violation_error_message=TAKEN,
            ),
            models.UniqueConstraint(
                USERNAME_SKELETON,
                condition=Q(username_grandfathered=False),
                name="username_once_among_lookalikes",
                violation_error_message=TAKEN,
            ),
            models.CheckConstraint(
                condition=Q(username_grandfathered=True) | ~Q(In(USERNAME_SKELETON, RESERVED_SKELETONS)),
                name="username_not_reserved",
                violation_error_message=RESERVED,
            ),
            models.CheckConstraint(condition=Q(username__regex=USERNAME), name="username_well_formed"),
            models.CheckConstraint(condition=Q(email__regex=r"^[^@\s]+@[^@\s]+$"), name="email_well_formed"),
            is_picture("avatar_url", name="user_avatar_is_picture"),
        )

    def __str__(self) -> str:
        return self.username
