"""Accounts as administrators list them."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.db.models import BooleanField, ExpressionWrapper, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Now

from apps.accounts.actors import Actor
from apps.accounts.attempts import locked_out
from apps.accounts.enums import PeopleFilter
from apps.accounts.limits import NEW_FOR
from apps.accounts.models import AuthSession, User
from apps.accounts.permissions import PROOFS, is_administrator
from apps.accounts.session_store import later
from apps.core.database.paging import Cursor
from apps.core.limits import ID_DIGITS
from apps.core.permissions import require

PAGE = 25  # accounts
NUMBER = "#"  # begins an account's number in a search, as the audit writes it
_NEW = Q(created_at__gt=later(Now(), Value(-timedelta(seconds=NEW_FOR))))
_WHICH = {
    PeopleFilter.EVERYBODY: Q(),
    PeopleFilter.NEW: _NEW,
    PeopleFilter.ADMINISTRATORS: Q(is_admin=True),
    PeopleFilter.CLOSED: Q(is_active=False),
}
_COLUMNS = (
    *("id", "username", "email", "avatar_url", "is_admin", "is_active", "created_at", "is_new", "seen", "factor"),
    *("confirmed", "last_login"),
)


@dataclass(frozen=True, slots=True)
class Person:
    """An account as administrators see it; `seen_at` is None when no session of it is kept."""

    id: int
    username: str
    email: str
    avatar_url: str
    is_admin: bool
    is_active: bool
    created_at: datetime
    is_new: bool
    seen_at: datetime | None
    has_factor: bool
    is_confirmed: bool  # whether the owner of the address has confirmed it
    signed_in_at: datetime | None  # the last sign-in
    is_locked_out: bool = False  # by too many attempts to sign in, now and from somewhere

    @property
    def may_be_appointed(self) -> bool:
        """Whether the account can become an administrator's."""
        return self.is_confirmed and self.signed_in_at is not None


def people_list(
    *,
    actor: Actor,
    query: str = "",
    which: PeopleFilter = PeopleFilter.EVERYBODY,
    before: Cursor | None = None,
    limit: int = PAGE,
) -> tuple[Person, ...]:
    """Return accounts, the newest first, those after `before` when it is given. Three queries.

    `query` begins a username or an address, or is an account's number ("#17"). Raises PermissionDenied.
    """
    require(is_administrator(actor), "Only administrators list accounts.")
    found = User.objects.filter(_named(query) & _WHICH[which])
    if before is not None:
        found = found.filter(before.after("created_at"))
    people = _people(found.order_by("-created_at", "-id")[:limit])
    locked = locked_out({each.id: each.email for each in people})
    return tuple(replace(each, is_locked_out=each.id in locked) for each in people)


def _named(query: str) -> Q:
    """Return the condition of a search."""
    if query.startswith(NUMBER):
        number = query.removeprefix(NUMBER)
        return Q(pk=int(number) if number.isascii() and number.isdigit() and len(number) <= ID_DIGITS else 0)
    return Q(username__istartswith=query) | Q(email__istartswith=query) if query else Q()


def _people(found: "QuerySet[User]") -> tuple[Person, ...]:
    seen = AuthSession.objects.filter(user_id=OuterRef("pk")).order_by("-seen_at").values("seen_at")[:1]
    # one look for each account: of EXISTS PostgreSQL would make a list of everybody who has one
    proof = Authenticator.objects.filter(user_id=OuterRef("pk"), type__in=PROOFS).values("pk")[:1]
    confirmed = EmailAddress.objects.filter(user_id=OuterRef("pk"), verified=True).values("pk")[:1]
    found = found.annotate(seen=Subquery(seen), proof=Subquery(proof), address=Subquery(confirmed))
    yes: dict[str, Any] = {
        "is_new": _NEW,
        "factor": Q(proof__isnull=False),
        "confirmed": Q(address__isnull=False),
    }
    rows = found.annotate(**{name: ExpressionWrapper(each, output_field=BooleanField()) for name, each in yes.items()})
    return tuple(Person(*row) for row in rows.values_list(*_COLUMNS))
