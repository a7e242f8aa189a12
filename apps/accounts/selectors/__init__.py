"""Reads of accounts: frozen results, nothing private but to oneself."""

from apps.accounts.selectors.own_account import (
    OwnSession,
    Profile,
    answer_get,
    has_password,
    profile_get,
    sessions_own,
)
from apps.accounts.selectors.sessions import (
    NO_SESSION,
    AccountSession,
    account_session_of,
    account_sessions_get,
    signed_in_lately,
)

from .account_status import accounts_younger, administrator_is
from .audit import AuditLine, audit_read
from .avatars import Defaults, default_avatars
from .factors import Factors, Passkey, factors_get
from .people import Person, people_list
from .roles import Administrator, account_id_find, account_standing, administrators
from .viewers import account_id_get, username_is_taken, usernames_get, usernames_known, viewer_get

__all__ = [
    "NO_SESSION",
    "AccountSession",
    "Administrator",
    "AuditLine",
    "Defaults",
    "Factors",
    "OwnSession",
    "Passkey",
    "Person",
    "Profile",
    "account_id_find",
    "account_id_get",
    "account_session_of",
    "account_sessions_get",
    "account_standing",
    "accounts_younger",
    "administrator_is",
    "administrators",
    "answer_get",
    "audit_read",
    "default_avatars",
    "factors_get",
    "has_password",
    "people_list",
    "profile_get",
    "sessions_own",
    "signed_in_lately",
    "username_is_taken",
    "usernames_get",
    "usernames_known",
    "viewer_get",
]
