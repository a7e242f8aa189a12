"""Reads of one's own account, for nobody else."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models.functions import Now

from apps.accounts.models import AuthSession, FormAnswer, User
from apps.core.edits.edit_merge import version_of


@dataclass(frozen=True, slots=True)
class Profile:
    """One's own account."""

    username: str
    email: str
    avatar_url: str
    has_password: bool
    is_admin: bool
    created_at: datetime

    @property
    def version(self) -> str:
        """The version that the form of the settings has read."""
        return version_of({"username": self.username, "avatar_url": self.avatar_url})


@dataclass(frozen=True, slots=True)
class OwnSession:
    """One browser in which one is signed in."""

    handle: str
    agent: str  # browser and system, empty when unknown
    signed_in_at: datetime
    seen_at: datetime
    remembered: bool


def profile_get(*, user_id: int) -> Profile | None:
    """Return one's own account, or None when it is gone or inactive. One query."""
    user = User.objects.filter(pk=user_id, is_active=True).first()
    if user is None:
        return None
    return Profile(
        user.username, user.email, user.avatar_url, user.has_usable_password(), user.is_admin, user.created_at
    )


def has_password(*, user_id: int) -> bool:
    """Whether one can sign in to this account with a password. One query."""
    user = User.objects.filter(pk=user_id).only("password").first()
    return user is not None and user.has_usable_password()


def sessions_own(*, user_id: int) -> tuple[OwnSession, ...]:
    """Return where one is signed in, the latest seen first. One query."""
    columns = ("handle", "agent", "created_at", "seen_at", "remembered")
    found = AuthSession.objects.filter(user_id=user_id, expire_date__gt=Now()).order_by("-seen_at", "-created_at")
    return tuple(OwnSession(str(handle), *others) for handle, *others in found.values_list(*columns))


def sessions_existing(*, handles: Collection[str]) -> frozenset[str]:
    """Return those of these sessions that have not ended, whatever their keys are now. One query."""
    found = AuthSession.objects.filter(handle__in=handles, user__is_active=True, expire_date__gt=Now())
    return frozenset(str(handle) for handle in found.values_list("handle", flat=True))


def answer_get(*, answer_id: str, user_id: int) -> tuple[str, dict[str, Any]] | None:
    """Return the form's name and its answer, or None when this is no answer of this account's. One query."""
    try:
        wanted = UUID(answer_id)
    except ValueError:
        return None
    return FormAnswer.objects.filter(pk=wanted, user_id=user_id).values_list("form", "data").first()
