"""The settings form of a profile: username, avatar and password, and the sentences for wrong values."""

import re
import time

import pytest
from django.conf import settings
from django.core import mail
from django.test import Client

from apps.accounts.models import AuthSession, FormAnswer, User
from apps.accounts.services.accounts import account_create
from tests.factories import PASSWORD
from tests.mails import mails_settle
from tests.project.accounts.profile.posting import ANOTHER, live, long_ago, seen, shown, signed_in, typed

pytestmark = pytest.mark.django_db(transaction=True)


def test_name_and_picture_are_saved_and_said(browser: Client, fan: User):
    answer = browser.post("/profile/settings", typed(username="Una_Corda", avatar_url="https://example.org/me.png"))
    page = shown(browser, answer)
    assert "Profile updated successfully" in page
    assert 'src="https://example.org/me.png"' in page
    again = live(browser, answer["Location"])  # a reload without scripts
    assert (again.status_code, again["Location"]) == (302, "/profile")
    fan.refresh_from_db()
    assert (fan.username, fan.avatar_url) == ("Una_Corda", "https://example.org/me.png")
    assert "Profile updated successfully" not in seen(browser)


def test_what_is_wrong_is_said_beside_what_was_typed(browser: Client, fan: User):
    wrong = typed(username="7th_row", avatar_url="http://x.org/a.png", password1="row-g-seat-13", password2="not this")
    answer = browser.post("/profile/settings", wrong)
    page = shown(browser, answer)
    for words in (
        "Username must start with a letter",
        "A picture needs an https:// address of another site.",
        "Passwords do not match",
        'value="7th_row"',
        'value="http://x.org/a.png"',
    ):
        assert words in page, words
    assert "row-g-seat-13" not in page
    assert 'value="7th_row"' in seen(browser, answer["Location"]), "a reload keeps what is to be corrected"
    assert "row-g-seat-13" not in str(list(FormAnswer.objects.values_list("data", flat=True)))
    fan.refresh_from_db()
    assert fan.username == "fan_of_g"
    assert fan.check_password(PASSWORD)


@pytest.mark.parametrize("name", ["", "  "])
def test_a_name_that_is_left_out_is_said_in_the_sites_words(browser: Client, fan: User, name: str):
    page = shown(browser, browser.post("/profile/settings", typed(username=name, avatar_url="http://x.org/a.png")))
    error = re.search(r'id="username-error"[^>]*>([^<]*)', page)
    assert error
    assert error[1] == "Username must be at least 3 characters long"
    assert "A picture needs an https:// address of another site." in page
    fan.refresh_from_db()
    assert fan.username == "fan_of_g"


def test_both_things_that_are_wrong_with_a_new_password_are_said(browser: Client, fan: User):
    page = shown(browser, browser.post("/profile/settings", typed(password1="short", password2="other")))
    assert "Password must be at least 6 characters long" in page
    assert "Passwords do not match" in page


def test_a_form_that_is_older_saves_what_was_changed_in_it_and_asks_about_the_same_field(browser: Client, fan: User):
    [version] = re.findall(r'id="version"[^>]*value="([^"]*)"', seen(browser))
    picture = "https://example.org/me.png"
    browser.post("/profile/settings", typed(avatar_url=picture))  # in another window
    page = shown(browser, browser.post("/profile/settings", typed(username="fan_of_f", version=version)))
    assert 'data-draft="profile" data-saved' in page
    fan.refresh_from_db()
    assert (fan.username, fan.avatar_url) == ("fan_of_f", picture)
    page = shown(browser, browser.post("/profile/settings", typed(username="fan_of_e", version=version)))
    assert "Username was changed meanwhile. It is now “fan_of_f”." in page
    assert "data-saved" not in page
    [version] = re.findall(r'id="version"[^>]*value="([^"]*)"', page)
    shown(browser, browser.post("/profile/settings", typed(username="fan_of_e", version=version)))
    fan.refresh_from_db()
    assert (fan.username, fan.avatar_url) == ("fan_of_e", picture)


