"""The settings form of a profile: username, avatar and password, and the sentences for wrong values."""

import re
import time

import pytest
from allauth.account.models import EmailAddress
from django.conf import settings
from django.core import mail
from django.test import Client

from apps.accounts.models import AuthSession, FormAnswer, User
from tests.factories import PASSWORD
from tests.mails import mails_settle
from tests.project.accounts.profile.posting import ANOTHER, live, long_ago, seen, settings_form, shown, signed_in

pytestmark = pytest.mark.django_db(transaction=True)


def test_username_and_avatar_are_saved_and_confirmed_once(browser: Client, fan: User):
    response = browser.post(
        "/profile/settings", settings_form(username="Una_Corda", avatar_url="https://example.org/me.png")
    )
    page = shown(browser, response)
    assert "Profile updated successfully" in page
    assert 'src="https://example.org/me.png"' in page
    again = live(browser, response["Location"])  # a reload without scripts
    assert (again.status_code, again["Location"]) == (302, "/profile")
    fan.refresh_from_db()
    assert (fan.username, fan.avatar_url) == ("Una_Corda", "https://example.org/me.png")
    assert "Profile updated successfully" not in seen(browser)


def test_errors_are_shown_with_the_values_but_not_the_password(browser: Client, fan: User):
    form = settings_form(
        username="7th_row", avatar_url="http://x.org/a.png", password1="row-g-seat-13", password2="not this"
    )
    response = browser.post("/profile/settings", form)
    page = shown(browser, response)
    for text in (
        "Username must start with a letter",
        "A picture needs an https:// address of another site.",
        "Passwords do not match",
        'value="7th_row"',
        'value="http://x.org/a.png"',
    ):
        assert text in page, text
    assert "row-g-seat-13" not in page
    assert 'value="7th_row"' in seen(browser, response["Location"]), "a reload keeps what is to be corrected"
    assert "row-g-seat-13" not in str(list(FormAnswer.objects.values_list("data", flat=True)))
    fan.refresh_from_db()
    assert fan.username == "fan_of_g"
    assert fan.check_password(PASSWORD)


def test_missing_username_is_reported_with_the_sites_text(browser: Client):
    for name in ("", "  "):
        form = settings_form(username=name, avatar_url="http://x.org/a.png")
        page = shown(browser, browser.post("/profile/settings", form))
        assert re.search(r'id="username-error"[^>]*>Username must be at least 3 characters long<', page)
        assert "A picture needs an https:// address of another site." in page


def test_profile_changes_are_limited(browser: Client):
    for number in range(30):
        browser.post("/profile/settings", settings_form(username=f"name{number}"))
    page = shown(browser, browser.post("/profile/settings", settings_form(username="once_more")))
    assert "Too many attempts. Please try again later." in page


def test_outdated_form_saves_its_changes_and_reports_conflicts(browser: Client, fan: User):
    [version] = re.findall(r'id="version"[^>]*value="([^"]*)"', seen(browser))
    picture = "https://example.org/me.png"
    browser.post("/profile/settings", settings_form(avatar_url=picture))  # in another window
    page = shown(browser, browser.post("/profile/settings", settings_form(username="fan_of_f", version=version)))
    assert 'data-draft="profile" data-saved' in page
    fan.refresh_from_db()
    assert (fan.username, fan.avatar_url) == ("fan_of_f", picture)
    page = shown(browser, browser.post("/profile/settings", settings_form(username="fan_of_e", version=version)))
    assert "Username was changed meanwhile. It is now “fan_of_f”." in page
    assert "data-saved" not in page
    [version] = re.findall(r'id="version"[^>]*value="([^"]*)"', page)
    shown(browser, browser.post("/profile/settings", settings_form(username="fan_of_e", version=version)))
    fan.refresh_from_db()
    assert (fan.username, fan.avatar_url) == ("fan_of_e", picture)


def test_settings_form_changes_no_address_and_no_role(browser: Client, fan: User):
    form = settings_form(username="renamed", email="other@example.org", is_admin="1")
    assert "Profile updated successfully" in shown(browser, browser.post("/profile/settings", form))
    fan.refresh_from_db()
    assert (fan.username, fan.email, fan.is_admin) == ("renamed", "fan@example.org", False)
    assert list(EmailAddress.objects.values_list("email", flat=True)) == ["fan@example.org"]


def test_new_password_renews_this_session_and_ends_the_others(browser: Client, fan: User):
    phone = signed_in(Client())
    before = browser.cookies[settings.SESSION_COOKIE_NAME].value
    response = browser.post("/profile/settings", settings_form(password1=ANOTHER, password2=ANOTHER))
    assert "Profile updated successfully" in shown(browser, response)
    assert live(phone, "/profile").status_code == 302
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


def test_new_password_requires_reauthentication_and_keeps_other_values(browser: Client, fan: User):
    long_ago(browser)
    response = browser.post(
        "/profile/settings", settings_form(username="una_corda", password1=ANOTHER, password2=ANOTHER)
    )
    assert response.status_code == 303
    assert response["Location"].startswith("/reauthenticate?next=%2Fprofile%3Fanswer%3D")
    fan.refresh_from_db()
    assert fan.check_password(PASSWORD)
    assert fan.username == "fan_of_g"
    assert browser.get(response["Location"]).status_code == 200
    onward = browser.post(response["Location"], {"password": PASSWORD})
    assert onward.status_code == 302
    page = seen(browser, onward["Location"])
    assert 'value="una_corda"' in page
    assert "Please type your new password once more." in page
    assert ANOTHER not in page
    again = browser.post("/profile/settings", settings_form(username="una_corda", password1=ANOTHER, password2=ANOTHER))
    assert "Profile updated successfully" in shown(browser, again)
    fan.refresh_from_db()
    assert fan.check_password(ANOTHER)
    assert fan.username == "una_corda"


def test_sign_in_with_a_future_time_is_not_fresh(browser: Client, monkeypatch):
    now = time.time() - 86_400
    monkeypatch.setattr("time.time", lambda: now)
    response = browser.post("/profile/settings", settings_form(password1=ANOTHER, password2=ANOTHER))
    assert response["Location"].startswith("/reauthenticate?")


def test_server_error_is_shown_with_the_specified_text(browser: Client, fan: User, monkeypatch):
    def fails(**_):
        raise RuntimeError("disk full")

    monkeypatch.setattr("apps.accounts.profile_forms.profile_update", fails)
    page = shown(browser, browser.post("/profile/settings", settings_form(username="una_corda")))
    assert "An error occurred while updating profile" in page
    assert 'value="una_corda"' in page
    monkeypatch.setattr("apps.accounts.profile_forms.account_delete", fails)
    page = shown(browser, browser.post("/profile/delete", {"password": PASSWORD}))
    assert "An error occurred while deleting account" in page
    assert User.objects.filter(pk=fan.pk).exists()
