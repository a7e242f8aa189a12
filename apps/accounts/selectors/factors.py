"""The second factors of one's own account."""

from dataclasses import dataclass
from datetime import datetime

from allauth.mfa.models import Authenticator

Kind = Authenticator.Type


@dataclass(frozen=True, slots=True)
class Passkey:
    """One passkey, as its owner reads it."""

    id: int
    name: str
    created_at: datetime
    last_used_at: datetime | None


@dataclass(frozen=True, slots=True)
class Factors:
    """The second factors of one account."""

    has_app: bool = False
    passkeys: tuple[Passkey, ...] = ()
    has_codes: bool = False

    @property
    def is_there(self) -> bool:
        """Whether there is a second factor."""
        return self.has_app or bool(self.passkeys)


def factors_get(*, user_id: int) -> Factors:
    """Return one's own second factors, passkeys by age. One query."""
    found = list(Authenticator.objects.filter(user_id=user_id).order_by("created_at", "pk"))
    kinds = {each.type for each in found}
    passkeys = tuple(
        Passkey(each.pk, str(each.data["name"]), each.created_at, each.last_used_at)
        for each in found
        if each.type == Kind.WEBAUTHN
    )
    return Factors(Kind.TOTP in kinds, passkeys, Kind.RECOVERY_CODES in kinds)
