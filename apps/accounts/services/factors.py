"""Audit and announcement of second factors, which allauth stores, and writes of administrators."""

from functools import partial

from allauth.mfa.models import Authenticator
from django.db import transaction

from apps.accounts.actors import Actor, account_of
from apps.accounts.events import AccountChanged
from apps.accounts.mail.messages import first_factor_address
from apps.accounts.mail.outbox import mail_send
from apps.accounts.models import AuthSession, User
from apps.accounts.permissions import is_administrator
from apps.accounts.services.administrators import administrator_remains, administrators_lock
from apps.core.audit import audit_record
from apps.core.events import publish
from apps.core.observability.security_log import security_event
from apps.core.permissions import require


@transaction.atomic
def factor_changed(*, account_id: int, action: str, keep: str) -> None:
    """Note a change of a second factor by its owner, and end every session but the one with the handle `keep`.

    Other sessions were begun under other conditions. All windows of the account are checked.
    """
    User.objects.select_for_update(no_key=True).get(pk=account_id)
    AuthSession.objects.filter(user_id=account_id).exclude(handle=keep).delete()
    factor_note(account_id=account_id, action=action)


@transaction.atomic
def factor_note(*, account_id: int, action: str) -> None:
    """Note a change of a second factor by its owner that does not affect signing in."""
    audit_record(user_id=account_id, action=f"factor.{action}", subject="account", subject_id=account_id)
    transaction.on_commit(partial(security_event, "second factor changed", account=account_id, reason=action))
    publish(AccountChanged(account_id))


@transaction.atomic
def factors_forget(*, actor: Actor, account_id: int) -> int:
    """Delete all second factors of an account whose owner has lost them; returns how many.

    All its sessions end, and the owner gets a mail. The operator does so for the last administrator too.
    Raises PermissionDenied, User.DoesNotExist, ValidationError when no administrator who can sign in remains.
    """
    require(is_administrator(actor), "Only administrators forget second factors.")
    user = administrators_lock(account_id=account_id)
    forgotten: int = Authenticator.objects.filter(user_id=user.pk).delete()[0]
    if user.is_admin:
        administrator_remains(actor, may_be_last=True)
    if forgotten:
        AuthSession.objects.filter(user_id=user.pk).delete()
        audit_record(user_id=account_of(actor), action="factor.forget", subject="account", subject_id=user.pk)
        transaction.on_commit(partial(security_event, "second factor changed", account=user.pk, reason="forgotten"))
        mail_send(name="factors_changed", to=user.email, username=user.username, change="forgotten")
        publish(AccountChanged(user.pk))
    return forgotten


@transaction.atomic
def first_factor_link(*, actor: Actor, account_id: int) -> str:
    """Return the address of a link, valid once within an hour, with which an account's owner sets up a first factor.

    For where mails do not arrive. Raises PermissionDenied, User.DoesNotExist.
    """
    require(is_administrator(actor), "Only administrators allow a first second factor.")
    user = User.objects.get(pk=account_id, is_active=True)
    audit_record(user_id=account_of(actor), action="factor.link", subject="account", subject_id=user.pk)
    return first_factor_address(account_id=user.pk)
