"""Reads of accounts, the audit and the error log for administrators and the operator."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.db.models import BooleanField, ExpressionWrapper, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Now

from apps.accounts.actors import Actor
from apps.accounts.attempts import locked_out
from apps.accounts.limits import NEW_FOR
from apps.accounts.models import AuthSession, User
from apps.accounts.permissions import IS_CONFIRMED, PROOFS, is_administrator
from apps.accounts.selectors.registrations import is_held
from apps.accounts.session_store import later
from apps.core.audit import AUDIT_PAGE, EVERYTHING, AuditFilter, AuditRecord, audit_list
from apps.core.database.paging import Cursor
from apps.core.limits import ID_DIGITS
from apps.core.permissions import require
from apps.core.selectors import ERRORS_PAGE, NO_FILTER, ErrorFilter, LoggedError, error_list


class PeopleFilter(StrEnum):
    """Filters of the administrators' list of accounts."""

    EVERYBODY = ""
    NEW = "new"
    ADMINISTRATORS = "administrators"
    CLOSED = "closed"


PEOPLE_PAGE = 25  # accounts
NUMBER = "#"  # prefix of an account's id in a search, as the audit writes it
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
    """An account for administrators; `seen_at` is None when it has no stored session."""

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
    is_locked_out: bool = False  # whether attempts from some source are currently refused

    @property
    def is_held(self) -> bool:
        """Whether the address that was registered is another account's; `email` then gets no mail."""
        return is_held(self.email)

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
    limit: int = PEOPLE_PAGE,
) -> tuple[Person, ...]:
    """Return accounts, newest first; with `before` only accounts after that cursor. Three queries.

    `query` is the beginning of a username or address, or an account's id ("#17"). Raises PermissionDenied.
    """
    require(is_administrator(actor), "Only administrators list accounts.")
    found = User.objects.filter(_named(query) & _WHICH[which])
    if before is not None:
        found = found.filter(before.after("created_at"))
    people = _people(found.order_by("-created_at", "-id")[:limit])
    locked = locked_out({person.id: person.email for person in people})
    return tuple(replace(person, is_locked_out=person.id in locked) for person in people)


def _named(query: str) -> Q:
    """Return the condition of a search."""
    if query.startswith(NUMBER):
        number = query.removeprefix(NUMBER)
        return Q(pk=int(number) if number.isascii() and number.isdigit() and len(number) <= ID_DIGITS else 0)
    return Q(username__istartswith=query) | Q(email__istartswith=query) if query else Q()


def _people(found: "QuerySet[User]") -> tuple[Person, ...]:
    seen = AuthSession.objects.filter(user_id=OuterRef("pk")).order_by("-seen_at").values("seen_at")[:1]
    # subqueries with a lookup for each account: for EXISTS PostgreSQL would list all accounts that have one
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


_ROLE_COLUMNS = ("id", "username", "email", "is_active", "is_confirmed", "last_login")


@dataclass(frozen=True, slots=True)
class Administrator:
    """An account that is or becomes an administrator's, with the state of its address and its last sign-in."""

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
    """Return an account for the operator before and after an appointment; None for an unknown id. One query."""
    return next(iter(_standings(Q(pk=account_id))), None)


def _standings(which: Q) -> tuple[Administrator, ...]:
    found = User.objects.filter(which).annotate(is_confirmed=IS_CONFIRMED).order_by("username")
    return tuple(Administrator(*row) for row in found.values_list(*_ROLE_COLUMNS))


def account_id_find(*, name: str) -> int | None:
    """Return the id of the account with that username or e-mail address, in any case, or None."""
    column = "email__iexact" if "@" in name else "username__iexact"
    return User.objects.filter(**{column: name}).values_list("id", flat=True).first()


@dataclass(frozen=True, slots=True)
class AuditLine:
    """One audit entry; `who` is the actor's username, empty for the terminal and former members.

    `about` is the username of the account that was changed, empty for other subjects.
    """

    id: int
    who: str
    about: str
    user_id: int | None
    action: str
    subject: str
    subject_id: int | None
    details: Mapping[str, Any]
    created_at: datetime
    is_gone: bool  # whether the subject has been deleted, by this entry or another


def audit_read(
    *, actor: Actor, filters: AuditFilter = EVERYTHING, before: Cursor | None = None, limit: int = AUDIT_PAGE
) -> tuple[AuditLine, ...]:
    """Return entries, newest first; with `before` only entries after that cursor. Three queries.

    Raises PermissionDenied.
    """
    require(is_administrator(actor), "Only administrators read the audit.")
    return audit_lines(audit_list(filters=filters, before=before, limit=limit))


def audit_lines(entries: Sequence[AuditRecord]) -> tuple[AuditLine, ...]:
    """Return entries with the usernames of their accounts. One query."""
    if not entries:
        return ()
    people = {pk for entry in entries for pk in (entry.user_id, _account(entry)) if pk is not None}
    names = dict(User.objects.filter(pk__in=people).values_list("pk", "username"))
    return tuple(
        AuditLine(
            entry.id,
            names.get(entry.user_id or 0, ""),
            names.get(_account(entry) or 0, ""),
            entry.user_id,
            entry.action,
            entry.subject,
            entry.subject_id,
            entry.details,
            entry.created_at,
            entry.is_gone,
        )
        for entry in entries
    )


def _account(entry: AuditRecord) -> int | None:
    """Return the id of the account that the entry is about, None for other subjects."""
    return entry.subject_id if entry.subject == "account" else None


def errors_read(
    *, actor: Actor, filters: ErrorFilter = NO_FILTER, before: Cursor | None = None, limit: int = ERRORS_PAGE
) -> tuple[LoggedError, ...]:
    """Return errors, newest first; with `before` only errors after that cursor. Long details are cut. Two queries.

    Raises PermissionDenied.
    """
    require(is_administrator(actor), "Only administrators read the error log.")
    return error_list(filters=filters, before_id=before.id if before else None, limit=limit, is_cut=True)


def accounts_reachable(*, user_ids: Collection[int]) -> Mapping[int, bool]:
    """Return which of these accounts are open, and for each whether its address is confirmed. One query."""
    found = User.objects.filter(pk__in=user_ids, is_active=True).annotate(is_confirmed=IS_CONFIRMED)
    return dict(found.values_list("pk", "is_confirmed"))
