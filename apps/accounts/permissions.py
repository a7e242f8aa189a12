"""What an account may do, read from the database each time: a page may be older than the account's rights."""

from allauth.mfa.models import Authenticator
from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.db.models import Exists, OuterRef, QuerySet

from .actors import Actor, Operator, Viewer
from .models import User

PROOFS = ("totp", "webauthn")  # what counts as a second factor; recovery codes only stand in for one
_PROVED = Exists(Authenticator.objects.filter(user_id=OuterRef("pk"), type__in=PROOFS))


def administrators_now() -> "QuerySet[User]":
    """The accounts that may run the site now: where the setting asks for it, only those with a second factor."""
    found = User.objects.filter(is_active=True, is_admin=True)
    return found.filter(_PROVED) if settings.MFA_REQUIRED_FOR_ADMINISTRATORS else found


def is_administrator(actor: Actor) -> bool:
    """Whether `actor` is an active administrator now, or the operator of this machine."""
    if isinstance(actor, Operator):
        return True
    return actor.id is not None and administrators_now().filter(pk=actor.id).exists()


def may_run_the_site(user: User) -> bool:
    """Whether an account that was just read is an administrator's who may act as one now."""
    if not (user.is_admin and settings.MFA_REQUIRED_FOR_ADMINISTRATORS):
        return user.is_admin
    return administrators_now().filter(pk=user.pk).exists()


def account_required(actor: Viewer) -> int:
    """Return the id of the account that acts. Raises PermissionDenied for a stranger."""
    if actor.id is None:
        raise PermissionDenied("Not authenticated")
    return actor.id
