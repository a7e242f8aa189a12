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
    SIGN_IN_CODE,
    link_create,
)
from apps.accounts.models import User
from apps.accounts.services.accounts import account_create
from project.urls import urlpatterns
from tests.factories import PASSWORD, SessionFactory
from tests.mails import mails_settle
from tests.project.accounts.second_factors.setting_up import set_up
from tests.project.plain_browser import PlainBrowser
from tests.project.security.trying import changed, path_of, rows

pytestmark = pytest.mark.django_db(transaction=True)
ROLES = ("anonymous", "fan", "admin")
PURPOSES = (PASSWORD_RESET, EMAIL_CONFIRMATION, FIRST_FACTOR, SIGN_IN, SIGN_IN_CODE, REGISTERED_BROWSER)
ANSWERS = ("", "?code=made-up&state=made-up&finish=1", "?error=access_denied&state=made-up&finish=1", "?answer=made-up")


def signed_in(role: str) -> PlainBrowser:
    """Return a browser that has just signed in with this role. The administrator has a second factor."""
    browser = PlainBrowser()
    if role != "anonymous":
        account_create(email=f"{role}@example.org", password=PASSWORD, username=f"{role}_1", is_admin=role == "admin")
        assert browser.sign_in(f"{role}@example.org", PASSWORD).to == "/"
    if role == "admin":
        set_up(browser)
    browser.get("/login")  # shows and thereby removes waiting messages
    assert mails_settle()
    return browser


def queries(role: str) -> list[str]:
    """Return queries for the addresses: mailed links of every purpose, answers of Google, and none.

    The links are for the account of the role and for another one in turn, the other way round for the next role.
    """
    accounts = list(User.objects.order_by("pk"))
    turns = enumerate(PURPOSES, start=ROLES.index(role))
    keys = [link_create(purpose=purpose, account_id=accounts[turn % len(accounts)].pk) for turn, purpose in turns]
    return [*ANSWERS, *(f"?key={key}" for key in keys)]


@pytest.mark.parametrize("role", ROLES)
def test_opening_a_form_changes_no_row(transactional_db, role):
    browser = signed_in(role)
    account_create(email="other@example.org", password=PASSWORD, username="other", is_verified=False)
    session = settings.SESSION_COOKIE_NAME
    strings, key = queries(role), browser.client.cookies.get(session)
    ended = SessionFactory(ended_at=timezone.now())
    before = rows()
    for pattern in urlpatterns[:-1]:
        answers = [browser.client.get(f"{path_of(pattern, ended)}{query}") for query in strings]
        assert max(answer.status_code for answer in answers) < 500, pattern
        assert not [answer for answer in answers if session in answer.cookies], pattern
    assert changed(before, rows()) == []
    assert browser.client.cookies.get(session) == key
