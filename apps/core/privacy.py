"""What must not be written down: addresses of people, and what sign-in pages carry after the question mark."""

import re
from hashlib import sha256

from apps.core.characters import storable

_EMAIL = re.compile(r"[A-Za-z0-9._%+'-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63})+")
_SIGN_IN_QUERY = re.compile(
    r"(/(?:login|register|forgot-password|reset-password|verify-email|reauthenticate|auth|accounts)\b[^\s?#\"'<>]*)[?#][^\s\"'<>]*"
)
_ROW = re.compile(r"(Failing row contains )\(.*?\)\.(?=\s|['\"]|\\n|$)", re.DOTALL)


def scrubbed(text: str) -> str:
    """Return `text` without e-mail addresses (a short hash stands for each), queries of sign-in pages and rows.

    PostgreSQL says which row it refused, hashed password and all.
    """
    without_rows = _ROW.sub(r"\1(…).", _SIGN_IN_QUERY.sub(r"\1", storable(text)))
    return _EMAIL.sub(lambda found: f"[address {_hash(found[0])}]", without_rows)


def _hash(address: str) -> str:
    """Return eight signs that tell one address from another."""
    return sha256(address.lower().encode()).hexdigest()[:8]
