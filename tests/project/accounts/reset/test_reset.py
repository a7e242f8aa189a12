"""A password reset link: who gets one, what it changes, how long it is valid, and the texts of errors."""

from unittest.mock import Mock

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
from tests.offenders import check_each
from tests.project.accounts.reset.resetting import EMAIL, NEW, UNUSABLE, link, reset
from tests.project.plain_browser import PlainBrowser, mails

pytestmark = pytest.mark.django_db(transaction=True)
MISSING = "Invalid or missing reset tokens. Please request a new password reset."
UPDATED = "Password updated successfully! Please log in with your new password."


def test_forgotten_password_can_be_replaced(fan):
    browser, before = PlainBrowser(), PlainBrowser()
    before.sign_in(EMAIL, PASSWORD)
    response = reset(browser, link("Fan@Example.org"))
    assert (response.status, response.to) == (302, "/reset-password/done")
    done = browser.get(response.to)
    assert UPDATED in done.text
    assert done.headers["Refresh"] == "2; url=/login"
    assert UPDATED in browser.get("/login").text
    assert browser.user_id == before.user_id == ""
    assert "Invalid login credentials. Please try again." in browser.sign_in(EMAIL, PASSWORD).text
    assert browser.sign_in(EMAIL, NEW).to == "/"
    (notice,) = mails()
    assert (notice.to, notice.subject) == ([EMAIL], "Your password was changed")
    assert "key=" not in notice.body


def test_new_password_ends_all_links_and_the_rate_limit(fan):
    browser = PlainBrowser()
    for _ in range(6):
        browser.sign_in(EMAIL, "wrong")
    paths = [link(), link()]
    reset(browser, paths[0])
    for visitor in (browser, PlainBrowser()):
        for path in paths:
            response = visitor.get(path)
            assert (response.status, UNUSABLE in response.text) == (200, True)
    assert MISSING in browser.get("/reset-password").text
    assert browser.sign_in(EMAIL, NEW).to == "/"


def test_opening_a_link_only_sets_a_cookie(fan):
    path, browser = link(), PlainBrowser()
    browser.sign_in(EMAIL, PASSWORD, path="/login")
    path = link()  # the sign-in has invalidated the previous link
    session = browser.client.cookies[settings.SESSION_COOKIE_NAME].value
    before = AuthSession.objects.values().get()
    response = browser.get(path)
    assert (response.status, response.to) == (302, "/reset-password")
    assert browser.get(response.to).fields["password1"]
    assert browser.user_id == str(fan.pk)
    assert browser.client.cookies[settings.SESSION_COOKIE_NAME].value == session
    assert AuthSession.objects.values().get() == before
    kept = browser.client.cookies[settings.RESET_COOKIE_NAME]
    assert (kept["httponly"], kept["samesite"], kept["max-age"], kept["path"]) == (True, "Lax", 3600, "/")
    done = browser.post("/reset-password", password1=NEW, password2=NEW)
    assert (done.to, done.headers["Clear-Site-Data"]) == ("/reset-password/done", '"storage"')
    assert browser.user_id == ""
    assert browser.client.cookies[settings.RESET_COOKIE_NAME].value == ""
    assert not AuthSession.objects.exists()


def test_link_opens_only_as_a_document(fan):
    path = link()
    for destination in ("image", "iframe", "script", "empty", "embed"):
        browser = PlainBrowser(headers={"sec-fetch-dest": destination})
        assert browser.get(path).status == 403, destination
        assert settings.RESET_COOKIE_NAME not in browser.client.cookies
    assert PlainBrowser(headers={"sec-fetch-dest": "document"}).get(path).to == "/reset-password"


def test_two_browsers_with_one_link_set_one_password(fan):
    path, first, second = link(), PlainBrowser(), PlainBrowser()
    for browser in (first, second):
        browser.get(path)
    token = second.get("/reset-password").fields["csrfmiddlewaretoken"]["value"]
    assert first.post("/reset-password", password1=NEW, password2=NEW).to == "/reset-password/done"
    form = {"csrfmiddlewaretoken": token, "password1": "too-late", "password2": "too-late"}
    assert UNUSABLE in second._seen(second.client.post("/reset-password", form)).text
    assert PlainBrowser().sign_in(EMAIL, NEW).to == "/"


def test_used_link_is_refused_by_the_service(fan):
    key = link().partition("=")[2]
    password_set(account_id=fan.pk, encoded=make_password(NEW), link=key)
    with pytest.raises(ValidationError, match=UNUSABLE):
        password_set(account_id=fan.pk, encoded=make_password("another-pedal"), link=key)
    assert PlainBrowser().sign_in(EMAIL, NEW).to == "/"


def test_sign_in_invalidates_the_link(fan):
    path = link()
    PlainBrowser().sign_in(EMAIL, PASSWORD)
    assert UNUSABLE in PlainBrowser().get(path).text


def test_open_form_expires_with_its_link(fan):
    path, browser = link(), PlainBrowser()
    browser.get(path)
    older(61 * 60)
    assert UNUSABLE in PlainBrowser().get(path).text
    assert UNUSABLE in browser.get("/reset-password").text


