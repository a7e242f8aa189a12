"""Writes of accounts."""

from collections.abc import Collection
from contextlib import suppress
from datetime import datetime
from functools import partial
from typing import Any

from allauth.account.models import EmailAddress
from django.core.exceptions import NON_FIELD_ERRORS, PermissionDenied, ValidationError
from django.db import IntegrityError, connection, transaction
from django.db.models import QuerySet

from apps.accounts.actors import Viewer
from apps.accounts.data_rights import account_data
from apps.accounts.events import ProfileChanged
from apps.accounts.limits import EXPORTS
from apps.accounts.mail import mails_forget
from apps.accounts.models import User
from apps.accounts.permissions import account_require
from apps.accounts.services.roles import administrator_remains, administrators_lock
from apps.core.audit import audit_record
from apps.core.events import publish
from apps.core.observability import security_count, security_event
from apps.core.rate_limits import rate_limit_take


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


def account_lock(*, user_id: int | None) -> bool:
    """Lock the account until the transaction ends; returns whether it exists and is active.

    Call it before anything else is written: deleting an account locks its row first too, so that there is no deadlock.
    """
    if user_id is None:
        return False
    found = User.objects.select_for_update(no_key=True).filter(pk=user_id, is_active=True)
    return found.values_list("pk", flat=True).first() is not None


def accounts_lock(*, user_ids: Collection[int]) -> None:
    """Lock these accounts until the transaction ends, open or closed, for who stores what is theirs in their place.

    Call it before anything else is locked, as `account_lock`.
    """
    list(User.objects.select_for_update(no_key=True).filter(pk__in=user_ids).order_by("pk").values_list("pk"))


def accounts_hold(*, user_ids: Collection[int]) -> None:
    """Keep these accounts from being deleted until the transaction ends, for who writes rows that refer to them.

    Their owners may write meanwhile. Call it before anything else of theirs is locked, as `account_lock`.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM users WHERE id = ANY(%s) ORDER BY id FOR KEY SHARE", [list(user_ids)])


INCORRECT = "Incorrect password. Account deletion canceled."
EXPORTED, DELETED = "account.export", "account.delete"


@transaction.atomic
def account_export(*, actor: Viewer) -> dict[str, Any]:
    """Return all that is stored about one's own account, ready for JSON.

    Raises PermissionDenied, TooMany after three times within a day.
    """
    user = _own(User.objects.select_for_update(), actor)
    rate_limit_take(EXPORTS, account_id=user.pk)
    audit_record(user_id=user.pk, action=EXPORTED, subject="account", subject_id=user.pk)
    return {name: rows for each in account_data() for name, rows in each.export(user.pk).items()}


def account_delete(*, actor: Viewer, password: str, is_fresh: bool = False) -> None:
    """Delete one's own account with all personal rows; rows that stay no longer refer to it.

    An account without a password is deleted after a fresh sign-in (`is_fresh`) instead. Raises PermissionDenied,
    ValidationError, also when no administrator who can sign in remains, Busy.
    """
    user = _own(User.objects.all(), actor)
    if user.has_usable_password() and not password:
        raise ValidationError("Please enter your password to confirm deletion")
    # before the transaction: hashing takes long
    if not (user.check_password(password) if user.has_usable_password() else is_fresh):
        security_count("reauthentication refused", account=user.pk, reason="wrong password")
        raise ValidationError(INCORRECT)
    _delete(actor, proved=user.password, is_administrator=user.is_admin)


@transaction.atomic
def _delete(actor: Viewer, *, proved: str, is_administrator: bool) -> None:
    """Delete the account, unless its password changed since `proved`, its stored hash, was checked."""
    if is_administrator:
        with suppress(User.DoesNotExist):
            administrators_lock(account_id=account_require(actor))
    user = _own(User.objects.select_for_update(), actor)
    if user.password != proved:
        raise ValidationError(INCORRECT)
    audit_record(user_id=user.pk, action=DELETED, subject="account", subject_id=user.pk)
    publish(ProfileChanged(user.pk))
    transaction.on_commit(partial(security_event, "account deleted", account=user.pk))
    for each in account_data():
        each.on_deletion(user.pk)
    mails_forget(to=user.email)
    user.delete()
    if user.is_admin:
        administrator_remains(actor)


def _own(users: "QuerySet[User]", actor: Viewer) -> User:
    """Return one's own account among `users`."""
    user = users.filter(pk=account_require(actor), is_active=True).first()
    if user is None:
        raise PermissionDenied("Not authenticated")
    return user
