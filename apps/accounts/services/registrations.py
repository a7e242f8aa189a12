"""Writes of registrations: an account with an unconfirmed address, and the mail to the address that was typed.

Nothing may tell whether the typed address has an account already (ADR 30). So a registration always creates an account.
If the address is another account's, the new one is held: it has a random address that gets no mail, and the owner of
the typed address gets the mail "You have an account already". Everything else is the same, by the same code: the
username is taken, the password is stored as a hash, the marks are kept, and after 30 days the account is pruned.
"""

import secrets

from allauth.account.models import EmailAddress
from django.core.exceptions import ValidationError
from django.db import transaction

from apps.accounts.attempts import account_attempt, folded_address, registration_attempt
from apps.accounts.events import ProfileChanged
from apps.accounts.limits import CONFIRMATION
from apps.accounts.mail import REGISTERED_BROWSER, mail_send
from apps.accounts.models import OneTimeLink, User
from apps.accounts.selectors.registrations import HELD_DOMAIN, Registration, accounts_waiting, is_held
from apps.accounts.services.accounts import account_create, account_lock, account_store
from apps.core.events import publish
from apps.core.observability import security_count

WRONG = "Incorrect password."
RANDOM_BYTES = 16


def registration_create(*, email: str, password: str, username: str, next_path: str = "") -> Registration:
    """Create an account whose address must be confirmed, queue its mail, and return the registration.

    `next_path` is the page to open after the confirmation. Raises ValidationError when the address or the username is
    malformed or the username is taken, and Busy.
    """
    address = folded_address(email)
    own = _held() if _is_taken(address) else address
    try:
        user = account_create(email=own, password=password, username=username, is_verified=False)
    except ValidationError as error:
        if own != address or "email" not in getattr(error, "error_dict", ()) or not _is_taken(address):
            raise
        user = account_create(email=_held(), password=password, username=username, is_verified=False)
    _mail(user, address, next_path)
    return Registration(user.pk, address)


def registration_mail(*, registration: Registration, client: str, next_path: str = "") -> bool:
    """Queue the mail of a registration again; return False if its address was confirmed in between.

    A held account takes the address if the other account is gone. Raises TooMany.
    """
    registration_attempt(emails=[registration.email], client=client)
    return _send(registration.account_id, registration.email, next_path)


def registration_readdress(
    *, registration: Registration, email: str, password: str, client: str, next_path: str = ""
) -> bool:
    """Change the address of a registration, and queue the mail to the new one.

    All links that were mailed before end. Return False if the former address was confirmed in between. `password` is
    the one that was set with the registration. Raises ValidationError for a wrong one, TooMany, and Busy.
    """
    user = User.objects.filter(pk=registration.account_id).first()
    if user is None:
        return False
    account_attempt(CONFIRMATION, account_id=user.pk)
    if not user.check_password(password):  # before the transaction, because hashing takes long
        security_count("sign-in refused", account=user.pk, reason="wrong password")
        raise ValidationError({"password": WRONG})
    address = folded_address(email)
    registration_attempt(emails=[registration.email, address], client=client)
    return _send(user.pk, address, next_path, proved=user.password)


@transaction.atomic
def _send(account_id: int, address: str, next_path: str, *, proved: str = "") -> bool:
    """Queue the mail of an unconfirmed account; with `proved`, the checked password hash, change the address before.

    Return False if the account is confirmed or gone, or if its password has changed in between.
    """
    if not account_lock(user_id=account_id):
        return False
    user = accounts_waiting().filter(pk=account_id).first()
    if user is None or (proved and user.password != proved):
        return False
    if proved or (is_held(user.email) and not _is_taken(address)):
        _address_set(user, address)
    _mail(user, address, next_path)
    return True


def _address_set(user: User, address: str) -> None:
    """Give the account this address, or a held one if it is another account's; end the links that were mailed."""
    user.email = _held() if _is_taken(address, user) else address
    try:
        account_store(user, columns=["email"])
    except ValidationError:
        if not _is_taken(address, user):
            raise
        user.email = _held()  # a concurrent registration took the address
        account_store(user, columns=["email"])
    EmailAddress.objects.filter(user=user).update(email=user.email)
    links = OneTimeLink.objects.filter(user=user)
    links.exclude(purpose=REGISTERED_BROWSER.name).delete()
    links.exclude(email="").update(email=address)
    publish(ProfileChanged(user.pk))


def _mail(user: User, address: str, next_path: str) -> None:
    """Queue the mail to the address that was typed: a link for its own account, a note to another account's owner."""
    name = "email_confirmation" if user.email == address else "account_already_exists"
    mail_send(name=name, to=address, next=next_path)


def _is_taken(address: str, user: User | None = None) -> bool:
    """Return whether an account other than `user` has this address."""
    found = User.objects.filter(email__iexact=address)
    return (found.exclude(pk=user.pk) if user else found).exists()


def _held() -> str:
    return f"{secrets.token_hex(RANDOM_BYTES)}{HELD_DOMAIN}"