def test_invalid_link_is_reported():
    def check(query):
        response = PlainBrowser().get(f"/reset-password?{query}")
        assert (response.status, UNUSABLE in response.text) == (200, True)
        assert 'href="/forgot-password"' in response.html
        assert "password1" not in response.fields

    check_each(("key=", "key=nonsense", "key=1-abc-def", "key=zzzzzzzzzzzzzzz-abc-def"), check)
    check_each(("access_token=a&refresh_token=b", "refresh_token=b", "key=%00"), check)
    response = PlainBrowser().get("/reset-password")
    assert (response.status, MISSING in response.text) == (200, True)


def test_link_is_valid_only_for_its_account(fan):
    other = account_create(email="other@example.org", password=PASSWORD, username="other")
    key = link().partition("=")[2]
    with pytest.raises(ValidationError, match=UNUSABLE):
        password_set(account_id=other.pk, encoded=make_password(NEW), link=key)
    assert PlainBrowser().sign_in("other@example.org", PASSWORD).to == "/"


SHORT, DIFFERENT, BOTH = (
    "Password must be at least 6 characters long",
    "Passwords do not match",
    ["password1", "password2"],
)
INVALID = [
    ("12345", "12345", SHORT, ["password1"]),
    ("", "", SHORT, BOTH),
    (NEW, "another-one", DIFFERENT, ["password2"]),
    (NEW, "", DIFFERENT, ["password2"]),
    ("12345", "another-one", SHORT, BOTH),
    ("12345", "another-one", DIFFERENT, BOTH),
    ("123456", "another-one", DIFFERENT, BOTH),
    ("123456", "123456", "This password is one of the most common", ["password1"]),
    ("fan@example.org", "fan@example.org", "Password must not contain your name", ["password1"]),
]


def test_invalid_new_password_is_reported_and_can_be_corrected(fan):
    browser = PlainBrowser()
    browser.get(link())

    def check(form):
        first, second, error, fields = form
        response = browser.post("/reset-password", password1=first, password2=second)
        assert error in response.text
        assert response.wrong == fields
        assert NEW not in response.html

    check_each(INVALID, check)
    assert browser.post("/reset-password", password1=NEW, password2=NEW).status == 302


def test_failure_to_store_the_password_is_reported(fan, monkeypatch):
    def broken(**_):
        raise OperationalError("the disk is full")

    browser, path = PlainBrowser(), link()
    monkeypatch.setattr("apps.accounts.sign_in.adapter.password_set", broken)
    response = reset(browser, path)
    assert "Failed to update password" in response.text
    assert "disk" not in response.html


def test_reset_signs_out_another_account_in_the_browser(fan):
    browser = PlainBrowser()
    other = account_create(email="other@example.org", password=PASSWORD, username="other")
    path = link()
    browser.sign_in("other@example.org", PASSWORD)
    assert browser.user_id == str(other.pk)
    assert reset(browser, path).to == "/reset-password/done"
    assert browser.user_id == ""


def test_reset_confirms_the_address_of_the_link(fan):
    EmailAddress.objects.update(verified=False)
    browser = PlainBrowser()
    reset(browser, link())
    assert browser.sign_in(EMAIL, NEW).to == "/"


def test_unknown_address_gets_the_same_response_and_no_mail(fan):
    known, unknown = PlainBrowser(), PlainBrowser()
    responses = [known.post("/forgot-password", email=EMAIL), unknown.post("/forgot-password", email="no@example.org")]
    assert responses[0].status == responses[1].status == 302
    assert responses[0].to == responses[1].to == "/forgot-password/sent"
    assert known.get(responses[0].to).html == unknown.get(responses[1].to).html
    assert set(known.client.cookies) == set(unknown.client.cookies)
    assert [message.to for message in mails()] == [[EMAIL]]


def test_closed_account_gets_no_link(fan):
    path = link()
    fan.is_active = False
    fan.save()
    PlainBrowser().post("/forgot-password", email=EMAIL)
    assert mails() == []
    assert UNUSABLE in PlainBrowser().get(path).text


@pytest.mark.parametrize("email", [EMAIL, "no@example.org"])
def test_two_links_an_hour_are_sent_to_one_address(fan, email):
    for _ in range(2):
        assert PlainBrowser().post("/forgot-password", email=email).status == 302
    response = PlainBrowser().post("/forgot-password", email=email.upper())
    assert "Too many attempts. Please try again later." in response.text
    assert "You can try again in 60 min." in response.text
    assert len(mails()) == (2 if email == EMAIL else 0)


def test_invalid_address_is_reported():
    for email, error in (("", "Please enter your e-mail address"), ("fan@", "Please enter a valid")):
        response = PlainBrowser().post("/forgot-password", email=email)
        assert error in response.text
        assert response.wrong == ["email"]
        assert response.fields["email"].get("value", "") == email


def test_server_error_is_shown_without_details(fan, monkeypatch):
    for error, sentence in (
        (OperationalError("away"), "Failed to send reset email"),
        (OSError("away"), "An unexpected error occurred"),
    ):
        monkeypatch.setattr("apps.accounts.sign_in.forms.mail_send", Mock(side_effect=error))
        response = PlainBrowser().post("/forgot-password", email=EMAIL)
        assert sentence in response.text
        assert "away" not in response.html
        assert response.fields["email"]["value"] == EMAIL
