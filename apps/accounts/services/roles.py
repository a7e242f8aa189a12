"""Appointing and dismissing administrators; closing, opening and unlocking accounts."""

from collections.abc import Mapping
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q

from apps.accounts.actors import Actor, Operator, Viewer
from apps.accounts.attempts import attempts_forget
from apps.accounts.data_rights import account_data
from apps.accounts.events import AccountChanged
from apps.accounts.models import AuthSession, User
from apps.accounts.permissions import IS_CONFIRMED, administrators_able, is_administrator
from apps.core.audit import audit_record, changed_details
from apps.core.events import publish
from apps.core.permissions import require

LAST = "last_administrator"  # the error code of the refusal


def administrators_lock(*, account_id: int) -> User:
    """Return the account, locked together with all administrators. Raises User.DoesNotExist."""
    concerned = User.objects.select_for_update(no_key=True).filter(Q(is_admin=True) | Q(pk=account_id)).order_by("pk")
    by_id = {user.pk: user for user in concerned}
    if account_id not in by_id:
        raise User.DoesNotExist
    return by_id[account_id]


def appointment_check(user: User) -> None:
    """Raise ValidationError unless the address is confirmed and the owner has signed in."""
    if not User.objects.filter(IS_CONFIRMED, pk=user.pk).exists():
        raise ValidationError("The address %(email)s is not confirmed yet.", params={"email": user.email})
    if user.last_login is None:
        raise ValidationError("The owner of %(name)s has not signed in yet.", params={"name": user.username})


def administrator_remains(actor: Actor, *, may_be_last: bool = False) -> None:
    """Raise ValidationError if no administrator can sign in after the change, unless the operator allows it.

    Call it after the write, with the locks of `administrators_lock`.
    """
    if not (may_be_last and isinstance(actor, Operator)) and not administrators_able().exists():
        raise ValidationError("At least one administrator who can sign in has to remain.", code=LAST)


_NOT_ALLOWED = "Only administrators decide who is one."
_AUDIT_NAMES = {"is_admin": "administrator", "is_active": "open"}  # names of the columns in the audit


@transaction.atomic
def admin_grant(*, actor: Actor, account_id: int) -> bool:
    """Make an account an administrator's; return False if it already is.

    Raises PermissionDenied, User.DoesNotExist, and ValidationError without a confirmed address or a sign-in.
    """
    user = _account_lock(actor, account_id)
    if user.is_admin:
        return False
    appointment_check(user)
    user.is_admin = True
    _store(actor, user, "is_admin", "admin.grant")
    return True


@transaction.atomic
def admin_revoke(*, actor: Actor, account_id: int, may_be_last: bool = False) -> bool:
    """Make an account an ordinary one; return False if it already is.

    Raises PermissionDenied, User.DoesNotExist, and ValidationError if no administrator who can sign in remains. The
    operator can allow that with `may_be_last`.
    """
    user = _account_lock(actor, account_id)
    if not user.is_admin:
        return False
    user.is_admin = False
    _store(actor, user, "is_admin", "admin.revoke")
    administrator_remains(actor, may_be_last=may_be_last)
    return True


@transaction.atomic
def account_deactivate(*, actor: Actor, account_id: int, may_be_last: bool = False) -> bool:
    """Close an account and end its sessions; return False if it is already closed.

    Its contributions are hidden and not counted until it is opened again, as far as apps register that (`on_closing`).
    Raises PermissionDenied, User.DoesNotExist, ValidationError as `admin_revoke`.
    """
    user = _account_lock(actor, account_id)
    if not user.is_active:
        return False
    user.is_active = False
    AuthSession.objects.filter(user_id=user.pk).delete()
    _store(actor, user, "is_active", "account.deactivate")
    if user.is_admin:
        administrator_remains(actor, may_be_last=may_be_last)
    _closing_publish(user)
    return True


@transaction.atomic
def account_activate(*, actor: Actor, account_id: int) -> bool:
    """Open a closed account again; return False if it is already open.

    Raises PermissionDenied, User.DoesNotExist.
    """
    user = _account_lock(actor, account_id)
    if user.is_active:
        return False
    user.is_active = True
    _store(actor, user, "is_active", "account.activate")
    _closing_publish(user)
    return True


@transaction.atomic
def account_unlock(*, actor: Actor, account_id: int) -> bool:
    """Reset the counted sign-ins of an account from all sources; return False if there were none.

    Raises PermissionDenied, User.DoesNotExist.
    """
    user = _account_lock(actor, account_id)
    if not attempts_forget(account_id=user.pk, email=user.email):
        return False
    _note(actor, user, "account.unlock")
    return True


def _account_lock(actor: Actor, account_id: int) -> User:
    """Check that the actor is an administrator; return the account, locked together with all administrators."""
    require(is_administrator(actor), _NOT_ALLOWED)
    user = administrators_lock(account_id=account_id)
    require(is_administrator(actor), _NOT_ALLOWED)  # the right may have been revoked during the wait for the lock
    return user


def _store(actor: Actor, user: User, column: str, action: str) -> None:
    """Store, audit and publish the change."""
    user.save(update_fields=[column, "updated_at"])
    name, value = _AUDIT_NAMES[column], getattr(user, column)
    _note(actor, user, action, changed_details({name: not value}, {name: value}))


def _closing_publish(user: User) -> None:
    """Let each app publish the contents that are visible only while the account is open."""
    for registered in account_data():
        registered.on_closing(user.pk)


def _note(actor: Actor, user: User, action: str, details: Mapping[str, Any] | None = None) -> None:
    by = actor.id if isinstance(actor, Viewer) else None
    audit_record(user_id=by, action=action, subject="account", subject_id=user.pk, details=details)
    publish(AccountChanged(user.pk))
