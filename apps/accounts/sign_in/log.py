"""Receivers of allauth's signals, which write the security log."""

from typing import Any

from allauth.account.internal.flows.login import get_authentication_records
from allauth.account.signals import authentication_step_completed, user_logged_in
from allauth.mfa.signals import authentication_failed
from allauth.mfa.utils import is_mfa_enabled
from django.dispatch import receiver
from django.http import HttpRequest

from apps.core.observability import security_count, security_event


@receiver(user_logged_in)
def signed_in(request: HttpRequest, user: Any, **_: Any) -> None:
    """Log a sign-in with its methods."""
    proofs = [_proof(**record) for record in get_authentication_records(request, user)]
    security_event("signed in", account=user.pk, reason=", ".join(proofs))


@receiver(authentication_step_completed)
def step_completed(user: Any, method: str, reauthenticated: bool = False, **more: Any) -> None:  # noqa: FBT001, FBT002
    """Log a reauthentication, and a sign-in that still needs a second factor."""
    if reauthenticated:
        security_event("reauthenticated", account=user.pk, reason=_proof(method, **more))
    elif method != "mfa" and is_mfa_enabled(user):
        security_event("second factor asked", account=user.pk, reason=method)


@receiver(authentication_failed)
def factor_refused(user: Any, authenticator: Any, **_: Any) -> None:
    """Count a wrong second factor."""
    security_count("second factor refused", account=user.pk, reason=str(authenticator.type))


def _proof(method: str, type: str = "", **_: Any) -> str:  # noqa: A002 - allauth's name
    """Return the method, such as "password" or "totp"."""
    return type or method
