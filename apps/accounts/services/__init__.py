"""Writes of accounts, one file for each noun."""

from apps.accounts.services.data_rights import account_delete, account_export

from .accounts import account_create, address_vouch
from .avatars import default_avatars_set
from .factor_keys import factors_reencrypt
from .factors import factor_changed, factor_note, factors_forget, first_factor_link
from .linked import account_create_linked, username_generate
from .password import BAD_TOKEN, password_set
from .profile import answer_keep, answers_prune, profile_update
from .roles import account_activate, account_deactivate, account_unlock, admin_grant, admin_revoke
from .sessions import (
    session_end,
    session_end_own,
    session_renew,
    sessions_end_others,
    sessions_prune,
    sessions_slide,
)

__all__ = [
    "BAD_TOKEN",
    "account_activate",
    "account_create",
    "account_create_linked",
    "account_deactivate",
    "account_delete",
    "account_export",
    "account_unlock",
    "address_vouch",
    "admin_grant",
    "admin_revoke",
    "answer_keep",
    "answers_prune",
    "default_avatars_set",
    "factor_changed",
    "factor_note",
    "factors_forget",
    "factors_reencrypt",
    "first_factor_link",
    "password_set",
    "profile_update",
    "session_end",
    "session_end_own",
    "session_renew",
    "sessions_end_others",
    "sessions_prune",
    "sessions_slide",
    "username_generate",
]
