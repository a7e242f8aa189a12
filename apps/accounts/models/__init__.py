"""Accounts as they are stored: who somebody is, where they are signed in, what waits for them, default pictures."""

from .answers import FormAnswer
from .avatars import DefaultAvatars
from .links import OneTimeLink
from .mails import Mail
from .sessions import AuthSession
from .user import User, UserManager

__all__ = ["AuthSession", "DefaultAvatars", "FormAnswer", "Mail", "OneTimeLink", "User", "UserManager"]
