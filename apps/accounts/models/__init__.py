"""The tables of accounts: users, sessions, links, mails, answers of forms, default pictures."""

from .answers import FormAnswer
from .avatars import DefaultAvatars
from .links import OneTimeLink
from .mails import Mail
from .sessions import AuthSession
from .user import User, UserManager

__all__ = ["AuthSession", "DefaultAvatars", "FormAnswer", "Mail", "OneTimeLink", "User", "UserManager"]
