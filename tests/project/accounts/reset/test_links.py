"""A password reset link: what it changes, for which account, how long it is valid, and its three error texts."""

import pytest
from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.core.exceptions import ValidationError
from django.db import OperationalError

from apps.accounts.models import AuthSession
from apps.accounts.services.accounts import account_create
from apps.accounts.services.profile import password_set
from tests.apps.accounts.test_links import older
from tests.factories import PASSWORD
from tests.project.accounts.reset.resetting import EMAIL, NEW, UNUSABLE, link, reset
from tests.project.plain_browser import PlainBrowser, mails

pytestmark = pytest.mark.django_db(transaction=True)
MISSING = "Invalid or missing reset tokens. Please request a new password reset."
UPDATED = "Password updated successfully! Please log in with your new password."


def test_from_forgetting_to_signing_in(fan):
    plain_browser, before = PlainBrowser(), PlainBrowser()
    before.sign_in(EMAIL, PASSWORD)
    seen = reset(plain_browser, link("Fan@Example.org"))
    assert (seen.status, seen.to) == (302, "/reset-password/done")
    done = plain_browser.get(seen.to)
    assert UPDATED in done.text
    assert done.headers["Refresh"] == "2; url=/login"
    assert UPDATED in plain_browser.get("/login").text
    assert plain_browser.user_id == before.user_id == ""
    assert "Invalid login credentials. Please try again." in plain_browser.sign_in(EMAIL, PASSWORD).text
    assert plain_browser.sign_in(EMAIL, NEW).to == "/"
    (told,) = mails()
    assert (told.to, told.subject) == ([EMAIL], "Your password was changed")
    assert "key=" not in told.body


def test_a_link_works_once(fan):
    path, plain_browser = link(), PlainBrowser()
    reset(plain_browser, path)
    for other in (plain_browser, PlainBrowser()):
        seen = other.get(path)
        assert (seen.status, UNUSABLE in seen.text) == (200, True)
    assert MISSING in plain_browser.get("/reset-password").text


def test_following_a_link_changes_nothing_but_a_cookie(fan):
    path, plain_browser = link(), PlainBrowser()
    plain_browser.sign_in(EMAIL, PASSWORD, path="/login")
    path = link()  # the sign-in has invalidated the previous link
    session = plain_browser.client.cookies[settings.SESSION_COOKIE_NAME].value
    before = AuthSession.objects.values().get()
    arrived = plain_browser.get(path)
    assert (arrived.status, arrived.to) == (302, "/reset-password")
    assert plain_browser.get(arrived.to).fields["password1"]
    assert plain_browser.user_id == str(fan.pk)
    assert plain_browser.client.cookies[settings.SESSION_COOKIE_NAME].value == session
    assert AuthSession.objects.values().get() == before
    kept = plain_browser.client.cookies[settings.RESET_COOKIE_NAME]
    assert (kept["httponly"], kept["samesite"], kept["max-age"], kept["path"]) == (True, "Lax", 3600, "/")
    done = plain_browser.post("/reset-password", password1=NEW, password2=NEW)
    assert (done.to, done.headers["Clear-Site-Data"]) == ("/reset-password/done", '"storage"')
    assert plain_browser.user_id == ""
    assert plain_browser.client.cookies[settings.RESET_COOKIE_NAME].value == ""
    assert not AuthSession.objects.exists()


@pytest.mark.parametrize("destination", ["image", "iframe", "script", "empty", "embed"])
def test_a_link_is_for_a_document_only(fan, destination):
    path, plain_browser = link(), PlainBrowser(headers={"sec-fetch-dest": destination})
    seen = plain_browser.get(path)
    assert seen.status == 403
    assert settings.RESET_COOKIE_NAME not in plain_browser.client.cookies
    assert PlainBrowser(headers={"sec-fetch-dest": "document"}).get(path).to == "/reset-password"


def test_of_two_who_follow_the_same_link_one_sets_a_password(fan):
    path, first, second = link(), PlainBrowser(), PlainBrowser()
    for plain_browser in (first, second):
        plain_browser.get(path)
    asked = second.get("/reset-password")
    assert first.post("/reset-password", password1=NEW, password2=NEW).to == "/reset-password/done"
    typed = {
        "csrfmiddlewaretoken": asked.fields["csrfmiddlewaretoken"]["value"],
        "password1": "ours",
        "password2": "ours",
    }
    assert UNUSABLE in second._seen(second.client.post("/reset-password", typed)).text
    assert PlainBrowser().sign_in(EMAIL, NEW).to == "/"


def test_a_link_that_was_used_meanwhile_sets_no_password(fan):
    key = link().partition("=")[2]
    password_set(account_id=fan.pk, encoded=make_password(NEW), link=key)
    with pytest.raises(ValidationError, match=UNUSABLE):
        password_set(account_id=fan.pk, encoded=make_password("another-pedal"), link=key)
    assert PlainBrowser().sign_in(EMAIL, NEW).to == "/"


