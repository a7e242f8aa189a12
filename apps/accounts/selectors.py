"""Reads of accounts: frozen results, nothing private."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b

from django.contrib.auth.base_user import AbstractBaseUser
from django.db import connection

from .actors import STRANGER, Viewer
from .models import User


def viewer_get(*, user_id: int | None) -> Viewer:
    """Return the viewer behind an account, or STRANGER when there is none or it is inactive."""
    if user_id is None:
        return STRANGER
    columns = ("id", "username", "is_admin", "avatar_url")
    found = User.objects.filter(pk=user_id, is_active=True).values_list(*columns).first()
    return Viewer(*found) if found else STRANGER


def account_id_get(*, username: str) -> int | None:
    """Return the id of the account with that username, in any case, or None."""
    return User.objects.filter(username__iexact=username).values_list("id", flat=True).first()


@dataclass(frozen=True, slots=True)
class Seat:
    """Somebody who sits here signed in: the session, the account, and what tells another password from this one."""

    key: str
    viewer: Viewer
    fingerprint: str

    @property
    def account(self) -> int:
        """The account's id."""
        return self.viewer.id or 0


NOBODY = Seat("", STRANGER, "")
SEATS = """
SELECT wanted.key, account.id, account.username, account.is_admin, account.avatar_url, account.password
FROM unnest(%s::text[], %s::bigint[]) AS wanted (key, account_id)
JOIN django_session AS session ON session.session_key = wanted.key AND session.expire_date > now()
JOIN users AS account ON account.id = wanted.account_id AND account.is_active
"""


def seats_get(*, keys: Sequence[tuple[str, int]]) -> dict[str, Seat]:
    """Return the seats of those (session key, account id) that still hold, by key: one query for all of them."""
    with connection.cursor() as cursor:
        cursor.execute(SEATS, [[key for key, _ in keys], [account for _, account in keys]])
        rows = cursor.fetchall()
    return {key: Seat(key, Viewer(*viewer), _fingerprint(password)) for key, *viewer, password in rows}


def seat_of(*, key: str, user: AbstractBaseUser) -> Seat:
    """Return the seat of an account that was just read, in the session of that key."""
    if not isinstance(user, User):
        return NOBODY
    return Seat(key, Viewer(user.pk, user.username, user.is_admin, user.avatar_url), _fingerprint(user.password))


def _fingerprint(password: str) -> str:
    """A digest of a stored password, so that nothing that was a password stays in memory."""
    return blake2b(password.encode(), digest_size=8).hexdigest()