def test_a_taken_name_is_said_at_its_field(browser: Client):
    account_create(email="other@example.org", password=PASSWORD, username="other_fan")
    page = shown(browser, browser.post("/profile/settings", typed(username="OTHER_FAN")))
    assert re.search(r'id="username-error"[^>]*>This username is already taken\.', page)


def test_the_address_is_not_changed_by_whoever_posts_one(browser: Client, fan: User):
    shown(browser, browser.post("/profile/settings", typed(email="other@example.org", is_admin="1")))
    fan.refresh_from_db()
    assert (fan.email, fan.is_admin) == ("fan@example.org", False)


def test_a_new_password_keeps_this_session_under_another_key_and_ends_the_others(browser: Client, fan: User):
    elsewhere = signed_in(Client())
    before = browser.cookies[settings.SESSION_COOKIE_NAME].value
    answer = browser.post("/profile/settings", typed(password1=ANOTHER, password2=ANOTHER))
    assert "Profile updated successfully" in shown(browser, answer)
    assert live(elsewhere, "/profile").status_code == 302
    after = browser.cookies[settings.SESSION_COOKIE_NAME].value
    assert after != before
    thief = Client()
    thief.cookies[settings.SESSION_COOKIE_NAME] = before
    assert live(thief, "/profile").status_code == 302
    fan.refresh_from_db()
    assert fan.check_password(ANOTHER)
    assert AuthSession.objects.count() == 1
    assert mails_settle()
    assert [message.to for message in mail.outbox] == [["fan@example.org"]]


def test_a_new_password_asks_first_who_it_is_and_keeps_the_rest(browser: Client, fan: User):
    long_ago(browser)
    answer = browser.post("/profile/settings", typed(username="una_corda", password1=ANOTHER, password2=ANOTHER))
    assert answer.status_code == 303
    assert answer["Location"].startswith("/reauthenticate?next=%2Fprofile%3Fanswer%3D")
    fan.refresh_from_db()
    assert fan.check_password(PASSWORD)
    assert fan.username == "fan_of_g"
    plain_browser = browser.get(answer["Location"])
    assert plain_browser.status_code == 200
    onward = browser.post(answer["Location"], {"password": PASSWORD})
    assert onward.status_code == 302
    page = seen(browser, onward["Location"])
    assert 'value="una_corda"' in page
    assert "Please type your new password once more." in page
    assert ANOTHER not in page
    again = browser.post("/profile/settings", typed(username="una_corda", password1=ANOTHER, password2=ANOTHER))
    assert "Profile updated successfully" in shown(browser, again)
    fan.refresh_from_db()
    assert fan.check_password(ANOTHER)
    assert fan.username == "una_corda"


def test_a_sign_in_of_tomorrow_is_not_fresh(browser: Client, monkeypatch):
    now = time.time() - 86_400
    monkeypatch.setattr("time.time", lambda: now)
    answer = browser.post("/profile/settings", typed(password1=ANOTHER, password2=ANOTHER))
    assert answer["Location"].startswith("/reauthenticate?")


def test_a_fault_is_said_in_the_words_of_the_specification(browser: Client, fan: User, monkeypatch):
    def fails(**_):
        raise RuntimeError("disk full")

    monkeypatch.setattr("apps.accounts.profile_forms.profile_update", fails)
    page = shown(browser, browser.post("/profile/settings", typed(username="una_corda")))
    assert "An error occurred while updating profile" in page
    assert 'value="una_corda"' in page
    monkeypatch.setattr("apps.accounts.profile_forms.account_delete", fails)
    page = shown(browser, browser.post("/profile/delete", {"password": PASSWORD}))
    assert "An error occurred while deleting account" in page
    assert User.objects.filter(pk=fan.pk).exists()


def test_changes_of_a_profile_are_counted(browser: Client):
    for number in range(30):
        browser.post("/profile/settings", typed(username=f"name{number}"))
    page = shown(browser, browser.post("/profile/settings", typed(username="once_more")))
    assert "Too many attempts. Please try again later." in page
