"""The signed account id in a page's forms: a post after the end of its session is kept for that account."""

from django.core.signing import BadSignature, Signer

TYPED_BY = "typed_by"  # the hidden input with the signed id
_SALT = "parterre.form_owner"


def form_owner_sign(account_id: int) -> str:
    """Return the value of the hidden input in the forms of this account's pages."""
    return Signer(salt=_SALT).sign(str(account_id))


def form_owner(value: str) -> int | None:
    """Return the account id of a form; None for a value that this site has not signed."""
    try:
        return int(Signer(salt=_SALT).unsign(value))
    except BadSignature:
        return None
