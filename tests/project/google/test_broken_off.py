"""Answers of Google that are refused, and ways that break off."""

import re
import urllib.parse

import pytest

from apps.accounts.models import AuthSession, User
from apps.accounts.services import account_create
from tests.factories import PASSWORD
from tests.project.doors import Door, Seen
from tests.project.google.coming import ERROR, answered, begun, finished

pytestmark = pytest.mark.django_db(transaction=True)
UNEXPECTED = "Unexpected error. Redirecting to login..."


def failing(seen: Seen, words: str = ERROR) -> bool:
    assert words in seen.text
    assert "Return to login" in seen.text
    assert seen.headers["Refresh"] == "3; url=/login"
    return not AuthSession.objects.filter(user__isnull=False).exists()


def test_refused_by_the_person(google):
    door = Door()
    asked = begun(door).to
    state = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(asked).query))["state"]
    back = answered(asked, action="deny")
    assert "error=access_denied" in back
    assert failing(finished(door, back))
    assert failing(finished(door, f"/auth/callback?error=access_denied&state={state}"))


@pytest.mark.parametrize(
    "query", ["error=server_error", "error=server_error&state=made-up", "code=made-up", "code=made-up&state=made-up"]
)
def test_answers_that_nobody_asked_for_are_refused(google, query):
    assert failing(finished(Door(), f"/auth/callback?{query}"))


def test_wrong_state_is_refused_though_the_code_is_right(google):
    door = Door()
    back = re.sub(r"state=\w", "state=_", answered(begun(door).to, sub="1001"))
    assert failing(finished(door, back))
    assert not User.objects.exists()


def test_right_state_with_a_made_up_code_is_refused(google):
    door = Door()
    back = re.sub(r"code=\w+", "code=madeup", answered(begun(door).to, sub="1001"))
    assert failing(finished(door, back))


def test_replayed_answer_is_refused(google):
    door = Door()
    back = answered(begun(door).to, sub="1001")
    assert finished(door, back).to == "/"
    AuthSession.objects.all().delete()
    assert failing(finished(door, back))
    assert failing(finished(Door(), back))


def test_another_browsers_answer_is_refused(google):
    back = answered(begun(Door()).to, sub="1001")
    other = Door()
    begun(other)
    assert failing(finished(other, back))
    assert not User.objects.exists()


def test_google_that_is_away_ends_nothing_but_this(nobody_listens):
    door = Door()
    asked = begun(door).to
    state = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(asked).query))["state"]
    assert failing(finished(door, f"/auth/callback?code=any&state={state}"))
    account_create(email="fan@example.org", password=PASSWORD, username="fan")
    assert door.sign_in("fan@example.org", PASSWORD).to == "/"


def test_what_breaks_off_is_said_and_logged(google, monkeypatch, caplog):
    door = Door()
    back = answered(begun(door).to, sub="1001")

    def broken(**_):
        raise OSError("away")

    monkeypatch.setattr("apps.accounts.social.account_create_linked", broken)
    assert failing(finished(door, back), UNEXPECTED)
    assert "a sign-in with Google broke off" in [each.message for each in caplog.records]
    assert not User.objects.exists()


def test_a_way_that_cannot_begin_says_so(google, monkeypatch, caplog):
    door = Door()

    def broken(*_, **__):
        raise OSError("away")

    monkeypatch.setattr("allauth.socialaccount.internal.statekit.stash_state", broken)
    assert begun(door, "/login?next=/news").to == "/login?next=%2Fnews"
    assert "Unexpected error during login. Please try again." in door.get("/login").text
    assert begun(door, "/register").to == "/register"
    assert "Failed to sign in with Google" in door.get("/register").text
    assert "a way to Google could not be begun" in [each.message for each in caplog.records]


def test_ways_to_google_are_counted(google):
    door = Door()
    assert {begun(door).to[:4] for _ in range(30)} == {"http"}
    assert begun(door).to == "/login"
    assert "Too many attempts. Please try again later." in door.get("/login").text
