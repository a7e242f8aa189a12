"""Writes of second factors: allauth stores them, here it is noted and told."""

from functools import partial
from typing import Any

from allauth.mfa.models import Authenticator
from django.db import transaction

from apps.accounts.actors import Actor
from apps.accounts.events import AccountChanged
from apps.accounts.mail import mail_send
from apps.accounts.models import User
from apps.accounts.permissions import is_administrator
from apps.core.audit import audit_record
from apps.core.events import publish
from apps.core.permissions import require
from apps.core.security_log import security_event


@transaction.atomic
def factor_changed(*, account_id: int, action: str) -> None:
    """Note that an account's owner did this with a second factor; its windows are looked at again."""
    audit_record(user_id=account_id, action=f"factor.{action}", subject="account", subject_id=account_id)
    transaction.on_commit(partial(security_event, "second factor changed", account=account_id, reason=action))
    publish(AccountChanged(account_id))


@transaction.atomic
def factors_forget(*, actor: Actor, account_id: int) -> int:
    """Take all second factors from an account whose owner has lost them; returns how many they were.

    The owner gets a mail. Raises PermissionDenied, User.DoesNotExist.
    """
    require(is_administrator(actor), "Only administrators forget second factors.")
    user = User.objects.get(pk=account_id)
    forgotten: int = Authenticator.objects.filter(user_id=user.pk).delete()[0]
    if forgotten:
        by: Any = getattr(actor, "id", None)
        audit_record(user_id=by, action="factor.forget", subject="account", subject_id=user.pk)
        transaction.on_commit(partial(security_event, "second factor changed", account=user.pk, reason="forgotten"))
        mail_send(name="factors_changed", to=user.email, username=user.username, change="forgotten")
        publish(AccountChanged(user.pk))
    return forgotten
