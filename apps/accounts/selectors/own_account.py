"""Reads of one account, mostly for its owner: profile, sessions, second factors, answers of forms."""

import logging
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.db import DatabaseError
from django.db.models import DurationField, Exists, ExpressionWrapper, F, OuterRef, Value
from django.db.models.functions import Now

from apps.accounts.models import AuthSession, DefaultAvatars, FormAnswer, User
from apps.accounts.session_store import later
from apps.core.edits import version_of


@dataclass(frozen=True, slots=True)
class Profile:
    """The account's own view of its profile."""

    username: str
    email: str
    avatar_url: str
    has_password: bool
    is_admin: bool
    created_at: datetime

    @property
    def version(self) -> str:
        """The version that the settings form sends back."""
        return version_of({"username": self.username, "avatar_url": self.avatar_url})


@dataclass(frozen=True, slots=True)
class OwnSession:
    """A browser in which the user is signed in."""

    handle: str
    agent: str  # browser and system, empty when unknown
    signed_in_at: datetime
    seen_at: datetime
    remembered: bool


def profile_get(*, user_id: int) -> Profile | None:
    """Return the profile of an account, or None when it is deleted or inactive. One query."""
    user = User.objects.filter(pk=user_id, is_active=True).first()
    if user is None:
        return None
    return Profile(
        user.username, user.email, user.avatar_url, user.has_usable_password(), user.is_admin, user.created_at
    )


@dataclass(frozen=True, slots=True)
class Recipient:
    """Where mails to a member go, and how they address the member."""

    email: str
    username: str


def recipients_get(*, user_ids: Collection[int]) -> Mapping[int, Recipient]:
    """Return the recipients of mails, by account: without closed accounts and unconfirmed addresses. One query."""
    confirmed = EmailAddress.objects.filter(user_id=OuterRef("pk"), email__iexact=OuterRef("email"), verified=True)
    found = User.objects.filter(Exists(confirmed), pk__in=user_ids, is_active=True)
    return {pk: Recipient(*row) for pk, *row in found.values_list("pk", "email", "username")}


def address_get(*, user_id: int) -> str:
    """Return the e-mail address of an account, open or closed; empty for none. One query."""
    return User.objects.filter(pk=user_id).values_list("email", flat=True).first() or ""


def has_password(*, user_id: int) -> bool:
    """Return whether this account has a usable password. One query."""
    user = User.objects.filter(pk=user_id).only("password").first()
    return user is not None and user.has_usable_password()


def sessions_own(*, user_id: int) -> tuple[OwnSession, ...]:
    """Return the user's sessions, last seen first. One query."""
    columns = ("handle", "agent", "created_at", "seen_at", "remembered")
    found = AuthSession.objects.filter(user_id=user_id, expire_date__gt=Now()).order_by("-seen_at", "-created_at")
    return tuple(OwnSession(str(handle), *others) for handle, *others in found.values_list(*columns))


def sessions_existing(*, handles: Collection[str]) -> frozenset[str]:
    """Return the handles of sessions that have not ended, even if their keys have changed. One query."""
    found = AuthSession.objects.filter(handle__in=handles, user__is_active=True, expire_date__gt=Now())
    return frozenset(str(handle) for handle in found.values_list("handle", flat=True))


def answer_get(*, answer_id: str, user_id: int) -> tuple[str, dict[str, Any]] | None:
    """Return the form's name and its answer, or None if the id is not that of this account's answer. One query."""
    try:
        answer_uuid = UUID(answer_id)
    except ValueError:
        return None
    return FormAnswer.objects.filter(pk=answer_uuid, user_id=user_id).values_list("form", "data").first()


def member_for(*, user_id: int | None) -> timedelta | None:
    """Return the age of the account, or None when it is missing or inactive. One query."""
    if user_id is None:
        return None
    age = ExpressionWrapper(Now() - F("created_at"), output_field=DurationField())
    return User.objects.filter(pk=user_id, is_active=True).values_list(age, flat=True).first()


def accounts_younger(*, seconds: float, user_ids: Collection[int] | None = None) -> Mapping[int, datetime]:
    """Return the accounts younger than `seconds`, by id, with the time at which each reaches that age. One query.

    `user_ids` limits them to some; None is for all.
    """
    age = timedelta(seconds=seconds)
    found = User.objects.filter(created_at__gt=later(Now(), Value(-age)))
    if user_ids is not None:
        found = found.filter(pk__in=user_ids)
    return {pk: created_at + age for pk, created_at in found.values_list("id", "created_at")}


def accounts_made(*, since: datetime) -> Mapping[int, datetime]:
    """Return the accounts that were made after `since`, by id, with the time of each. One query."""
    return dict(User.objects.filter(created_at__gt=since).values_list("id", "created_at"))


def administrator_is(*, user_id: int | None) -> bool:
    """Return whether the account is an administrator's and open. One query, none for a former member."""
    return user_id is not None and User.objects.filter(pk=user_id, is_active=True, is_admin=True).exists()


def accounts_active(*, user_ids: Collection[int]) -> frozenset[int]:
    """Return those of these accounts that exist and are active. One query."""
    return frozenset(User.objects.filter(pk__in=user_ids, is_active=True).values_list("id", flat=True))


Kind = Authenticator.Type


@dataclass(frozen=True, slots=True)
class Passkey:
    """A passkey, for its owner."""

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
        """Whether the account has a second factor; recovery codes alone do not count."""
        return self.has_app or bool(self.passkeys)


def factors_get(*, user_id: int) -> Factors:
    """Return the second factors of an account, passkeys oldest first. One query."""
    found = list(Authenticator.objects.filter(user_id=user_id).order_by("created_at", "pk"))
    kinds = {factor.type for factor in found}
    passkeys = tuple(
        Passkey(factor.pk, str(factor.data["name"]), factor.created_at, factor.last_used_at)
        for factor in found
        if factor.type == Kind.WEBAUTHN
    )
    return Factors(Kind.TOTP in kinds, passkeys, Kind.RECOVERY_CODES in kinds)


log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Defaults:
    """Addresses of the default pictures, empty if initials are drawn instead."""

    user_avatar_url: str = ""
    participant_avatar_url: str = ""

    @property
    def version(self) -> str:
        """The version that the administrator's form sends back."""
        return version_of(asdict(self))


def default_avatars() -> Defaults:
    """Return the last chosen default pictures. A failed read is logged, and initials are drawn. One query."""
    try:
        newest = DefaultAvatars.objects.order_by("-created_at", "-id")
        row = newest.values_list("user_avatar_url", "participant_avatar_url").first()
    except DatabaseError:
        log.exception("default avatars could not be read; initials are drawn")
        return Defaults()
    return Defaults(*row) if row else Defaults()
