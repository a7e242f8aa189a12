"""The account for which a page's forms were made, signed: a post after its session ended is kept for that account."""

from django.core.signing import BadSignature, Signer

TYPED_BY = "typed_by"  # the hidden input that holds it
_SALT = "parterre.form_owner"


def form_owner_sign(account_id: int) -> str:
    """Return the input's value in the forms of this account's pages."""
    return Signer(salt=_SALT).sign(str(account_id))


def form_owner(value: str) -> int | None:
    """Return the id of the account that a form was made for; None when the value is not signed by this site."""
    try:
        return int(Signer(salt=_SALT).unsign(value))
    except BadSignature:
        return None
