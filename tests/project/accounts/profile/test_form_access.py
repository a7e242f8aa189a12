"""Anonymous visitors, forged forms and other accounts cannot use the forms of a profile."""

import pytest
from django.conf import settings
from django.test import Client

from apps.accounts.models import User
from tests.factories import PASSWORD
from tests.offenders import check_each
from tests.project.accounts.profile.posting import FORMS, TOKEN, live, signed_in

pytestmark = pytest.mark.django_db(transaction=True)


def test_forms_require_an_open_account(browser: Client, fan: User):
    def check(form: str) -> None:
        anonymous = Client()
        response = anonymous.post(f"/profile/{form}")
        assert (response.status_code, response["Location"]) == (303, "/login?next=%2Fprofile")
        assert "Not authenticated" in anonymous.get(response["Location"]).content.decode()
        assert browser.get(f"/profile/{form}")["Location"] == "/profile"

    check_each(FORMS, check)
    User.objects.filter(pk=fan.pk).update(is_active=False)
    responses = [browser.post(f"/profile/{form}", {"password": PASSWORD}) for form in FORMS]
    assert {response["Location"] for response in responses} == {"/login?next=%2Fprofile"}


def test_page_sets_the_csrf_cookie_of_a_signed_in_user(fan: User):
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = signed_in(Client()).cookies
    del strict.cookies[settings.CSRF_COOKIE_NAME]
    page = live(strict, "/profile")
    assert page["Set-Cookie"].startswith(f"{settings.CSRF_COOKIE_NAME}=")
    assert {"HttpOnly", "Path=/", "SameSite=Lax"} <= set(page["Set-Cookie"].split("; "))
    token = TOKEN.findall(page.content.decode())[0]
    assert strict.post("/profile/export", {"csrfmiddlewaretoken": token}).status_code == 200
    assert "Set-Cookie" not in live(strict, "/profile"), "it has one"
    strict.cookies[settings.CSRF_COOKIE_NAME] = "short"
    assert "Set-Cookie" in live(strict, "/profile")
