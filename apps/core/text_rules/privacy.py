"""Masking of logs: e-mail addresses, queries of sign-in pages, rows in database errors."""

import re
import string
from hashlib import sha256

from apps.core.text_rules.characters import storable

# Strangers choose the text, so each pattern runs in linear time: a look-behind prevents retries within a word, and
# possessive quantifiers (`*+`, `(?>`) prevent backtracking.
_EMAIL = re.compile(r"(?<![A-Za-z0-9._%+'-])[A-Za-z0-9._%+'-]++@[A-Za-z0-9-]++(?:\.[A-Za-z0-9-]++)++")
_SIGN_IN_QUERY = re.compile(
    r"(?<![^\s?#\"'<>])"
    r"((?>[^\s?#\"'<>]*?/(?:login|register|forgot-password|reset-password|verify-email|reauthenticate|auth|accounts)\b)"
    r"[^\s?#\"'<>]*+)[?#][^\s\"'<>]*+"
)
_ROW = re.compile(r"(Failing row contains )\(.*?(?:\)\.(?=\s|['\"]|\\n|\Z)|\Z)", re.DOTALL)  # or a cut one
_ADDRESS_SIGNS = string.ascii_letters + string.digits + "._%+'-@\0"
_LONGEST_ADDRESS = 254  # characters (RFC 5321)


def cut(text: str, longest: int) -> str:
    """Return the first `longest` characters of `text`, with an ellipsis when it is cut.

    What may be the beginning of an e-mail address at the cut is removed, since `scrub` would not recognise it.
    """
    if len(text) <= longest:
        return text
    before = max(0, longest - _LONGEST_ADDRESS)
    return f"{text[:before]}{text[before:longest].rstrip(_ADDRESS_SIGNS)}…"


def scrub(text: str) -> str:
    """Return `text` without e-mail addresses (a short hash stands for each), queries of sign-in pages and rows.

    PostgreSQL's errors contain the refused row, hashed password included.
    """
    without_rows = _ROW.sub(r"\1(…).", _SIGN_IN_QUERY.sub(r"\1", storable(text)))
    return _EMAIL.sub(lambda found: f"[address {_hash(found[0])}]", without_rows)


def _hash(address: str) -> str:
    """Return eight signs that tell one address from another."""
    return sha256(address.lower().encode()).hexdigest()[:8]
