"""Writes of accounts."""

from collections.abc import Collection
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from allauth.account.models import EmailAddress
from django.core.exceptions import NON_FIELD_ERRORS, PermissionDenied, ValidationError
from django.db import IntegrityError, connection, transaction
from django.db.models import QuerySet
from django.db.models.functions import Now

from apps.accounts.actors import Viewer
from apps.accounts.data_rights import account_data
from apps.accounts.events import ProfileChanged
from apps.accounts.limits import EXPORTS
from apps.accounts.mail import mails_forget
from apps.accounts.models import User
from apps.accounts.permissions import IS_CONFIRMED, account_require
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
    """Create an account and return it; `password` None creates one without a password.

    The address is stored in lower case, as a sign-in compares it. `is_verified` is False if it must be confirmed.
    `created_at` is for generated accounts with an earlier date. Raises ValidationError when the address or the username
    is malformed or taken, and Busy.
    """
    user = User(email=email.strip().lower(), username=username, is_admin=is_admin, avatar_url=avatar_url)
    if created_at is not None:
        user.created_at = created_at
    user.set_password(password)  # before the transaction, because hashing takes long
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
    """Validate an account and store it, or only its `columns`.

    Raises ValidationError by field, also if a concurrent request takes the name or the address first.
    """
    _check(user, columns)
    try:
        with transaction.atomic():
            user.save(update_fields=[*columns, "updated_at"] if columns else None)
    except IntegrityError:  # the second check finds the conflicting row
        _check(user, columns)
        raise


def _check(user: User, columns: Collection[str]) -> None:
    """Raise ValidationError by field. Errors of constraints between rows are assigned to `email` or `username`."""
    names = {each.name for each in user._meta.concrete_fields}  # noqa: SLF001 - Django's official API, despite its name
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
    """Lock the account until the transaction ends; return whether it exists and is active.

    Call it before any other write. The deletion of an account locks its row first too, so this order avoids deadlocks.
    """
    if user_id is None:
        return False
    found = User.objects.select_for_update(no_key=True).filter(pk=user_id, is_active=True)
    return found.values_list("pk", flat=True).first() is not None


def accounts_lock(*, user_ids: Collection[int]) -> None:
    """Lock these accounts until the transaction ends, open or closed, before their rows are written on their behalf.

    Call it before any other lock, as `account_lock`.
    """
    list(User.objects.select_for_update(no_key=True).filter(pk__in=user_ids).order_by("pk").values_list("pk"))


def accounts_hold(*, user_ids: Collection[int]) -> None:
    """Keep these accounts from being deleted until the transaction ends, for writes of rows that refer to them.

    Their owners may write concurrently. Call it before any other lock on their rows, as `account_lock`.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM users WHERE id = ANY(%s) ORDER BY id FOR KEY SHARE", [list(user_ids)])


INCORRECT = "Incorrect password. Account deletion canceled."
EXPORTED, DELETED = "account.export", "account.delete"
UNCONFIRMED_LIFETIME = timedelta(days=30)
PRUNED_AT_ONCE = 100


@transaction.atomic
def account_export(*, actor: Viewer) -> dict[str, Any]:
    """Return all stored data about the actor's account, as JSON-serialisable values.

    Raises PermissionDenied, and TooMany after three exports within a day.
    """
    user = _own(User.objects.select_for_update(), actor)
    rate_limit_take(EXPORTS, account_id=user.pk)
    audit_record(user_id=user.pk, action=EXPORTED, subject="account", subject_id=user.pk)
    return {name: rows for registered in account_data() for name, rows in registered.export(user.pk).items()}


def account_delete(*, actor: Viewer, password: str, is_fresh: bool = False) -> None:
    """Delete the actor's account with all personal rows; rows that stay no longer refer to it.

    An account without a password is deleted after a fresh sign-in (`is_fresh`) instead. Raises PermissionDenied, Busy,
    and ValidationError for a wrong password or if no administrator who can sign in remains.
    """
    user = _own(User.objects.all(), actor)
    if user.has_usable_password() and not password:
        raise ValidationError("Please enter your password to confirm deletion")
    # before the transaction, because hashing takes long
    if not (user.check_password(password) if user.has_usable_password() else is_fresh):
        security_count("reauthentication refused", account=user.pk, reason="wrong password")
        raise ValidationError(INCORRECT)
    _delete(actor, proved=user.password, is_administrator=user.is_admin)


@transaction.atomic
def _delete(actor: Viewer, *, proved: str, is_administrator: bool) -> None:
    """Delete the account, unless its password hash has changed from `proved`, which the caller checked."""
    if is_administrator:
        with suppress(User.DoesNotExist):
            administrators_lock(account_id=account_require(actor))
    user = _own(User.objects.select_for_update(), actor)
    if user.password != proved:
        raise ValidationError(INCORRECT)
    audit_record(user_id=user.pk, action=DELETED, subject="account", subject_id=user.pk)
    publish(ProfileChanged(user.pk))
    transaction.on_commit(partial(security_event, "account deleted", account=user.pk))
    _rows_delete(user)
    if user.is_admin:
        administrator_remains(actor)


def _rows_delete(user: User) -> None:
    """Delete the account with all personal rows; rows that stay no longer refer to it."""
    for registered in account_data():
        registered.on_deletion(user.pk)
    mails_forget(to=user.email)
    user.delete()


@transaction.atomic
def unconfirmed_prune() -> int:
    """Delete accounts whose address was not confirmed within 30 days, at most PRUNED_AT_ONCE; return their number.

    An account that has signed in once, or that administers, stays.
    """
    old = User.objects.filter(created_at__lt=Now() - UNCONFIRMED_LIFETIME, last_login=None, is_admin=False)
    found = old.exclude(IS_CONFIRMED).select_for_update(skip_locked=True).order_by("created_at", "pk")[:PRUNED_AT_ONCE]
    users = list(found)
    for user in users:
        publish(ProfileChanged(user.pk))
        _rows_delete(user)
    return len(users)


def _own(users: "QuerySet[User]", actor: Viewer) -> User:
    """Return the actor's account among `users`. Raises PermissionDenied when it is missing or inactive."""
    user = users.filter(pk=account_require(actor), is_active=True).first()
    if user is None:
        raise PermissionDenied("Not authenticated")
    return user
