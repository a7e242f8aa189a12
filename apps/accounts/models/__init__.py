"""Accounts as they are stored: who somebody is, where they are signed in, what forms answered, default pictures."""

from .answers import FormAnswer
from .avatars import DefaultAvatars
from .sessions import AuthSession
from .user import User, UserManager

__all__ = ["AuthSession", "DefaultAvatars", "FormAnswer", "User", "UserManager"]
