"""A registration never redirects to another site, whatever `next` contains."""

import pytest
from django.db import IntegrityError

from apps.accounts.mail import EMAIL_CONFIRMATION, link_create
from apps.accounts.models import Mail, OneTimeLink
from apps.accounts.services.accounts import account_create
from apps.core.limits import ADDRESS_LENGTH
from tests.factories import PASSWORD
from tests.project.accounts.test_registration_next import EMAIL, NAME, registered
from tests.project.plain_browser import PlainBrowser, link_in, mails

pytestmark = pytest.mark.django_db(transaction=True)
ELSEWHERE = ("https://evil.example/", "//evil.example/", "/\\evil.example", "/%2f/evil.example", "/%5cevil.example",
             "javascript:alert(1)", "///evil.example", "/\t/evil.example", "/a\r\nSet-Cookie:x=1", "evil.example",
             "/" + "a" * ADDRESS_LENGTH)  # fmt: skip


@pytest.mark.parametrize("evil", ELSEWHERE)
def test_nothing_leads_off_the_site(evil):
    browser = PlainBrowser()
    page = browser.get("/register")
    token = page.fields["csrfmiddlewaretoken"]["value"]
    typed = {"email": EMAIL, "username": NAME, "password1": PASSWORD, "next": evil, "csrfmiddlewaretoken": token}
    assert browser._seen(browser.client.post("/register", typed)).to == "/register/sent"
    (message,) = mails()
    assert [*OneTimeLink.objects.exclude(next_path="").values()] == []
    link = link_in(message)
    seen = browser._seen(browser.client.post(link, {"csrfmiddlewaretoken": token, "next": evil}))
    assert (seen.status, seen.to) == (302, "/")


@pytest.mark.parametrize("evil", [each for each in ELSEWHERE if each != "evil.example" and len(each) < 99])
def test_the_log_in_of_an_account_that_waits_leads_nowhere_else_either(evil):
    registered("")
    browser = PlainBrowser()
    token = browser.get("/login").fields["csrfmiddlewaretoken"]["value"]
    typed = {"login": EMAIL, "password": PASSWORD, "next": evil, "csrfmiddlewaretoken": token}
    assert browser._seen(browser.client.post("/login", typed)).to == "/verify-email/sent"
    assert not Mail.objects.exclude(context__next="").filter(context__has_key="next").exists()


@pytest.mark.parametrize("path", ["//evil.example", "https://evil.example", "/\\evil", "news"])
def test_the_database_keeps_no_link_that_leads_elsewhere(path):
    user = account_create(email=EMAIL, password=PASSWORD, username=NAME)
    with pytest.raises(IntegrityError, match="link_leads_to_this_site"):
        link_create(purpose=EMAIL_CONFIRMATION, account_id=user.pk, next_path=path)
