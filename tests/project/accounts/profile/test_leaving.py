"""Ending sessions, exporting the data of an account, and deleting the account."""

import re
import time

import pytest
from django.test import Client

from apps.accounts.models import AuthSession, User
from tests.factories import PASSWORD
from tests.project.accounts.profile.posting import live, long_ago, seen, shown, signed_in
from tests.rate_limits import attempts_clear

pytestmark = pytest.mark.django_db(transaction=True)


def test_user_ends_one_session_or_all_other_sessions(browser: Client, fan: User):
    others = [signed_in(Client()) for _ in range(3)]
    own_key = browser.session.session_key
    handle = AuthSession.objects.exclude(key=own_key).order_by("created_at").first().handle
    assert str(handle) in seen(browser)
    page = shown(browser, browser.post("/profile/sessions/end", {"handle": str(handle)}))
    assert "That browser has been signed out." in page
    assert AuthSession.objects.filter(user=fan).count() == 3
    for ended in (str(handle), "unknown", ""):
        page = shown(browser, browser.post("/profile/sessions/end", {"handle": ended}))
        assert "That browser was signed out already." in page
    assert "You are signed out everywhere else." in shown(browser, browser.post("/profile/sessions/end-others"))
    assert [row.key for row in AuthSession.objects.filter(user=fan)] == [own_key]
    assert all(live(other, "/profile").status_code == 302 for other in others)


def test_data_can_be_exported_three_times_a_day(browser: Client):
    for _ in range(3):
        response = browser.post("/profile/export")
        assert response.status_code == 200
        assert response.json()["account"]["email"] == "fan@example.org"
        assert response["Content-Disposition"].startswith("attachment")
        assert response["Cache-Control"] == "no-store"
    assert "three times a day" in shown(browser, browser.post("/profile/export"))


def test_deletion_requires_the_password_limits_guesses_and_signs_out(browser: Client, fan: User):
    page = shown(browser, browser.post("/profile/delete", {"password": "wrong"}))
    assert re.search(r'id="leaving-password-error"[^>]*>Incorrect password. Account deletion canceled.', page)
    for _ in range(4):
        browser.post("/profile/delete", {"password": "wrong"})
    page = shown(browser, browser.post("/profile/delete", {"password": PASSWORD}))
    assert "Too many attempts. Please try again later." in page
    assert User.objects.filter(pk=fan.pk).exists()
    attempts_clear()
    response = browser.post("/profile/delete", {"password": PASSWORD})
    assert (response.status_code, response["Location"]) == (303, "/login")
    assert response["Clear-Site-Data"] == '"storage"'
    assert "Your account has been deleted." in browser.get("/login").content.decode()
    assert not User.objects.exists()
    assert not AuthSession.objects.exists()
    assert live(browser, "/profile").status_code == 302


def test_account_without_a_password_is_deleted_after_a_fresh_sign_in(browser: Client, fan: User):
    long_ago(browser)
    User.objects.filter(pk=fan.pk).update(password="!")
    fan.refresh_from_db()
    session = browser.session
    session["_auth_user_hash"] = fan.get_session_auth_hash()
    session.save()
    response = browser.post("/profile/delete")
    assert response["Location"] == "/reauthenticate?next=%2Fprofile%23leaving"
    for record in session["account_authentication_methods"]:
        record["at"] = time.time()
    session.save()
    assert browser.post("/profile/delete")["Location"] == "/login"
    assert not User.objects.exists()
