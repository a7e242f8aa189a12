"""Anonymous visitors, forged forms and other accounts cannot use the forms of a profile."""

import pytest
from django.conf import settings
from django.test import Client

from apps.accounts.models import User
from apps.accounts.services.accounts import account_create
from tests.factories import PASSWORD
from tests.project.accounts.profile.posting import FORMS, TOKEN, live, seen, signed_in, typed

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("form", FORMS)
def test_strangers_are_sent_to_the_door_and_told_why(client: Client, form):
    answer = client.post(f"/profile/{form}")
    assert (answer.status_code, answer["Location"]) == (303, "/login?next=%2Fprofile")
    assert "Not authenticated" in client.get(answer["Location"]).content.decode()


@pytest.mark.parametrize("form", FORMS)
def test_an_account_that_was_closed_meanwhile_does_nothing(browser: Client, fan: User, form):
    User.objects.filter(pk=fan.pk).update(is_active=False)
    assert browser.post(f"/profile/{form}", {"password": PASSWORD})["Location"] == "/login?next=%2Fprofile"


@pytest.mark.parametrize("form", FORMS)
def test_a_form_is_posted_and_never_looked_at(browser: Client, form):
    assert browser.get(f"/profile/{form}")["Location"] == "/profile"


@pytest.mark.parametrize("form", FORMS)
def test_a_forged_post_does_nothing(fan: User, form):
    strict = Client(enforce_csrf_checks=True)
    entrance = strict.get("/login").content.decode()
    signed = strict.post(
        "/login",
        {"login": "fan@example.org", "password": PASSWORD, "csrfmiddlewaretoken": TOKEN.findall(entrance)[0]},
    )
    assert signed.status_code == 302, signed.content
    assert strict.post(f"/profile/{form}", {"password": PASSWORD}).status_code == 403
    foreign = Client(enforce_csrf_checks=True)
    stolen = TOKEN.findall(foreign.get("/login").content.decode())[0]
    assert strict.post(f"/profile/{form}", {"csrfmiddlewaretoken": stolen}).status_code == 403
    own = set(TOKEN.findall(seen(strict)))
    assert len(own) == 1
    assert strict.post(f"/profile/{form}", {"csrfmiddlewaretoken": own.pop()}).status_code in (200, 303)


def test_a_page_gives_whoever_is_signed_in_a_cookie_for_its_forms(fan: User):
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


def test_answers_of_others_are_not_shown(browser: Client):
    account_create(email="other@example.org", password=PASSWORD, username="other_fan")
    other = Client()
    other.post("/login", {"login": "other@example.org", "password": PASSWORD})
    answer = other.post("/profile/settings", typed(username="x"))
    page = seen(browser, answer["Location"])
    assert "Username must be at least 3 characters long" not in page
    for nonsense in ("1", "%00", "a" * 36):
        assert live(browser, f"/profile?answer={nonsense}").status_code == 200
