"""Accounts as they are stored: who somebody is, where they are signed in, what waits for them, default pictures."""

from .answers import FormAnswer
from .avatars import DefaultAvatars
from .mails import Mail
from .sessions import AuthSession
from .user import USERNAME_SKELETON, User, UserManager

__all__ = ["USERNAME_SKELETON", "AuthSession", "DefaultAvatars", "FormAnswer", "Mail", "User", "UserManager"]
