"""Accounts: one row is the account and its public profile."""

from typing import ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower, Now

from apps.accounts.validators import USERNAME, USERNAME_LONGEST, validate_username
from apps.core.constraints import is_picture
from apps.core.fields import UpdatedAtField
from apps.core.validators import ADDRESS_LENGTH, picture_address


class UserManager(BaseUserManager["User"]):
    """Finds accounts however their address was typed."""

    def get_by_natural_key(self, username: str | None) -> "User":
        """Return the account with that e-mail address, in any case; raises User.DoesNotExist."""
        return self.get(email__iexact=username or "")


class User(AbstractBaseUser):
    """Somebody with an account."""

    email = models.EmailField(unique=True)
    username = models.CharField(max_length=USERNAME_LONGEST, validators=[validate_username])
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
        constraints = (
            models.UniqueConstraint(
                Lower("email"),
                name="email_once_in_any_case",
                violation_error_message="An account with this e-mail address exists already.",
            ),
            models.UniqueConstraint(
                Lower("username"),
                name="username_once_in_any_case",
                violation_error_message="This username is already taken.",
            ),
            models.CheckConstraint(condition=Q(username__regex=USERNAME), name="username_well_formed"),
            models.CheckConstraint(condition=Q(email__regex=r"^[^@\s]+@[^@\s]+$"), name="email_well_formed"),
            is_picture("avatar_url", name="user_avatar_is_picture"),
        )

    def __str__(self) -> str:
        return self.username
