"""The public half of the site's key: browsers take messages only from the site that has the private half."""

from functools import lru_cache

from django.conf import settings

from apps.notifications.push.base64url import decoded, encoded


def public_key() -> str:
    """Return the public key in base64; empty for a site without a key, which offers no push."""
    return public_key_of(settings.PUSH_PRIVATE_KEY) if settings.PUSH_PRIVATE_KEY else ""


@lru_cache
def public_key_of(private_key: str) -> str:
    """Return the public key of this private key."""
    from cryptography.hazmat.primitives.asymmetric import ec  # noqa: PLC0415 - 9 MiB, for sites with a key
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat  # noqa: PLC0415 - as above

    key = ec.derive_private_key(int.from_bytes(decoded(private_key), "big"), ec.SECP256R1())
    return encoded(key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))
