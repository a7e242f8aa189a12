"""What an account may do, read from the database each time: a page may be older than the account's rights."""

from allauth.mfa.models import Authenticator
from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.db.models import Exists, OuterRef
from django.db.models.functions import Now

from .actors import Actor, Operator, Viewer
from .models import AuthSession, User

PROOFS = ("totp", "webauthn")  # what counts as a second factor; recovery codes only stand in for one
_HAS_FACTOR = Exists(Authenticator.objects.filter(user_id=OuterRef("pk"), type__in=PROOFS))


def is_administrator(actor: Actor) -> bool:
    """Whether `actor` is an active administrator now, or the operator of this machine.

    Where the setting asks for a second factor, the account must have one, and the session in which `actor` acts must
    have proved it; a proof in another session does not count.
    """
    if isinstance(actor, Operator):
        return True
    if actor.id is None:
        return False
    found = User.objects.filter(pk=actor.id, is_active=True, is_admin=True)
    if settings.MFA_REQUIRED_FOR_ADMINISTRATORS:
        if not actor.session:
            return False
        session = AuthSession.objects.filter(user_id=OuterRef("pk"), handle=actor.session, expire_date__gt=Now())
        found = found.filter(_HAS_FACTOR, Exists(session.filter(second_factor=True)))
    return found.exists()


def needs_factor(user: User) -> bool:
    """Whether this account, just read, is an administrator's who must have a second factor."""
    return user.is_admin and bool(settings.MFA_REQUIRED_FOR_ADMINISTRATORS)


def may_run_the_site(user: User, session: str) -> bool:
    """Whether this account, just read, may act as an administrator in the session of this handle."""
    if not needs_factor(user):
        return user.is_admin
    return is_administrator(Viewer(user.pk, session=session))


def account_require(actor: Viewer) -> int:
    """Return the id of the account that acts. Raises PermissionDenied for a stranger."""
    if actor.id is None:
        raise PermissionDenied("Not authenticated")
    return actor.id
