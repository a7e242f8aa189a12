"""Test the site's own session rows: PostgreSQL's clock decides when they expire, even if the process clock is wrong."""

import datetime as dt
from uuid import uuid4

import pytest
from django.contrib.auth import SESSION_KEY
from django.contrib.auth.hashers import make_password
from django.contrib.sessions.backends.base import UpdateError
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import connection
from django.utils import timezone

from apps.accounts.actors import ANONYMOUS, Viewer
from apps.accounts.models import AuthSession
from apps.accounts.selectors.own_account import sessions_existing, sessions_own
from apps.accounts.selectors.sessions import account_sessions_get
from apps.accounts.services.profile import password_set
from apps.accounts.services.sessions import (
    session_end,
    session_end_own,
    sessions_end_others,
    sessions_prune,
    sessions_slide,
)
from apps.accounts.session_store import SessionStore, agent_name
from apps.core.observability import RequestContext, request_context
from tests.factories import UserFactory

pytestmark = pytest.mark.django_db
HOUR, DAY = 3600, 86_400  # seconds
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"


def begun(user=None, *, remembered: bool = False) -> SessionStore:
    """Return a stored session of this account."""
    store = SessionStore()
    store["something"] = "kept"
    if user is not None:
        store[SESSION_KEY] = str(user.pk)
    if remembered:
        store.set_expiry(30 * DAY)
    store.create()
    return store


