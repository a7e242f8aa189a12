"""The session backend (`SESSION_ENGINE`): rows in an own table that expire by PostgreSQL's clock.

With Remember me the cookie lasts 30 days, and the row ends after 14 idle days. Without it the browser deletes the
cookie when it closes, and the row ends after 24 idle hours. All sessions end 30 days after the sign-in. As in Django
and allauth, `session.set_expiry` selects the kind: 0 or None for a browser session, any other value for Remember me.
"""

import re
import time
from collections.abc import Mapping
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

from allauth.account.internal.flows import login
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.base import CreateError, SessionBase, UpdateError
from django.db import IntegrityError, transaction
from django.db.models import (
    BooleanField,
    Case,
    CharField,
    DateTimeField,
    DurationField,
    ExpressionWrapper,
    F,
    Q,
    QuerySet,
    Value,
    When,
)
from django.db.models.expressions import Combinable
from django.db.models.functions import Least, Now
from django.utils.crypto import constant_time_compare

from apps.accounts.models import AuthSession, User
from apps.core.database.compiled import Parameter, compiled
from apps.core.observability import current_context

IDLE_REMEMBERED = timedelta(days=14)
IDLE = timedelta(hours=24)
LONGEST = timedelta(seconds=settings.SESSION_COOKIE_AGE)  # after the sign-in
SLIDE = timedelta(minutes=5)  # a session seen again within this time is not written
ENDED_LIFETIME = timedelta(days=1)  # between the end of a session and its deletion: the clock may have been wrong
EXPIRY = "_session_expiry"  # the key under which `set_expiry` stores its argument
RECORDS_OF = login._AUTHENTICATION_METHODS_USER_SESSION_KEY  # noqa: SLF001 - the key of their account
FACTOR = "mfa"  # a second factor or recovery code in allauth's records
# Browsers and systems in the header User-Agent. The first match counts, because the headers of earlier browsers contain
# later names too.
_BROWSERS = (
    ("Edge", r"\bEdg(?:e|A|iOS)?/"),
    ("Opera", r"\bOPR/|\bOpera\b"),
    ("Samsung Internet", r"\bSamsungBrowser/"),
    ("Firefox", r"\b(?:Firefox|FxiOS)/"),
    ("Chrome", r"\b(?:Chrome|CriOS|HeadlessChrome)/"),
    ("Safari", r"\bSafari/"),
)
_SYSTEMS = (
    ("iPhone", r"\biPhone\b"),
    ("iPad", r"\biPad\b"),
    ("Android", r"\bAndroid\b"),
    ("Windows", r"\bWindows\b"),
    ("macOS", r"\bMacintosh\b"),
    ("ChromeOS", r"\bCrOS\b"),
    ("Linux", r"\bLinux\b"),
)


def later(moment: Combinable, by: Any) -> "ExpressionWrapper[Any]":
    """Return the moment `by` after another one, as a database expression."""
    return ExpressionWrapper(moment + by, output_field=DateTimeField())


REST = Case(
    When(remembered=True, then=Value(IDLE_REMEMBERED)), default=Value(IDLE), output_field=DurationField()
)  # idle time of a stored row
RESTS = Q(seen_at__lt=later(Now(), Value(-SLIDE)))  # a stored row that has not been seen lately


def end_after(rest: Any) -> Least:
    """Return the end of a stored session that is seen now and may be idle for `rest`."""
    return Least(later(F("created_at"), Value(LONGEST)), later(Now(), rest))


_SIGNED_IN = (SESSION_KEY, BACKEND_SESSION_KEY, HASH_SESSION_KEY)
# in the order of the model's fields, as `from_db` expects; others are read when used
_ACCOUNT = ("id", "password", "username", "avatar_url", "is_admin", "covers_texts", "is_active")


@compiled
def _stored() -> "QuerySet[Any, Any]":
    found = AuthSession.objects.filter(key=Parameter("key", CharField()))
    conditions = {"is_valid": Q(expire_date__gt=Now()), "is_idle": RESTS}
    columns = found.annotate(
        **{name: ExpressionWrapper(each, output_field=BooleanField()) for name, each in conditions.items()}
    )
    return columns.values_list("is_valid", "data", "handle", "is_idle", *(f"user__{name}" for name in _ACCOUNT))


def ended() -> "QuerySet[AuthSession]":
    """Return the sessions that ended ENDED_LIFETIME ago or earlier."""
    return AuthSession.objects.filter(expire_date__lt=later(Now(), Value(-ENDED_LIFETIME)))


