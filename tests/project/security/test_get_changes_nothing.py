"""GET requests change neither a row nor the session cookie, for any role and any query."""

import pytest
from django.conf import settings
from django.utils import timezone

from apps.accounts.mail import (
    EMAIL_CONFIRMATION,
    FIRST_FACTOR,
    PASSWORD_RESET,
    REGISTERED_BROWSER,
    SIGN_IN,
    link_create,
)
from apps.accounts.models import User
from apps.accounts.services.accounts import account_create
from apps.core.threads import in_thread
from project.http.page_view import page_response
from project.process.web_process import process
from project.urls import urlpatterns
from tests.factories import PASSWORD, SessionFactory
from tests.mails import mails_settle
from tests.project.accounts.second_factors.setting_up import set_up
from tests.project.plain_browser import PlainBrowser
from tests.project.security.addresses import addresses
from tests.project.security.trying import changed, path_of, rows
from tests.serving import serving, session_cookie

pytestmark = pytest.mark.django_db(transaction=True)
PURPOSES = (PASSWORD_RESET, EMAIL_CONFIRMATION, FIRST_FACTOR, SIGN_IN, REGISTERED_BROWSER)
ANSWERS = ("", "?code=made-up&state=made-up&finish=1", "?error=access_denied&state=made-up&finish=1", "?answer=made-up")


def signed_in(role: str) -> PlainBrowser:
    """Return a browser that has just signed in with this role. The administrator has a second factor."""
    plain_browser = PlainBrowser()
    if role != "stranger":
        account_create(email=f"{role}@example.org", password=PASSWORD, username=f"{role}_1", is_admin=role == "admin")
        assert plain_browser.sign_in(f"{role}@example.org", PASSWORD).to == "/"
    if role == "admin":
        set_up(plain_browser)
    plain_browser.get("/login")  # shows and thereby removes waiting messages
    assert mails_settle()
    return plain_browser


def queries() -> list[str]:
    """Return queries for the addresses: mailed links for every account, answers of Google, and none."""
    mailed = [link_create(purpose=each, account_id=user.pk) for user in User.objects.all() for each in PURPOSES]
    return [*ANSWERS, *(f"?key={key}" for key in mailed)]


@pytest.mark.parametrize("role", ["stranger", "fan", "admin"])
def test_no_form_changes_anything_by_being_opened(transactional_db, role):
    plain_browser = signed_in(role)
    account_create(email="other@example.org", password=PASSWORD, username="other", is_verified=False)
    session = settings.SESSION_COOKIE_NAME
    asked, key = queries(), plain_browser.client.cookies.get(session)
    ended = SessionFactory(ended_at=timezone.now())
    for pattern in urlpatterns[:-1]:
        before = rows()
        answers = [plain_browser.client.get(f"{path_of(pattern, ended)}{query}") for query in asked]
        assert max(each.status_code for each in answers) < 500, pattern
        assert changed(before, rows()) == [], pattern
        assert not [each for each in answers if session in each.cookies], pattern
    assert plain_browser.client.cookies.get(session) == key


@pytest.mark.parametrize("role", ["stranger", "fan", "administrator"])
async def test_no_page_changes_anything_by_being_opened(people, role):
    user = getattr(people, role)
    cookie = [(b"cookie", (await in_thread(lambda: session_cookie(user))).encode())] if user else []
    async with serving():
        assert process.bus.connected.is_set()
        for address in addresses(people):
            before = await in_thread(rows)
            response = await page_response(address, cookie)
            assert changed(before, await in_thread(rows)) == [], address
            assert settings.SESSION_COOKIE_NAME not in response.cookies
