"""The session of a sign-in: its cookies and their lifetime, and how a request reads it with its account."""

import datetime as dt

import pytest
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY, get_user
from django.http import HttpRequest
from django.test import Client

from apps.accounts.models import AuthSession, User
from apps.accounts.selectors.sessions import NO_SESSION
from apps.accounts.services.accounts import account_create
from apps.accounts.services.sessions import sessions_prune
from apps.accounts.session_store import SessionStore
from apps.core.observability import RequestContext, request_context
from project.http.viewer import account_session_read
from tests.clock import clock_set
from tests.factories import PASSWORD, AdminFactory, UserFactory
from tests.offenders import check_each
from tests.serving import session_cookie

pytestmark = pytest.mark.django_db(transaction=True)
DAYS = 24 * 60 * 60  # seconds


def sign_in(client: Client, **form: str) -> str:
    """Sign in and return the session key."""
    answer = client.post("/login", {"login": "fan@example.org", "password": PASSWORD, **form})
    assert answer.status_code == 302, answer.content.decode()
    return str(client.cookies[settings.SESSION_COOKIE_NAME].value)


@pytest.mark.parametrize(("form", "cookie_age", "row_days"), [({}, "", 1), ({"remember": "on"}, 30 * DAYS, 14)])
def test_remember_me_extends_the_cookie_and_the_row(fan: User, client: Client, form, cookie_age, row_days):
    sign_in(client, **form)
    cookie = client.cookies[settings.SESSION_COOKIE_NAME]
    assert (cookie["max-age"], cookie["httponly"], cookie["samesite"], cookie["path"]) == (cookie_age, True, "Lax", "/")
    row = AuthSession.objects.get()
    assert row.remembered is bool(form)
    assert (row.expire_date - row.created_at).total_seconds() == pytest.approx(row_days * DAYS, abs=60)


def test_sign_in_replaces_a_planted_session_key(fan: User, client: Client):
    planted = SessionStore()
    planted["something"] = "kept"
    planted.create()
    client.cookies[settings.SESSION_COOKIE_NAME] = planted.session_key
    key = sign_in(client)
    assert key != planted.session_key
    assert client.session["something"] == "kept"
    assert account_session_read(key).viewer.username == "fan_of_g"
    assert not account_session_read(planted.session_key).viewer.is_signed_in
    assert [row.key for row in AuthSession.objects.all()] == [key]


def test_next_account_in_the_browser_gets_an_empty_session(fan: User, client: Client):
    first = sign_in(client)
    session = client.session
    session["something"] = "private"
    session.save()
    account_create(email="other@example.org", password=PASSWORD, username="other_fan")
    client.post("/sign-out", headers={"origin": settings.PUBLIC_URL})
    assert not AuthSession.objects.exists()
    client.post("/login", {"login": "other@example.org", "password": PASSWORD})
    assert "something" not in client.session
    assert client.session.session_key != first


def test_session_that_a_wrong_clock_ended_works_again_when_the_clock_is_right(fan: User, client: Client):
    ahead, gone = dt.timedelta(days=1, minutes=1), Client()
    keys = [sign_in(browser) for browser in (client, gone)]
    clock_set(ahead)
    assert not account_session_read(keys[0]).viewer.is_signed_in
    assert client.get("/login").status_code == 200, "it asks for the password"
    assert client.cookies[settings.SESSION_COOKIE_NAME].value == keys[0], "the browser keeps the cookie"
    gone.post("/sign-out", headers={"origin": settings.PUBLIC_URL})
    assert gone.cookies[settings.SESSION_COOKIE_NAME].value == ""
    sessions_prune()
    clock_set(-ahead)
    assert [account_session_read(key).viewer.username for key in keys] == ["fan_of_g", ""]
    assert client.get("/login").status_code == 302, "it is signed in"
    clock_set(dt.timedelta(days=3))
    assert sessions_prune() == 1
    client.get("/login")
    assert client.cookies[settings.SESSION_COOKIE_NAME].value == "", "its row is deleted"


def test_new_session_stores_the_name_of_its_browser(fan: User):
    agent = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"
    with request_context(RequestContext(user_agent=agent)):
        sign_in(Client())
    assert AuthSession.objects.get().agent == "Firefox on Linux"


def test_message_is_kept_in_its_own_cookie_until_it_is_shown(fan: User, client: Client):
    client.post("/profile/export")  # the answer sets a message for the sign-in page
    cookie = client.cookies[settings.MESSAGE_COOKIE_NAME]
    assert (cookie["httponly"], cookie["samesite"], cookie["path"], cookie["domain"]) == (True, "Lax", "/", "")
    client.get("/login")
    assert client.cookies[settings.MESSAGE_COOKIE_NAME].value == ""


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
