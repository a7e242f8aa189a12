"""Writes of accounts, one file for each noun."""

from .accounts import account_create
from .avatars import default_avatars_set
from .leaving import account_delete, account_export
from .password import password_set
from .profile import answer_keep, answers_prune, profile_update
from .roles import account_activate, account_deactivate, admin_grant, admin_revoke
from .sessions import session_end, session_end_own, sessions_end_others, sessions_prune, sessions_slide

__all__ = [
    "account_activate",
    "account_create",
    "account_deactivate",
    "account_delete",
    "account_export",
    "admin_grant",
    "admin_revoke",
    "answer_keep",
    "answers_prune",
    "default_avatars_set",
    "password_set",
    "profile_update",
    "session_end",
    "session_end_own",
    "sessions_end_others",
    "sessions_prune",
    "sessions_slide",
]
