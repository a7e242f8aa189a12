"""The actor of a service: a viewer of the site, or the operator at this machine's terminal.

A page's forms contain their account's signed id, so that a post after the end of its session is kept for that account.
"""

from dataclasses import dataclass, field

from django.core.signing import BadSignature, Signer

TYPED_BY = "typed_by"  # the hidden input with the signed id of a form's account
_SALT = "parterre.form_owner"


@dataclass(frozen=True, slots=True)
class Viewer:
    """The user of a page, as known at the time of the request; services read the account again."""

    id: int | None
    username: str = ""
    is_admin: bool = False
    avatar_url: str = ""
    session: str = field(default="", compare=False)  # the handle of the viewer's session
    lacks_factor: bool = False  # an administrator without rights, because the required second factor is missing
    covers_texts: bool = False  # texts about performances are covered until they are marked

    @property
    def is_signed_in(self) -> bool:
        """Whether this viewer has an account; False for an anonymous visitor."""
        return self.id is not None


@dataclass(frozen=True, slots=True)
class Operator:
    """The operator at this machine's terminal, who may do everything that `manage.py` can."""


Actor = Viewer | Operator


def account_of(actor: Actor) -> int | None:
    """Return the id of the acting account for an audit entry; None for the terminal and for anonymous visitors."""
    return actor.id if isinstance(actor, Viewer) else None


ANONYMOUS = Viewer(id=None)
OPERATOR = Operator()


def form_owner_sign(account_id: int) -> str:
    """Return the value of the hidden input in the forms of this account's pages."""
    return Signer(salt=_SALT).sign(str(account_id))


def form_owner(value: str) -> int | None:
    """Return the account id of a form; None for a value that this site has not signed."""
    try:
        return int(Signer(salt=_SALT).unsign(value))
    except BadSignature:
        return None
