"""Reads of registrations whose address is not confirmed yet."""

from dataclasses import dataclass

from allauth.account.models import EmailAddress
from django.db.models import Exists, OuterRef, QuerySet

from apps.accounts.mail import REGISTERED_BROWSER, links_usable
from apps.accounts.models import User

HELD_DOMAIN = "@held.invalid"  # RFC 2606 reserves the end: no mail server has it


@dataclass(frozen=True, slots=True)
class Registration:
    """A registration: its unconfirmed account, and the address that was typed, in the form in which it is stored."""

    account_id: int
    email: str


def registration_get(*, key: str) -> Registration | None:
    """Return the registration of the browser with this key; None once its address is confirmed. One query."""
    waits = Exists(accounts_waiting().filter(pk=OuterRef("user_id")))
    found = links_usable(REGISTERED_BROWSER, key).exclude(email="").filter(waits)
    row = found.values_list("user_id", "email").first()
    return Registration(*row) if row else None


def accounts_waiting() -> "QuerySet[User]":
    """Return the accounts that were registered and neither confirmed nor used: their address may still change."""
    verified = EmailAddress.objects.filter(user_id=OuterRef("pk"), verified=True)
    return User.objects.filter(~Exists(verified), is_active=True, is_admin=False, last_login=None)


def is_held(email: str) -> bool:
    """Return whether an account with this address waits for one of its own (`services/registrations.py`)."""
    return email.endswith(HELD_DOMAIN)
