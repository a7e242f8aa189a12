"""Administrators."""

from dataclasses import dataclass

from apps.accounts.models import User


@dataclass(frozen=True, slots=True)
class Administrator:
    """An account that is an administrator's."""

    id: int
    username: str
    email: str
    is_active: bool


def administrators() -> tuple[Administrator, ...]:
    """Return all administrators by name, for the operator of this machine. One query."""
    found = User.objects.filter(is_admin=True).order_by("username")
    return tuple(Administrator(*row) for row in found.values_list("id", "username", "email", "is_active"))


def account_id_find(*, name: str) -> int | None:
    """Return the id of the account with that username or e-mail address, in any case, or None."""
    column = "email__iexact" if "@" in name else "username__iexact"
    return User.objects.filter(**{column: name}).values_list("id", flat=True).first()
