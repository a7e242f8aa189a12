"""Writes of accounts."""

from allauth.account.models import EmailAddress
from django.db import IntegrityError, transaction

from apps.accounts.models import User


@transaction.atomic
def account_create(
    *,
    email: str,
    password: str | None,
    username: str,
    is_admin: bool = False,
    avatar_url: str = "",
    is_verified: bool = True,
) -> User:
    """Create an account and return it; with no password nobody can sign in to it that way.

    The address is kept in small letters, as signing in compares it. Whoever signs up by a form has yet to confirm it.
    Raises ValidationError when the address or the username is malformed or taken.
    """
    user = User(email=email.strip().lower(), username=username, is_admin=is_admin, avatar_url=avatar_url)
    user.set_password(password)
    user.full_clean()
    try:
        with transaction.atomic():
            user.save()
    except IntegrityError:  # somebody was quicker by a moment: now the check says what is taken
        user.full_clean()
        raise
    EmailAddress.objects.create(user=user, email=user.email, verified=is_verified, primary=True)
    return user


@transaction.atomic
def address_vouch(*, account_id: int) -> None:
    """Take the account's address as confirmed, on the word of whoever runs this machine."""
    user = User.objects.get(pk=account_id)
    EmailAddress.objects.update_or_create(
        user=user, email=user.email.lower(), defaults={"verified": True, "primary": True}
    )
