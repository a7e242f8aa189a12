"""Reads of viewers, usernames and sessions."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.db import connection
from django.db.models.functions import Now, Upper

from apps.accounts.actors import ANONYMOUS, Viewer
from apps.accounts.models import USERNAME_SKELETON, AuthSession, User
from apps.accounts.permissions import PROOFS, may_run_the_site
from apps.accounts.session_store import SessionStore, proved_lately
from apps.accounts.validators import username_skeleton


def viewer_get(*, user_id: int | None, session: str = "") -> Viewer:
    """Return the viewer of an account, in the session with this handle; ANONYMOUS when it is deleted or inactive."""
    if user_id is None:
        return ANONYMOUS
    found = User.objects.filter(pk=user_id, is_active=True).first()
    return viewer_of_account(found, session) if found else ANONYMOUS


def viewer_of_account(user: User, session: str = "") -> Viewer:
    """Return the viewer of an account that was just read. One query for administrators, none for other accounts."""
    may = may_run_the_site(user, session)
    own = {"lacks_factor": user.is_admin and not may, "covers_texts": user.covers_texts}
    return Viewer(user.pk, user.username, may, user.avatar_url, session, **own)


def account_id_get(*, username: str) -> int | None:
    """Return the id of the account with that username, in any case, or None."""
    return User.objects.filter(username__iexact=username).values_list("id", flat=True).first()


def usernames_get(*, user_ids: Collection[int]) -> Mapping[int, str]:
    """Return the usernames of these accounts, by id; unknown ids are omitted. One query."""
    return dict(User.objects.filter(pk__in=user_ids).values_list("id", "username"))


def usernames_known(*, usernames: Collection[str]) -> frozenset[str]:
    """Return those of these usernames that are in use, in any case, spelled as in `usernames`. One query."""
    upper_names = {name.upper() for name in usernames}
    found = User.objects.alias(upper=Upper("username")).filter(upper__in=upper_names)
    known = {name.upper() for name in found.values_list("username", flat=True)}
    return frozenset(name for name in usernames if name.upper() in known)


def username_is_taken(*, username: str) -> bool:
    """Return whether this username or a look-alike is in use. One query."""
    found = User.objects.alias(skeleton=USERNAME_SKELETON).filter(skeleton=username_skeleton(username))
    return found.filter(username_grandfathered=False).exists()


@dataclass(frozen=True, slots=True)
class AccountSession:
    """A session with its account; `fingerprint` changes with the password."""

    key: str
    viewer: Viewer
    fingerprint: str

    @property
    def account(self) -> int:
        """The account's id; 0 for an anonymous visitor."""
        return self.viewer.id or 0


NO_SESSION = AccountSession("", ANONYMOUS, "")
ACCOUNT_SESSIONS = """
SELECT wanted.key, account.password, account.id, account.username, account.is_admin AND proof.enough,
  account.avatar_url, session.handle::text, account.is_admin AND NOT proof.enough, account.covers_texts
FROM unnest(%s::text[], %s::bigint[]) AS wanted (key, account_id)
JOIN auth_sessions AS session ON session.key = wanted.key AND session.user_id = wanted.account_id
  AND session.expire_date > now()
JOIN users AS account ON account.id = wanted.account_id AND account.is_active
CROSS JOIN LATERAL (
  SELECT NOT %s OR session.second_factor
    AND EXISTS (SELECT FROM mfa_authenticator WHERE user_id = account.id AND type = ANY(%s)) AS enough
) AS proof
"""


def account_sessions_get(*, keys: Sequence[tuple[str, int]]) -> dict[str, AccountSession]:
    """Return the valid sessions of these pairs of session key and account id, by key. One query."""
    with connection.cursor() as cursor:
        pairs: list[list[Any]] = [[key for key, _ in keys], [account for _, account in keys]]
        cursor.execute(ACCOUNT_SESSIONS, [*pairs, settings.MFA_REQUIRED_FOR_ADMINISTRATORS, list(PROOFS)])
        rows = cursor.fetchall()
    return {key: AccountSession(key, Viewer(*viewer), _fingerprint(password)) for key, password, *viewer in rows}


def account_session_of(*, key: str, user: AbstractBaseUser, session: str = "") -> AccountSession:
    """Return the session of this key and handle, with an account that was just read."""
    if not isinstance(user, User):
        return NO_SESSION
    return AccountSession(key, viewer_of_account(user, session), _fingerprint(user.password))


def sessions_valid(*, handles: Collection[UUID]) -> Mapping[UUID, int]:
    """Return the account of each of these sessions that is valid, by the session's handle. One query."""
    found = AuthSession.objects.filter(handle__in=handles, expire_date__gt=Now(), user__is_active=True)
    return {handle: user_id for handle, user_id in found.values_list("handle", "user_id") if user_id is not None}


def signed_in_lately(*, viewer: Viewer) -> bool:
    """Return whether the viewer signed in or reauthenticated in this session within the last ten minutes. One query."""
    if viewer.id is None or not viewer.session:
        return False
    found = AuthSession.objects.filter(user_id=viewer.id, handle=viewer.session, expire_date__gt=Now())
    data = found.values_list("data", flat=True).first()
    return data is not None and proved_lately(SessionStore().decode(data))


def _fingerprint(password: str) -> str:
    """Return a digest of a stored password, so that its hash does not stay in memory."""
    return blake2b(password.encode(), digest_size=8).hexdigest()
