"""Reads of one's own account, for nobody else."""

import logging
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from allauth.mfa.models import Authenticator
from django.db import DatabaseError
from django.db.models import DurationField, ExpressionWrapper, F, Value
from django.db.models.functions import Now

from apps.accounts.models import AuthSession, DefaultAvatars, FormAnswer, User
from apps.accounts.session_store import later
from apps.core.edits import version_of


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


def member_for(*, user_id: int | None) -> timedelta | None:
    """Return the age of the account, or None when there is none or it is inactive. One query."""
    if user_id is None:
        return None
    age = ExpressionWrapper(Now() - F("created_at"), output_field=DurationField())
    return User.objects.filter(pk=user_id, is_active=True).values_list(age, flat=True).first()


def accounts_younger(*, seconds: float) -> Mapping[int, datetime]:
    """Return the accounts younger than that, by id, with the moment when each no longer is. One query."""
    age = timedelta(seconds=seconds)
    found = User.objects.filter(created_at__gt=later(Now(), Value(-age))).values_list("id", "created_at")
    return {pk: created_at + age for pk, created_at in found}


def administrator_is(*, user_id: int | None) -> bool:
    """Whether the account is an administrator's and open. One query, none for a former member."""
    return user_id is not None and User.objects.filter(pk=user_id, is_active=True, is_admin=True).exists()


def accounts_active(*, user_ids: Collection[int]) -> frozenset[int]:
    """Return those of these accounts that exist and are active. One query."""
    return frozenset(User.objects.filter(pk__in=user_ids, is_active=True).values_list("id", flat=True))


Kind = Authenticator.Type


@dataclass(frozen=True, slots=True)
class Passkey:
    """One passkey, as its owner reads it."""

    id: int
    name: str
    created_at: datetime
    last_used_at: datetime | None


@dataclass(frozen=True, slots=True)
class Factors:
    """The second factors of one account."""

    has_app: bool = False
    passkeys: tuple[Passkey, ...] = ()
    has_codes: bool = False

    @property
    def is_there(self) -> bool:
        """Whether there is a second factor."""
        return self.has_app or bool(self.passkeys)


def factors_get(*, user_id: int) -> Factors:
    """Return one's own second factors, passkeys by age. One query."""
    found = list(Authenticator.objects.filter(user_id=user_id).order_by("created_at", "pk"))
    kinds = {each.type for each in found}
    passkeys = tuple(
        Passkey(each.pk, str(each.data["name"]), each.created_at, each.last_used_at)
        for each in found
        if each.type == Kind.WEBAUTHN
    )
    return Factors(Kind.TOTP in kinds, passkeys, Kind.RECOVERY_CODES in kinds)


log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Defaults:
    """Addresses of the default pictures; empty where initials are drawn instead."""

    user_avatar_url: str = ""
    participant_avatar_url: str = ""

    @property
    def version(self) -> str:
        """The version that whoever chooses others has read."""
        return version_of(asdict(self))


def default_avatars() -> Defaults:
    """Return the default pictures chosen last; a read that fails is logged, and initials are drawn. One query."""
    columns = ("user_avatar_url", "participant_avatar_url")
    try:
        row = DefaultAvatars.objects.order_by("-created_at", "-id").values_list(*columns).first()
    except DatabaseError:
        log.exception("default avatars could not be read; initials are drawn")
        return Defaults()
    return Defaults(*row) if row else Defaults()
