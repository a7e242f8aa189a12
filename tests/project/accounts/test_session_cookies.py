"""The cookies of a sign-in: their lifetime, and the session key that they hold."""

import datetime as dt

import pytest
from django.conf import settings
from django.test import Client

from apps.accounts.models import AuthSession, User
from apps.accounts.services.accounts import account_create
from apps.accounts.services.sessions import sessions_prune
from apps.accounts.session_store import SessionStore
from apps.core.observability import RequestContext, request_context
from project.http.viewer import account_session_read
from tests.clock import clock_set
from tests.factories import PASSWORD

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
