"""Registry of personal data: how each app exports and deletes the rows of one account, and what Privacy states."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount

from apps.accounts.models import AuthSession, User
from apps.core.audit import audit_own
from apps.core.rate_limits import rate_limits_forget
from apps.core.services import errors_forget

Rows = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Kept:
    """A row of the page Privacy; its sentences are gettext sources, `columns` are the stored columns by table."""

    what: str
    why: str
    until: str
    seen_by: str
    columns: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class AccountData:
    """Columns that refer to an account, and the functions that export their rows and handle its deletion."""

    columns: tuple[str, ...]  # "table.column"
    export: Callable[[int], Rows]
    on_deletion: Callable[[int], object]
    on_closing: Callable[[int], object]
    kept: Kept | None


_registered: list[AccountData] = []


def leave_to_database(_user_id: int) -> None:
    """Leave the rows to the database, which deletes them with the account or keeps them."""


def register(
    *columns: str,
    export: Callable[[int], Rows],
    on_deletion: Callable[[int], object],
    on_closing: Callable[[int], object] = leave_to_database,
    kept: Kept | None = None,
) -> None:
    """Register `columns` ("table.column") that refer to an account, with functions for export, deletion and closing.

    `kept` is their row of the page Privacy, which lists every column of the table; without it, the row is in
    `components/pages/public/privacy.py`.
    """
    _registered.append(AccountData(columns, export, on_deletion, on_closing, kept))


def no_rows(_user_id: int) -> Rows:
    """Return an empty export, for rows without information about the user."""
    return {}


def account_data() -> Iterable[AccountData]:
    """Return all registrations, in the order of INSTALLED_APPS."""
    return tuple(_registered)


def registered_kept() -> tuple[Kept, ...]:
    """Return the rows of the page Privacy that apps registered, in the same order."""
    return tuple(each.kept for each in _registered if each.kept)


def own_tables_register() -> None:
    """Register the tables of this app and of the libraries that it uses."""
    register("users.id", export=_account, on_deletion=leave_to_database)
    register("auth_sessions.user_id", export=_sessions, on_deletion=leave_to_database)
    register("form_answers.user_id", export=no_rows, on_deletion=leave_to_database)  # a day old at most
    # digests of keys; a day old at most
    register("one_time_links.user_id", export=no_rows, on_deletion=leave_to_database)
    # the pictures stay, without the account that chose them
    register("default_avatar_urls.updated_by_id", export=no_rows, on_deletion=leave_to_database)
    register("account_emailaddress.user_id", export=_addresses, on_deletion=leave_to_database)
    register("socialaccount_socialtoken.account_id", export=no_rows, on_deletion=leave_to_database)  # none is stored
    register("socialaccount_socialaccount.user_id", export=_links, on_deletion=leave_to_database)
    register("mfa_authenticator.user_id", export=_factors, on_deletion=leave_to_database)  # without the secrets
    # answers of commands; their results are in the other tables; a week old at most
    register("acts.user_id", export=no_rows, on_deletion=leave_to_database)
    register("rate_limits.subject", export=no_rows, on_deletion=lambda user_id: rate_limits_forget(account_id=user_id))
    register("error_logs.user_id", export=no_rows, on_deletion=lambda user_id: errors_forget(user_id=user_id))
    register("audit_entries.user_id", export=_audit, on_deletion=leave_to_database)  # kept for 90 days


def _account(user_id: int) -> Mapping[str, Any]:
    user = User.objects.get(pk=user_id)
    shown = {
        "username": user.username,
        "email": user.email,
        "avatar_url": user.avatar_url,
        "is_admin": user.is_admin,
        "covers_texts": user.covers_texts,
        "created_at": user.created_at.isoformat(),
        "updated_at": user.updated_at.isoformat(),
    }
    return {"account": shown}


def _sessions(user_id: int) -> Mapping[str, Any]:
    columns = ("agent", "created_at", "seen_at", "remembered")
    found = AuthSession.objects.filter(user_id=user_id).order_by("created_at").values(*columns)
    return {"sessions": [_iso(row) for row in found]}


def _addresses(user_id: int) -> Mapping[str, Any]:
    found = EmailAddress.objects.filter(user_id=user_id).order_by("id").values("email", "verified", "primary")
    return {"email_addresses": list(found)}


def _links(user_id: int) -> Mapping[str, Any]:
    columns = ("provider", "uid", "date_joined", "last_login", "extra_data")
    found = SocialAccount.objects.filter(user_id=user_id).order_by("id").values(*columns)
    return {"linked_accounts": [_iso(row) for row in found]}


def _factors(user_id: int) -> Mapping[str, Any]:
    found = Authenticator.objects.filter(user_id=user_id).order_by("id").values("type", "created_at", "last_used_at")
    return {"second_factors": [_iso(row) for row in found]}


def _audit(user_id: int) -> Mapping[str, Any]:
    return {
        "audit": [{"action": each.action, "at": each.created_at.isoformat()} for each in audit_own(user_id=user_id)]
    }


def _iso(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the row with its times as texts."""
    return {name: value.isoformat() if hasattr(value, "isoformat") else value for name, value in row.items()}
