"""Administrators."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q

from apps.accounts.models import User
from apps.accounts.permissions import IS_CONFIRMED

_COLUMNS = ("id", "username", "email", "is_active", "is_confirmed", "last_login")


@dataclass(frozen=True, slots=True)
class Administrator:
    """An account that is an administrator's, or is to be: whose address it has, and when its owner signed in last."""

    id: int
    username: str
    email: str
    is_active: bool
    is_confirmed: bool
    signed_in_at: datetime | None


def administrators() -> tuple[Administrator, ...]:
    """Return all administrators by name, for the operator of this machine. One query."""
    return _standings(Q(is_admin=True))


def account_standing(*, account_id: int) -> Administrator | None:
    """Return an account as the operator reads it before and after an appointment; None when it is gone. One query."""
    return next(iter(_standings(Q(pk=account_id))), None)


def _standings(which: Q) -> tuple[Administrator, ...]:
    found = User.objects.filter(which).annotate(is_confirmed=IS_CONFIRMED).order_by("username")
    return tuple(Administrator(*row) for row in found.values_list(*_COLUMNS))


def account_id_find(*, name: str) -> int | None:
    """Return the id of the account with that username or e-mail address, in any case, or None."""
    column = "email__iexact" if "@" in name else "username__iexact"
    return User.objects.filter(**{column: name}).values_list("id", flat=True).first()