def seconds_left(store: SessionStore) -> int:
    """Return how many seconds a session has left, by the database's clock."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT extract(epoch FROM expire_date - now()) FROM auth_sessions WHERE key = %s", [store.session_key]
        )
        return round(cursor.fetchone()[0])


def moved_back(store: SessionStore, **ago: dt.timedelta) -> None:
    """Move these timestamps of a session into the past."""
    row = AuthSession.objects.get(pk=store.session_key)
    moments = {name: getattr(row, name) - duration for name, duration in ago.items()}
    AuthSession.objects.filter(pk=row.pk).update(**moments)


@pytest.mark.parametrize(("remembered", "seconds"), [(False, DAY), (True, 14 * DAY)])
def test_idle_session_lasts_a_day_or_two_weeks_if_remembered(remembered, seconds):
    store = begun(UserFactory(), remembered=remembered)
    assert seconds_left(store) == pytest.approx(seconds, abs=5)
    assert store.get_expire_at_browser_close() is not remembered
    moved_back(store, expire_date=dt.timedelta(seconds=seconds - 60))
    assert seconds_left(store) == pytest.approx(60, abs=5)
    again = SessionStore(store.session_key)
    assert again["something"] == "kept"
    again["something"] = "changed"
    again.save()
    assert seconds_left(store) == pytest.approx(seconds, abs=5)


def test_expired_session_belongs_to_no_account():
    user = UserFactory()
    store = begun(user)
    moved_back(store, expire_date=dt.timedelta(days=1, seconds=1), seen_at=dt.timedelta(days=1))
    ended = SessionStore(store.session_key)
    assert ended.get(SESSION_KEY) is None
    assert ended.session_key is None
    assert account_sessions_get(keys=[(store.session_key, user.pk)]) == {}
    assert sessions_own(user_id=user.pk) == ()
    assert sessions_slide(keys=[store.session_key]) == 0, "it cannot be extended"


@pytest.mark.parametrize("jump", [dt.timedelta(days=2), dt.timedelta(days=-2)])
def test_session_expiry_ignores_the_process_clock(jump, monkeypatch):
    user = UserFactory()
    living, ended = begun(user), begun(user)
    moved_back(ended, expire_date=dt.timedelta(days=1, seconds=1))
    wrong = timezone.now() + jump
    monkeypatch.setattr("django.utils.timezone.now", lambda: wrong)
    monkeypatch.setattr("time.time", wrong.timestamp)
    again = SessionStore(living.session_key)
    assert again["something"] == "kept"
    again.save()
    sessions_slide(keys=[living.session_key])
    assert seconds_left(living) == pytest.approx(DAY, abs=5)
    assert SessionStore(ended.session_key).get("something") is None


def test_sessions_slide_extends_a_session_every_five_minutes():
    store = begun(UserFactory())
    moved_back(store, expire_date=dt.timedelta(hours=20))
    assert sessions_slide(keys=[store.session_key]) == 0, "it was extended less than five minutes ago"
    assert seconds_left(store) == pytest.approx(4 * HOUR, abs=5)
    moved_back(store, seen_at=dt.timedelta(minutes=6))
    assert sessions_slide(keys=[store.session_key, "another"]) == 1
    assert seconds_left(store) == pytest.approx(DAY, abs=5)


def test_session_ends_thirty_days_after_its_sign_in():
    store = begun(UserFactory(), remembered=True)
    moved_back(store, created_at=dt.timedelta(days=29), seen_at=dt.timedelta(hours=1))
    assert sessions_slide(keys=[store.session_key]) == 1
    assert seconds_left(store) == pytest.approx(DAY, abs=5)
    SessionStore(store.session_key).cycle_key()
    kept = AuthSession.objects.get()
    again = SessionStore(kept.key)
    again["something"] = "changed"
    again.save()
    assert seconds_left(again) == pytest.approx(DAY, abs=5), "a new key keeps the time of the sign-in"
    AuthSession.objects.all().delete()
    anonymous = begun()
    moved_back(anonymous, created_at=dt.timedelta(days=29))
    anonymous.cycle_key()
    with connection.cursor() as cursor:
        cursor.execute("SELECT extract(epoch FROM now() - created_at) FROM auth_sessions")
        assert cursor.fetchone()[0] == pytest.approx(0, abs=5), "the thirty days begin with the sign-in"


def test_cycle_key_ends_the_old_key_and_keeps_the_handle():
    user = UserFactory()
    store = begun(user)
    old, handle = store.session_key, AuthSession.objects.get().handle
    store.cycle_key()
    assert AuthSession.objects.get().handle == handle, "it is the same sign-in"
    assert sessions_existing(handles=[str(handle), str(uuid4())]) == {str(handle)}
    assert store.session_key != old
    assert store["something"] == "kept"
    assert SessionStore(old).get("something") is None
    assert account_sessions_get(keys=[(old, user.pk)]) == {}
    assert [row.key for row in AuthSession.objects.all()] == [store.session_key]


def test_deleted_session_cannot_be_saved():
    store = begun(UserFactory())
    other = SessionStore(store.session_key)
    assert other["something"] == "kept"
    store.delete()
    other["something"] = "changed"
    with pytest.raises(UpdateError):
        other.save()
    assert not AuthSession.objects.exists()
    flushed = begun(UserFactory())
    flushed.flush()
    assert flushed.is_empty()
    assert not AuthSession.objects.exists()


def test_sessions_prune_deletes_sessions_a_day_after_their_end():
    old, fresh = begun(), begun()
    moved_back(old, expire_date=dt.timedelta(days=2, seconds=1))
    moved_back(fresh, expire_date=dt.timedelta(days=1, seconds=1))
    assert sessions_prune() == 1
    assert [row.key for row in AuthSession.objects.all()] == [fresh.session_key]
    SessionStore.clear_expired()
    assert AuthSession.objects.exists()
    moved_back(fresh, expire_date=dt.timedelta(days=1))
    SessionStore.clear_expired()
    assert not AuthSession.objects.exists()


AGENTS = {
    FIREFOX: "Firefox on Linux",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) Version/17.5 Safari/604.1": "Safari on iPhone",
    "Mozilla/5.0 (Windows NT 10.0; Win64) Chrome/126.0.0.0 Safari/537.36 Edg/126.0": "Edge on Windows",
    "Mozilla/5.0 (Linux; Android 14) Chrome/126.0.0.0 Mobile Safari/537.36": "Chrome on Android",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Chrome/126 Safari/537 OPR/112": "Opera on macOS",
    "curl/8.5.0": "",
    "": "",
    "<script>Firefox/1": "Firefox",
}


def test_agent_name_is_the_browser_and_its_system():
    assert {agent: agent_name(agent) for agent in AGENTS} == AGENTS


def test_session_stores_its_browser_but_no_ip_address():
    with request_context(RequestContext(user_agent=FIREFOX)):
        store = begun(UserFactory())
    assert AuthSession.objects.get().agent == "Firefox on Linux"
    columns = {field.name for field in AuthSession._meta.get_fields()}
    moments = {"created_at", "seen_at", "expire_date"}
    assert columns == {"key", "handle", "user", "data", *moments, "remembered", "second_factor", "agent"}
    assert store.session_key not in str(AuthSession.objects.get())


def viewer_in(user, store) -> Viewer:
    return account_sessions_get(keys=[(store.session_key, user.pk)])[store.session_key].viewer


def test_sessions_are_listed_and_ended_only_by_their_owner(django_assert_num_queries):
    user, other = UserFactory(), UserFactory()
    current, second, other_session = begun(user), begun(user, remembered=True), begun(other)
    actor, other_viewer = viewer_in(user, current), viewer_in(other, other_session)
    with django_assert_num_queries(1):
        sessions = sessions_own(user_id=user.pk)
    assert {session.remembered for session in sessions} == {True, False}
    handle = next(session.handle for session in sessions if session.handle != actor.session)
    assert not session_end_own(actor=other_viewer, handle=handle)
    assert SessionStore(second.session_key).get("something") == "kept"
    assert session_end_own(actor=actor, handle=handle)
    assert not session_end_own(actor=actor, handle=handle)
    assert not session_end_own(actor=actor, handle=str(uuid4()))
    assert [session.handle for session in sessions_own(user_id=user.pk)] == [actor.session]
    assert SessionStore(other_session.session_key).get("something") == "kept"
    with pytest.raises(ValidationError):
        session_end_own(actor=actor, handle="no handle")
    with pytest.raises(PermissionDenied):
        session_end_own(actor=ANONYMOUS, handle=handle)
    for _ in range(3):
        begun(user)
    assert sessions_end_others(actor=actor) == 3
    assert {row.key for row in AuthSession.objects.all()} == {current.session_key, other_session.session_key}
    with pytest.raises(ValidationError):
        sessions_end_others(actor=Viewer(user.pk))
    with pytest.raises(PermissionDenied):
        sessions_end_others(actor=ANONYMOUS)


def test_new_password_ends_all_other_sessions():
    user = UserFactory()
    current = begun(user)
    begun(user)
    kept = viewer_in(user, current).session
    changed = password_set(account_id=user.pk, encoded=make_password("something else entirely"), keep=kept)
    assert changed.check_password("something else entirely")
    assert [row.key for row in AuthSession.objects.all()] == [current.session_key]
    password_set(account_id=user.pk, encoded=make_password("once more, and from the beginning"))
    assert not AuthSession.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_ended_sessions_publish_the_account_topic(listener):
    user = UserFactory()
    current = begun(user)
    actor = viewer_in(user, current)
    topic = {f"account.{user.pk}"}
    session_end_own(actor=actor, handle=str(uuid4()))
    assert listener.heard() == topic
    sessions_end_others(actor=actor)
    assert listener.heard() == topic
    password_set(account_id=user.pk, encoded=make_password("something else entirely"), keep=actor.session)
    assert listener.heard() == topic
    session_end(session=SessionStore(current.session_key), account_id=user.pk)
    assert listener.heard() == topic
