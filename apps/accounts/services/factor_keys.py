"""Encryption of second factors' secrets with the present key, after SECRET_KEY was changed."""

from allauth.mfa.models import Authenticator
from cryptography.fernet import InvalidToken
from django.db import transaction

from apps.accounts.actors import Actor
from apps.accounts.permissions import is_administrator
from apps.accounts.second_factor.adapter import factor_keys
from apps.core.permissions import require

SECRETS = ("secret", "seed")  # of authenticator apps, of recovery codes; passkeys have none


@transaction.atomic
def factors_reencrypt(*, actor: Actor) -> tuple[int, int]:
    """Encrypt all secrets with the present SECRET_KEY; return how many were, and how many no known key decrypts.

    Raises PermissionDenied.
    """
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
