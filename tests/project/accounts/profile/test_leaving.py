"""Ending sessions, exporting the data of an account, and deleting the account."""

import re
import time

import pytest
from django.test import Client

from apps.accounts.models import AuthSession, User
from apps.accounts.services.accounts import account_create
from tests.factories import PASSWORD
from tests.project.accounts.profile.posting import live, long_ago, seen, shown, signed_in

pytestmark = pytest.mark.django_db(transaction=True)


def test_one_ends_another_session_or_all_others(browser: Client, fan: User):
    others = [signed_in(Client()) for _ in range(3)]
    here = browser.session.session_key
    handle = AuthSession.objects.exclude(key=here).order_by("created_at").first().handle
    assert str(handle) in seen(browser)
    page = shown(browser, browser.post("/profile/sessions/end", {"handle": str(handle)}))
    assert "That browser has been signed out." in page
    assert AuthSession.objects.filter(user=fan).count() == 3
    for nonsense in (str(handle), "nonsense", ""):
        page = shown(browser, browser.post("/profile/sessions/end", {"handle": nonsense}))
        assert "That browser was signed out already." in page
    assert "You are signed out everywhere else." in shown(browser, browser.post("/profile/sessions/end-others"))
    assert [row.key for row in AuthSession.objects.filter(user=fan)] == [here]
    assert all(live(other, "/profile").status_code == 302 for other in others)


def test_nobody_ends_sessions_of_others(browser: Client, fan: User):
    account_create(email="other@example.org", password=PASSWORD, username="other_fan")
    other = Client()
    other.post("/login", {"login": "other@example.org", "password": PASSWORD})
    handle = AuthSession.objects.get(key=other.session.session_key).handle
    shown(browser, browser.post("/profile/sessions/end", {"handle": str(handle)}))
    assert live(other, "/profile").status_code == 200


def test_one_takes_ones_data_along_three_times_a_day(browser: Client):
    for _ in range(3):
        answer = browser.post("/profile/export")
        assert answer.status_code == 200
        assert answer.json()["account"]["email"] == "fan@example.org"
        assert answer["Content-Disposition"].startswith("attachment")
        assert answer["Cache-Control"] == "no-store"
    assert "three times a day" in shown(browser, browser.post("/profile/export"))


@pytest.mark.parametrize(
    ("password", "words"),
    [
        ("", "Please enter your password to confirm deletion"),
        ("wrong", "Incorrect password. Account deletion canceled."),
    ],
)
def test_without_the_password_an_account_stays(browser: Client, fan: User, password, words):
    page = shown(browser, browser.post("/profile/delete", {"password": password}))
    assert re.search(rf'id="leaving-password-error"[^>]*>{words}', page)
    assert User.objects.filter(pk=fan.pk).exists()


def test_passwords_are_not_guessed_on_the_profile(browser: Client, fan: User):
    for _ in range(5):
        browser.post("/profile/delete", {"password": "wrong"})
    page = shown(browser, browser.post("/profile/delete", {"password": PASSWORD}))
    assert "Too many attempts. Please try again later." in page
    assert User.objects.filter(pk=fan.pk).exists()


def test_leaving_ends_with_a_sentence_at_the_door(browser: Client, fan: User):
    answer = browser.post("/profile/delete", {"password": PASSWORD})
    assert (answer.status_code, answer["Location"]) == (303, "/login")
    assert answer["Clear-Site-Data"] == '"storage"'
    assert "Your account has been deleted." in browser.get("/login").content.decode()
    assert not User.objects.exists()
    assert not AuthSession.objects.exists()
    assert live(browser, "/profile").status_code == 302


def test_an_account_without_a_password_confirms_by_a_fresh_sign_in(browser: Client, fan: User):
    session = browser.session
    long_ago(browser)
    User.objects.filter(pk=fan.pk).update(password="!")
    fan.refresh_from_db()
    session = browser.session
    session["_auth_user_hash"] = fan.get_session_auth_hash()
    session.save()
    answer = browser.post("/profile/delete")
    assert answer["Location"] == "/reauthenticate?next=%2Fprofile%23leaving"
    for record in session["account_authentication_methods"]:
        record["at"] = time.time()
    session.save()
    assert browser.post("/profile/delete")["Location"] == "/login"
    assert not User.objects.exists()
