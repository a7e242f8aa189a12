"""Writes of accounts."""

from collections.abc import Collection
from datetime import datetime

from allauth.account.models import EmailAddress
from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.db import IntegrityError, transaction

from apps.accounts.models import User


def account_create(
    *,
    email: str,
    password: str | None,
    username: str,
    is_admin: bool = False,
    avatar_url: str = "",
    is_verified: bool = True,
    created_at: datetime | None = None,
) -> User:
    """Create an account and return it; with no password nobody can sign in to it that way.

    The address is stored in lower case, as signing in compares it. `is_verified` is False when it is to be confirmed;
    `created_at` is for invented accounts that are older than they are.
    Raises ValidationError when the address or the username is malformed or taken, Busy.
    """
    user = User(email=email.strip().lower(), username=username, is_admin=is_admin, avatar_url=avatar_url)
    if created_at is not None:
        user.created_at = created_at
    user.set_password(password)  # before the transaction: hashing takes long
    with transaction.atomic():
        account_store(user)
        EmailAddress.objects.create(user=user, email=user.email, verified=is_verified, primary=True)
    return user


@transaction.atomic
def address_vouch(*, account_id: int) -> None:
    """Mark the account's address as confirmed, for the operator."""
    user = User.objects.get(pk=account_id)
    EmailAddress.objects.update_or_create(
        user=user, email=user.email.lower(), defaults={"verified": True, "primary": True}
    )


def account_store(user: User, *, columns: Collection[str] = ()) -> None:
    """Validate an account and store it; of an existing one only `columns`, when they are given.

    Raises ValidationError by field, also when somebody else was quicker by a moment to take the name or the address.
    """
    _check(user, columns)
    try:
        with transaction.atomic():
            user.save(update_fields=[*columns, "updated_at"] if columns else None)
    except IntegrityError:  # now the check finds what is taken
        _check(user, columns)
        raise


def _check(user: User, columns: Collection[str]) -> None:
    """Raise ValidationError by field; what holds between rows is about the address or about the username."""
    names = {each.name for each in user._meta.concrete_fields}  # noqa: SLF001 - Django's own way to ask a model
    try:
        user.full_clean(exclude=names - {*columns} if columns else None)
    except ValidationError as error:
        found: dict[str, dict[str, None]] = {}
        for name, errors in error.error_dict.items():
            for each in errors:
                between = "email" if each.code == "email_taken" else "username"
                found.setdefault(between if name == NON_FIELD_ERRORS else name, {}).update(dict.fromkeys(each.messages))
        raise ValidationError({name: [*words] for name, words in found.items()}) from error
