"""The cookies of a sign-in: their lifetime, and the session key that they hold."""

import pytest
from django.conf import settings
from django.test import Client

from apps.accounts.models import AuthSession, User
from apps.accounts.services.accounts import account_create
from apps.accounts.session_store import SessionStore
from apps.core.observability import RequestContext, request_context
from apps.core.threads import in_thread
from project.http.viewer import account_session_read
from project.limits.rates import SIGNED_OUT
from tests.factories import PASSWORD
from tests.screen import Screen
from tests.serving import serving

pytestmark = pytest.mark.django_db(transaction=True)
DAYS = 24 * 60 * 60  # seconds


@pytest.fixture
def fan() -> User:
    return account_create(email="fan@example.org", password=PASSWORD, username="fan_of_g")


def sign_in(client: Client, **typed: str) -> str:
    """Sign in and return the session key."""
    answer = client.post("/login", {"login": "fan@example.org", "password": PASSWORD, **typed})
    assert answer.status_code == 302, answer.content.decode()
    return str(client.cookies[settings.SESSION_COOKIE_NAME].value)


def test_without_remember_me_the_browser_forgets_and_the_row_rests_for_a_day(fan: User, client: Client):
    sign_in(client)
    assert client.cookies[settings.SESSION_COOKIE_NAME]["max-age"] == ""
    row = AuthSession.objects.get()
    assert not row.remembered
    assert (row.expire_date - row.created_at).total_seconds() == pytest.approx(DAYS, abs=60)


def test_with_remember_me_the_cookie_stays_for_thirty_days_and_the_row_rests_for_two_weeks(fan: User, client: Client):
    sign_in(client, remember="on")
    cookie = client.cookies[settings.SESSION_COOKIE_NAME]
    assert cookie["max-age"] == 30 * DAYS
    assert (cookie["httponly"], cookie["samesite"], cookie["path"]) == (True, "Lax", "/")
    row = AuthSession.objects.get()
    assert row.remembered
    assert (row.expire_date - row.created_at).total_seconds() == pytest.approx(14 * DAYS, abs=60)


def test_signing_in_gives_another_key_than_the_one_that_was_brought(fan: User, client: Client):
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


def test_somebody_else_at_the_same_browser_finds_nothing(fan: User, client: Client):
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


def sign_out(key: str) -> None:
    """Sign out with this session key."""
    client = Client()
    client.cookies[settings.SESSION_COOKIE_NAME] = key
    assert client.post("/sign-out", headers={"origin": settings.PUBLIC_URL}).status_code == 302


async def test_a_key_that_was_signed_out_opens_neither_page_nor_socket(fan: User):
    key = await in_thread(lambda: sign_in(Client()))
    async with serving():
        window = Screen(f"{settings.SESSION_COOKIE_NAME}={key}")
        await window.load("/profile")
        assert window.path == "/profile"
        await in_thread(lambda: sign_out(key))
        with pytest.raises(AssertionError, match=f"closed with {SIGNED_OUT}"):
            await window.until("words that are nowhere")
        await window.load("/profile")
        assert window.path == "/login?next=%2Fprofile"
        await window.load("/contact")
        await window.go("/profile")
        assert window.path == "/login?next=%2Fprofile"
        await window.leave()


def test_a_session_that_begins_knows_its_browser(fan: User):
    agent = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"
    with request_context(RequestContext(user_agent=agent)):
        sign_in(Client())
    assert AuthSession.objects.get().agent == "Firefox on Linux"


def test_what_is_said_once_travels_in_the_cookie_of_that_name(fan: User, client: Client):
    client.post("/profile/export")  # the answer sets a message for the sign-in page
    told = client.cookies[settings.MESSAGE_COOKIE_NAME]
    assert (told["httponly"], told["samesite"], told["path"], told["domain"]) == (True, "Lax", "/", "")
    client.get("/login")
    assert client.cookies[settings.MESSAGE_COOKIE_NAME].value == ""
