"""Audit and publication of second factors, which allauth stores; administrators' writes; accounts linked to Google."""

import secrets
import time
from functools import partial

from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.core.exceptions import ValidationError
from django.db import transaction

from apps.accounts.actors import Actor, account_of
from apps.accounts.events import AccountChanged
from apps.accounts.mail import first_factor_address, mail_send
from apps.accounts.models import AuthSession, User
from apps.accounts.permissions import is_administrator
from apps.accounts.selectors.sessions import username_is_taken
from apps.accounts.services.accounts import account_create
from apps.accounts.services.roles import administrator_remains, administrators_lock
from apps.core.audit import audit_record
from apps.core.events import publish
from apps.core.observability import security_event
from apps.core.permissions import require


@transaction.atomic
def factor_changed(*, account_id: int, action: str, keep: str) -> None:
    """Record a change of a second factor by its owner, and end every session except that with the handle `keep`.

    Other sessions started without the new factors. All open pages of the account check their session again.
    """
    User.objects.select_for_update(no_key=True).get(pk=account_id)
    AuthSession.objects.filter(user_id=account_id).exclude(handle=keep).delete()
    factor_note(account_id=account_id, action=action)


@transaction.atomic
def factor_note(*, account_id: int, action: str) -> None:
    """Record a change of a second factor by its owner that does not affect signing in."""
    audit_record(user_id=account_id, action=f"factor.{action}", subject="account", subject_id=account_id)
    transaction.on_commit(partial(security_event, "second factor changed", account=account_id, reason=action))
    publish(AccountChanged(account_id))


@transaction.atomic
def factors_forget(*, actor: Actor, account_id: int) -> int:
    """Delete all second factors of an account after their loss; return the number of deleted rows.

    All sessions of the account end, and the owner gets a mail. The operator may do this for the last administrator too.
    Raises PermissionDenied, User.DoesNotExist, and ValidationError if no administrator who can sign in remains.
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
    """Return a link that allows an account's owner to set up a first factor, once within an hour.

    It replaces a mail that does not arrive. Raises PermissionDenied, User.DoesNotExist.
    """
    require(is_administrator(actor), "Only administrators allow a first second factor.")
    user = User.objects.get(pk=account_id, is_active=True)
    audit_record(user_id=account_of(actor), action="factor.link", subject="account", subject_id=user.pk)
    return first_factor_address(account_id=user.pk)


SECRETS = ("secret", "seed")  # of authenticator apps and of recovery codes; passkeys have no secret


@transaction.atomic
def factors_reencrypt(*, actor: Actor) -> tuple[int, int]:
    """Encrypt all secrets with the current SECRET_KEY; return the numbers of encrypted and undecryptable factors.

    Raises PermissionDenied.
    """
    from cryptography.fernet import InvalidToken  # noqa: PLC0415 - 9 MiB, for an administrator's command

    from apps.accounts.second_factor.adapter import factor_keys  # noqa: PLC0415 - imports cryptography and fido2

    require(is_administrator(actor), "Only administrators encrypt second factors anew.")
    keys, encrypted, unreadable = factor_keys(), 0, 0
    for factor in Authenticator.objects.select_for_update().filter(data__has_any_keys=SECRETS).order_by("pk"):
        try:
            renewed = {name: keys.rotate(factor.data[name]).decode() for name in SECRETS if name in factor.data}
        except InvalidToken:
            unreadable += 1
            continue
        factor.data |= renewed
        factor.save(update_fields=["data"])
        encrypted += 1
    return encrypted, unreadable


_NAME, _DIGITS = "chopin", 4
_ATTEMPTS = 10  # to find a free name
_RACES = 3  # retries after a concurrent sign-up took the name


def username_generate() -> str:
    """Return a new username of "chopin" and four digits, after at most ten attempts to find a free one.

    After that the digits come from the clock, and the name may be taken.
    """
    for _ in range(_ATTEMPTS):
        name = f"{_NAME}{secrets.randbelow(10**_DIGITS):0{_DIGITS}}"
        if not username_is_taken(username=name):
            return name
    return f"{_NAME}{str(int(time.time()))[-_DIGITS:]}"


@transaction.atomic
def account_create_linked(*, provider: str, uid: str, email: str, is_verified: bool, avatar_url: str) -> User:
    """Create an account without a password, linked to `uid` at the provider, and return it.

    Raises ValidationError when the address is taken or no username is free.
    """
    user = _account_create(email, avatar_url, is_verified=is_verified)
    SocialAccount.objects.create(user=user, provider=provider, uid=uid)
    return user


def _account_create(email: str, avatar_url: str, *, is_verified: bool) -> User:
    for races_left in range(_RACES, -1, -1):
        try:
            return account_create(
                email=email,
                password=None,
                username=username_generate(),
                avatar_url=avatar_url,
                is_verified=is_verified,
            )
        except ValidationError as error:
            if "email" in error.message_dict or not races_left:
                raise
    raise AssertionError  # the last attempt returns or raises