class SessionStore(SessionBase):
    """The session of one browser.

    The row of a session that has ended is refused, and its cookie stays until the row is deleted: if the end was that
    of a clock that was ahead, the session works again when the clock is right.
    """

    ended_key = ""  # of a row that has ended
    # set when the session is loaded:
    handle: UUID | None = None  # its public id on pages
    is_idle = False  # whether it had not been seen lately
    account: User | None = None  # read in the same query; unverified, see `account_verified`

    @classmethod
    def clear_expired(cls) -> None:
        """Delete sessions that ended ENDED_LIFETIME ago or earlier."""
        ended().delete()

    def load(self) -> dict[str, Any]:
        """Return the session's data. For an expired session return an empty dict and drop the key."""
        rows = _stored(key=self.session_key)
        if not rows or not rows[0][0]:
            self.ended_key = self.session_key or "" if rows else ""
            self._session_key = None
            return {}
        _, data, self.handle, self.is_idle, *account = rows[0]
        self.account = User.from_db("default", _ACCOUNT, account) if account[0] else None
        return self.decode(data)

    def account_verified(self) -> User | None:
        """Return the account if Django's `get_user` would without a fallback of SECRET_KEY, else None."""
        account_id, backend, session_hash = (self.get(name, "") for name in _SIGNED_IN)
        account = self.account
        if account is None or not account.is_active or account_id != str(account.pk):
            return None
        is_known = backend in settings.AUTHENTICATION_BACKENDS
        return account if is_known and constant_time_compare(session_hash, account.get_session_auth_hash()) else None

    def exists(self, session_key: str) -> bool:
        """Return whether a row has this key."""
        return AuthSession.objects.filter(key=session_key).exists()

    def create(self) -> None:
        """Store the session under a new key."""
        while True:
            self._session_key = self._get_new_session_key()  # type: ignore[attr-defined]  # as in every backend
            try:
                self.save(must_create=True)
            except CreateError:
                continue
            self.modified = True
            return

    def save(self, must_create: bool = False) -> None:  # noqa: FBT001, FBT002 - Django's signature
        """Store the session. Raises UpdateError if its row has been deleted or has expired in between."""
        if self.session_key is None:
            self.create()
            return
        data = self._get_session(no_load=must_create)  # type: ignore[attr-defined]  # as above
        if must_create:
            self._insert(data)
        elif not self._update(data):
            raise UpdateError

    def cycle_key(self) -> None:
        """Change the session's key, which invalidates the old cookie; the 30 days since the sign-in continue."""
        data, old = self._get_session(), self.session_key  # type: ignore[attr-defined]  # as above
        with transaction.atomic():
            identity = AuthSession.objects.filter(key=old, user__isnull=False).values("created_at", "handle").first()
            self.create()
            self._session_cache = data
            self.delete(old or "")
            if identity is not None:  # the new row keeps the sign-in time and the handle
                AuthSession.objects.filter(key=self.session_key).update(**identity)
                self.handle = identity["handle"]

    def delete(self, session_key: str | None = None) -> None:
        """Delete the row of this key, by default that of this session, also one that has ended."""
        key = (self.session_key or self.ended_key) if session_key is None else session_key
        AuthSession.objects.filter(key=key).delete()

    def is_empty(self) -> bool:
        """Return whether Django's middleware may delete the cookie: not that of a session that has ended."""
        return super().is_empty() and (self.modified or not self.ended_key)

    def get_expire_at_browser_close(self) -> bool:
        """Return whether the browser deletes the cookie when it closes."""
        return not self.get(EXPIRY)

    def _insert(self, data: dict[str, Any]) -> None:
        key, columns = self._get_or_create_session_key(), self._columns(data)  # type: ignore[attr-defined]  # as above
        ends = later(Now(), Value(IDLE_REMEMBERED if columns["remembered"] else IDLE))
        agent = agent_name(current_context().user_agent)
        self.handle = uuid4()
        try:
            with transaction.atomic():
                AuthSession.objects.create(key=key, handle=self.handle, agent=agent, expire_date=ends, **columns)
        except IntegrityError as error:
            raise CreateError from error

    def _update(self, data: dict[str, Any]) -> int:
        columns = self._columns(data)
        ends = end_after(Value(IDLE_REMEMBERED if columns["remembered"] else IDLE))
        found = AuthSession.objects.filter(key=self.session_key, expire_date__gt=Now())
        return found.update(seen_at=Now(), expire_date=ends, **columns)

    def _columns(self, data: dict[str, Any]) -> dict[str, Any]:
        user_id = data.get(SESSION_KEY)
        return {
            "data": self.encode(data),
            "user_id": int(user_id) if user_id else None,
            "remembered": bool(data.get(EXPIRY)),
            "second_factor": factor_proved(data),
        }


def handle_of(session: SessionBase | None) -> str:
    """Return the handle of a loaded or stored session; empty without one."""
    return str(getattr(session, "handle", None) or "")


def factor_proved(data: Mapping[str, Any]) -> bool:
    """Return whether the account proved a second factor in this session."""
    return any(record.get("method") == FACTOR for record in _records(data))


def proved_lately(data: Mapping[str, Any]) -> bool:
    """Return whether the account signed in or reauthenticated in this session within the last ten minutes."""
    now, longest = time.time(), settings.ACCOUNT_REAUTHENTICATION_TIMEOUT
    return any(0 <= now - record.get("at", 0) < longest for record in _records(data))


def _records(data: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return allauth's authentication records, which exist even before the sign-in is complete.

    Records of another account in the same browser do not count.
    """
    owner_id, records = (data.get(name) for name in (RECORDS_OF, login.AUTHENTICATION_METHODS_SESSION_KEY))
    is_own = bool(owner_id) and owner_id == data.get(SESSION_KEY)
    return records if is_own and isinstance(records, list) else []


def agent_name(user_agent: str) -> str:
    """Return browser and system, such as "Firefox on Linux"; an unknown part is omitted."""
    return " on ".join(filter(None, (_first(_BROWSERS, user_agent), _first(_SYSTEMS, user_agent))))


def _first(known: tuple[tuple[str, str], ...], user_agent: str) -> str:
    return next((name for name, pattern in known if re.search(pattern, user_agent)), "")
