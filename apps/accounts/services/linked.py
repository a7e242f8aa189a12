"""Accounts of people who come from Google."""

import secrets
import time

from allauth.socialaccount.models import SocialAccount
from django.core.exceptions import ValidationError
from django.db import transaction

from apps.accounts.models import User
from apps.accounts.selectors import username_is_taken

from .accounts import account_create

_NAME, _DIGITS = "chopin", 4
_ATTEMPTS = 10  # to find a free name
_RACES = 3  # times that somebody else may take the name first


def username_generate() -> str:
    """Return a new username: "chopin" and four digits, tried ten times for one that is not taken."""
    for _ in range(_ATTEMPTS):
        name = f"{_NAME}{secrets.randbelow(10**_DIGITS):0{_DIGITS}}"
        if not username_is_taken(username=name):
            return name
    return f"{_NAME}{str(int(time.time()))[-_DIGITS:]}"


@transaction.atomic
def account_create_linked(*, provider: str, uid: str, email: str, is_verified: bool, avatar_url: str) -> User:
    """Create an account without a password, linked to `uid` at the provider, and return it.

    Raises ValidationError when the address is taken, or no username could be found.
    """
    user = _account_create(email, avatar_url, is_verified=is_verified)
    SocialAccount.objects.create(user=user, provider=provider, uid=uid)
    return user


def _account_create(email: str, avatar_url: str, *, is_verified: bool) -> User:
    for races_left in range(_RACES, -1, -1):
        try:
            return account_create(
                email=email,
                password=None,
                username=username_generate(),
                avatar_url=avatar_url,
                is_verified=is_verified,
            )
        except ValidationError as error:
            if "email" in error.message_dict or not races_left:
                raise
    raise AssertionError  # the last attempt returns or raises