def test_a_new_password_ends_every_link_to_one(fan):
    paths = [link(), link()]
    reset(PlainBrowser(), paths[0])
    assert UNUSABLE in PlainBrowser().get(paths[1]).text


def test_a_newer_sign_in_makes_the_link_useless(fan):
    path = link()
    PlainBrowser().sign_in(EMAIL, PASSWORD)
    assert UNUSABLE in PlainBrowser().get(path).text


def test_a_link_works_for_an_hour_by_the_databases_clock(fan, monkeypatch):
    path = link()
    older(59 * 60)
    monkeypatch.setattr("time.time", lambda: 0.0)
    assert PlainBrowser().get(path).status == 302
    monkeypatch.undo()
    plain_browser = PlainBrowser()
    plain_browser.get(path)
    older(2 * 60)
    assert UNUSABLE in PlainBrowser().get(path).text
    assert UNUSABLE in plain_browser.get("/reset-password").text  # an open form is invalid too


@pytest.mark.parametrize(
    "path",
    [
        "?key=",
        "?key=nonsense",
        "?key=1-abc-def",
        "?key=zzzzzzzzzzzzzzz-abc-def",
        "?access_token=a&refresh_token=b",
        "?refresh_token=b",
        "?key=%00",
    ],
)
def test_a_link_that_does_not_hold_is_told(path):
    seen = PlainBrowser().get(f"/reset-password{path}")
    assert (seen.status, UNUSABLE in seen.text) == (200, True)
    assert 'href="/forgot-password"' in seen.html
    assert "password1" not in seen.fields


def test_another_accounts_key_is_not_mine(fan):
    other = account_create(email="other@example.org", password=PASSWORD, username="other")
    key = link().partition("=")[2]
    with pytest.raises(ValidationError, match=UNUSABLE):
        password_set(account_id=other.pk, encoded=make_password(NEW), link=key)
    assert PlainBrowser().sign_in("other@example.org", PASSWORD).to == "/"


def test_no_link_at_all_is_told():
    seen = PlainBrowser().get("/reset-password")
    assert (seen.status, MISSING in seen.text) == (200, True)


@pytest.mark.parametrize(
    ("first", "second", "words", "wrong"),
    [
        ("12345", "12345", "Password must be at least 6 characters long", ["password1"]),
        ("", "", "Password must be at least 6 characters long", ["password1", "password2"]),
        (NEW, "another-one", "Passwords do not match", ["password2"]),
        (NEW, "", "Passwords do not match", ["password2"]),
        ("12345", "another-one", "Password must be at least 6 characters long", ["password1", "password2"]),
        ("12345", "another-one", "Passwords do not match", ["password1", "password2"]),
        ("123456", "another-one", "Passwords do not match", ["password1", "password2"]),
        ("123456", "123456", "This password is one of the most common", ["password1"]),
        ("fan@example.org", "fan@example.org", "Password must not contain your name", ["password1"]),
    ],
)
def test_what_is_wrong_with_the_new_password_is_told(fan, first, second, words, wrong):
    plain_browser = PlainBrowser()
    seen = reset(plain_browser, link(), first, second)
    assert words in seen.text
    assert seen.wrong == wrong
    assert NEW not in seen.html
    assert plain_browser.post("/reset-password", password1=NEW, password2=NEW).status == 302


def test_a_password_that_cannot_be_stored_is_told(fan, monkeypatch):
    def broken(**_):
        raise OperationalError("the disk is full")

    plain_browser, path = PlainBrowser(), link()
    monkeypatch.setattr("apps.accounts.sign_in.adapter.password_set", broken)
    seen = reset(plain_browser, path)
    assert "Failed to update password" in seen.text
    assert "disk" not in seen.html


def test_whoever_is_signed_in_is_signed_out_by_the_link(fan):
    plain_browser = PlainBrowser()
    other = account_create(email="other@example.org", password=PASSWORD, username="other")
    path = link()
    plain_browser.sign_in("other@example.org", PASSWORD)
    assert plain_browser.user_id == str(other.pk)
    assert reset(plain_browser, path).to == "/reset-password/done"
    assert plain_browser.user_id == ""


def test_a_link_confirms_the_address_it_came_to(fan):
    EmailAddress.objects.update(verified=False)
    plain_browser = PlainBrowser()
    reset(plain_browser, link())
    assert plain_browser.sign_in(EMAIL, NEW).to == "/"


def test_whoever_was_locked_out_is_in_again(fan):
    plain_browser = PlainBrowser()
    for _ in range(6):
        plain_browser.sign_in(EMAIL, "wrong")
    reset(plain_browser, link())
    assert plain_browser.sign_in(EMAIL, NEW).to == "/"
