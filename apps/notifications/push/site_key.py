"""The private key with which the site identifies itself to push services (VAPID, RFC 8292)."""

import secrets

from apps.notifications.push.base64url import decoded, encoded

_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551  # of the curve P-256
_BYTES = 32


def push_key_create() -> str:
    """Return a new private key: a number of the curve P-256 as base64 for addresses."""
    return encoded((secrets.randbelow(_ORDER - 1) + 1).to_bytes(_BYTES, "big"))


def is_push_key(text: str) -> bool:
    """Return whether this text is a private key."""
    key = decoded(text)
    return len(key) == _BYTES and 0 < int.from_bytes(key, "big") < _ORDER
