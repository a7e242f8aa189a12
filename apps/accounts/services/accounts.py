"""Writes of accounts."""

from django.contrib.auth.base_user import BaseUserManager
from django.db import transaction

from apps.accounts.models import User


@transaction.atomic
def account_create(
    *, email: str, password: str | None, username: str, is_admin: bool = False, avatar_url: str = ""
) -> User:
    """Create an account and return it; with no password nobody can sign in to it that way.

    Raises ValidationError when the address or the username is malformed or taken.
    """
    address = BaseUserManager.normalize_email(email.strip())
    user = User(email=address, username=username, is_admin=is_admin, avatar_url=avatar_url)
    user.set_password(password)
    user.full_clean()
    user.save()
    return user
