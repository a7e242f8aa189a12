"""Export of one's own data, and deletion of the account."""

from contextlib import suppress
from functools import partial
from typing import Any

from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from django.db.models import QuerySet

from apps.accounts.actors import Viewer
from apps.accounts.data_rights.registry import account_data
from apps.accounts.events import ProfileChanged
from apps.accounts.limits import EXPORTS
from apps.accounts.mail.outbox import mails_forget
from apps.accounts.models import User
from apps.accounts.permissions import account_require
from apps.accounts.services.administrators import administrator_remains, administrators_lock
from apps.core.audit import audit_record
from apps.core.events import publish
from apps.core.observability.security_log import security_count, security_event
from apps.core.rate_limits import rate_limit_take

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
