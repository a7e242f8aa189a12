"""The session of a request is read with its account in one query, and accepted as Django's `get_user` accepts it."""

import pytest
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY, get_user
from django.http import HttpRequest

from apps.accounts.models import AuthSession, User
from apps.accounts.selectors.sessions import NO_SESSION
from apps.accounts.session_store import SessionStore
from project.http.viewer import account_session_read
from tests.factories import AdminFactory, UserFactory
from tests.offenders import check_each
from tests.serving import session_cookie

pytestmark = pytest.mark.django_db
MODEL_BACKEND = "django.contrib.auth.backends.ModelBackend"  # Django has it, the settings do not


def key_of(user: User) -> str:
    return session_cookie(user).partition("=")[2]


def store(key: str, name: str, value: str) -> None:
    """Store another value in the signed data of a session."""
    session = SessionStore(key)
    session[name] = value
    session.save()


@pytest.mark.parametrize("factory", [UserFactory, AdminFactory])
def test_session_and_account_are_read_in_one_query(factory, django_assert_num_queries):
    user = factory(avatar_url="https://example.org/a.png")
    key = key_of(user)
    with django_assert_num_queries(1):
        viewer = account_session_read(key).viewer
    assert (viewer.id, viewer.username, viewer.is_admin) == (user.pk, user.username, user.is_admin)
    assert (viewer.avatar_url, viewer.session) == (user.avatar_url, str(AuthSession.objects.get().handle))


def other_account() -> User:
    """Return an account with another password."""
    other = UserFactory()
    other.password = "another"
    other.save()
    return other


CHANGES = {
    "closed": lambda _key, user: User.objects.filter(pk=user.pk).update(is_active=False),
    "deleted": lambda _key, user: user.delete(),
    "another password": lambda _key, user: User.objects.filter(pk=user.pk).update(password="another"),
    "expired": lambda _key, _user: AuthSession.objects.update(expire_date="2020-01-01T00:00Z"),
    "another backend": lambda key, _user: store(key, BACKEND_SESSION_KEY, MODEL_BACKEND),
    "no hash": lambda key, _user: store(key, HASH_SESSION_KEY, ""),
    "another hash": lambda key, _user: store(key, HASH_SESSION_KEY, other_account().get_session_auth_hash()),
    "another account": lambda key, _user: store(key, SESSION_KEY, str(other_account().pk)),
}


def test_session_that_django_refuses_signs_in_no_account():
    def check(name: str) -> None:
        user = UserFactory()
        key = key_of(user)
        CHANGES[name](key, user)
        request = HttpRequest()
        request.session = SessionStore(key)
        assert account_session_read(key) == NO_SESSION
        assert not get_user(request).is_authenticated

    check_each(CHANGES, check)


def test_signed_data_decides_the_account_not_the_row():
    user, other = UserFactory(), UserFactory()
    key = key_of(user)
    AuthSession.objects.filter(key=key).update(user=other)
    assert account_session_read(key).viewer.id == user.pk
