"""Permissions of accounts, read from the database at each call, because a page may show outdated rights."""

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.conf import settings
from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.core.exceptions import PermissionDenied
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Now

from apps.accounts.actors import Actor, Operator, Viewer
from apps.accounts.models import AuthSession, User

PROOFS = ("totp", "webauthn")  # kinds of second factors; recovery codes are only a substitute
PASSKEY = "webauthn"
_HAS_FACTOR = Exists(Authenticator.objects.filter(user_id=OuterRef("pk"), type__in=PROOFS))
_HAS_PASSKEY = Exists(Authenticator.objects.filter(user_id=OuterRef("pk"), type=PASSKEY))
_HAS_PASSWORD = ~Q(password="") & ~Q(password__startswith=UNUSABLE_PASSWORD_PREFIX)
_HAS_GOOGLE = Exists(SocialAccount.objects.filter(user_id=OuterRef("pk")))
IS_CONFIRMED = Exists(EmailAddress.objects.filter(user_id=OuterRef("pk"), verified=True))


def is_administrator(actor: Actor) -> bool:
    """Return whether `actor` is currently an active administrator, or the operator of this machine.

    If the setting requires a second factor, the account must have one, and it must have been proved in the session of
    `actor`. A proof in another session does not count.
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


def administrators_able() -> "QuerySet[User]":
    """Return the administrators who can currently sign in and act as administrators.

    Their accounts are open and have a confirmed address. They have a password, a passkey, or a Google account if Google
    is configured. If the setting requires a second factor, they have one.
    """
    first_factor = Q(_HAS_PASSWORD) | Q(_HAS_PASSKEY)
    if settings.GOOGLE.is_there:
        first_factor |= Q(_HAS_GOOGLE)
    found = User.objects.filter(IS_CONFIRMED, first_factor, is_admin=True, is_active=True)
    return found.filter(_HAS_FACTOR) if settings.MFA_REQUIRED_FOR_ADMINISTRATORS else found


def needs_factor(user: User) -> bool:
    """Return whether this account, just read, is an administrator's and must have a second factor."""
    return user.is_admin and bool(settings.MFA_REQUIRED_FOR_ADMINISTRATORS)


def may_run_the_site(user: User, session: str) -> bool:
    """Return whether this account, just read, may act as an administrator in the session with this handle."""
    if not needs_factor(user):
        return user.is_admin
    return is_administrator(Viewer(user.pk, session=session))


def account_require(actor: Viewer) -> int:
    """Return the id of the acting account. Raises PermissionDenied for an anonymous visitor."""
    if actor.id is None:
        raise PermissionDenied("Not authenticated")
    return actor.id
