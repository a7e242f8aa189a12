"""The signed link in each mail by which its reader ends the mails, without signing in."""

from django.conf import settings
from django.core.signing import BadSignature, Signer

_SALT = "parterre.unsubscribe"
_DOT = "."  # between account and signature: a colon has a meaning in some addresses


def _signer() -> Signer:
    return Signer(sep=_DOT, salt=_SALT)


def unsubscribe_address(user_id: int) -> str:
    """Return the address that ends the mails of an account. It works as long as the site's key is known."""
    return f"{settings.PUBLIC_URL}/unsubscribe?key={_signer().sign(str(user_id))}"


def unsubscribe_account(key: str) -> int | None:
    """Return the account of a link's key; None for one that this site has not signed."""
    try:
        return int(_signer().unsign(key))
    except BadSignature:
        return None


def unsubscribe_headers(user_id: int) -> dict[str, str]:
    """Return the headers by which mail programs offer to end the mails with one press (RFC 8058)."""
    return {
        "List-Unsubscribe": f"<{unsubscribe_address(user_id)}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }


def address_masked(email: str) -> str:
    """Return an e-mail address as its owner knows it and others do not learn it: "f•••@example.org"."""
    name, _, domain = email.rpartition("@")
    return f"{name[:1]}•••@{domain}"
