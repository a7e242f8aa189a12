"""Registration: the rules and texts of the specification, and answers that do not reveal existing accounts."""

import json
from dataclasses import replace

import pytest
from allauth.account.models import EmailAddress

from apps.accounts import attempts, registration
from apps.accounts.attempts import sign_up_attempt
from apps.accounts.models import User
from apps.accounts.selectors.registrations import HELD_DOMAIN
from apps.ratings.models import DraftMark, RatingDraft
from tests.apps.conftest import run_together
from tests.factories import PASSWORD, ProgramEntryFactory, UserFactory
from tests.offenders import check_each
from tests.project.plain_browser import PlainBrowser, link_in, mails

pytestmark = pytest.mark.django_db(transaction=True)
EMAIL, NAME, PAGE = "ewa@example.org", "ewa_n", "/register/sent"
REGISTERED = "Registration successful! Please check your email for verification and then log in."
SHORT = "Password must be at least 6 characters"
LETTERS = "Username can only contain letters, numbers, underscores, and hyphens"
PERSONAL = "Password must not contain your name, your address or the name of this site"
COMMON_WORD = "Password must be more than a word of music or of this competition. Please add words of your own."
COMMON = "This password is one of the most common. Please choose another one."


def sign_up(browser=None, **form):
    """Post a valid registration, with these fields changed."""
    return (browser or PlainBrowser()).post(
        "/register", **{"email": EMAIL, "username": NAME, "password1": PASSWORD, **form}
    )


def test_registration_is_confirmed_by_mail_and_signs_in():
    browser = PlainBrowser()
    response = sign_up(browser, email="Ewa@Example.org")
    assert (response.status, response.to) == (302, PAGE)
    assert REGISTERED not in browser.get(PAGE).text
    assert REGISTERED in browser.get("/login").text
    assert REGISTERED not in browser.get("/login").text
    (message,) = mails()
    assert (message.to, message.subject) == ([EMAIL], "Please confirm your e-mail address")
    assert NAME in message.body
    path = link_in(message)
    (html, kind), *_ = message.alternatives
    assert kind == "text/html"
    assert path in html

    user = User.objects.get()
    assert (user.email, user.username, user.is_admin) == (EMAIL, NAME, False)
    assert EMAIL in browser.get(path).text
    assert not EmailAddress.objects.get().verified  # mail programs open links too
    confirmed = PlainBrowser().post(path, password=PASSWORD)
    assert (confirmed.status, confirmed.to) == (302, "/")
    assert browser.sign_in(EMAIL, PASSWORD).to == "/"
    assert browser.user_id == str(user.pk)


def test_unconfirmed_account_cannot_sign_in_but_can_request_a_link():
    browser = PlainBrowser()
    sign_up(browser)
    assert len(mails()) == 1
    assert browser.user_id == ""
    assert "Invalid login credentials. Please try again." in browser.sign_in(EMAIL, "wrong").text
    assert mails() == []
    assert browser.sign_in(EMAIL, PASSWORD).to == "/verify-email/sent"
    assert "Send a new link" in browser.get("/verify-email/sent").text
    assert browser.user_id == ""
    assert mails() == []  # the first link is only moments old


INVALID_USERNAMES = {
    "Username must be at least 3 characters long": ("", "ab"),
    "Username must be no more than 20 characters long": ("a" * 21,),
    LETTERS: ("łucja",),
    "Username must start with a letter": ("4ewa",),
    "This username is reserved. Please choose another one.": ("m0derat0r",),
}
INVALID_PASSWORDS = {
    SHORT: ("", "12345", "ewa_n"),
    COMMON: ("123456", "Password1"),
    PERSONAL: (
        *("i-love-ewa_n", "my-ewa@example.org", "CHOPIN-for-ever", "xx-Parterre-xx"),
        *("chopin1", "Ch0p1n2027", "p@rt3rr3-row", "at-example.org!"),
    ),
    COMMON_WORD: (
        *("pianist7", "nocturne12", "P1an1st!!", "n0cturne-op.9"),
        *("my piano 88", "polonaise44444", "étude-10-4", "piano-competition-2027"),
    ),
}


def cases(texts_by_error):
    return [(text, error) for error, texts in texts_by_error.items() for text in texts]


def test_invalid_username_is_reported_at_its_field():
    def check(case):
        username, error = case
        response = sign_up(username=username)
        assert error in response.text
        assert response.wrong == ["username"]
        assert "autofocus" in response.fields["username"]
        assert (response.fields["email"]["value"], response.fields["username"]["value"]) == (EMAIL, username)
        assert PASSWORD not in response.html

    check_each(cases(INVALID_USERNAMES), check)
    assert not User.objects.exists()


def test_invalid_password_is_reported_at_its_field():
    def check(case):
        password, error = case
        response = sign_up(password1=password)
        assert error in response.text
        assert response.wrong == ["password1"]
        assert response.fields["username"]["value"] == NAME
        if error == SHORT:
            assert COMMON not in response.text
            assert PERSONAL not in response.text

    check_each(cases(INVALID_PASSWORDS), check)
    assert not User.objects.exists()


def test_other_passwords_of_six_characters_are_accepted():
    passwords = ("123 45", "öçé🎹ab", " rows ", "a" * 500, "pianist under trees", "nocturnal7cat")
    for number, password in enumerate(passwords):
        assert sign_up(email=f"fan{number}@example.org", username=f"fan-{number}", password1=password).to == PAGE
        assert User.objects.get(username=f"fan-{number}").check_password(password), password


def test_all_errors_are_reported_at_once_and_the_first_gets_the_focus():
    for email, error in (("", "Please enter your e-mail address"), ("ewa@", "Please enter a valid")):
        response = sign_up(email=email)
        assert error in response.text
        assert response.wrong == ["email"]
    response = sign_up(email="", username="a", password1="b")
    assert set(response.wrong) == {"email", "password1", "username"}
    focused = [name for name, attributes in response.fields.items() if "autofocus" in attributes]
    assert focused == response.wrong[:1]


def test_username_that_resembles_another_is_taken():
    UserFactory(username="Ewa_N")
    for username in (NAME, "ewan", "Ewa-N"):
        response = sign_up(username=username)
        assert "This username is already taken." in response.text
        assert response.wrong == ["username"]


def test_concurrent_registrations_give_one_account_the_address():
    responses = run_together(lambda: sign_up(username="quick"), lambda: sign_up(username="quicker"))
    assert [(response.status, response.to) for response in responses] == [(302, PAGE)] * 2
    assert User.objects.filter(email=EMAIL).count() == EmailAddress.objects.filter(email=EMAIL).count() == 1
    assert User.objects.filter(email__endswith=HELD_DOMAIN).count() == 1
    subjects = sorted(message.subject for message in mails())
    assert subjects == ["Please confirm your e-mail address", "You have an account already"]


def test_concurrent_registrations_give_one_account_the_username():
    responses = run_together(lambda: sign_up(email="one@example.org"), lambda: sign_up(email="two@example.org"))
    assert sorted(response.status for response in responses) == [200, 302]
    refused = next(response for response in responses if response.status == 200)
    assert "This username is already taken." in refused.text
    assert refused.wrong == ["username"]
    assert refused.fields["email"]["value"].endswith("@example.org")


def test_server_error_keeps_the_form(monkeypatch, caplog):
    def broken(**_):
        raise OSError("the disk is full")

    monkeypatch.setattr("apps.accounts.sign_in.forms.registration_create", broken)
    response = sign_up()
    assert response.status == 200
    assert "Failed to create account" in response.text
    assert "disk" not in response.html
    assert response.fields["email"]["value"] == EMAIL
    assert [record.message for record in caplog.records if record.levelname == "ERROR"] == ["Failed to create account"]


def test_registrations_per_client_are_limited(monkeypatch):
    monkeypatch.setattr(attempts, "SIGN_UP_CLIENT", replace(attempts.SIGN_UP_CLIENT, amount=3))
    for number in range(3):
        sign_up_attempt(email=f"ewa{number}@example.org", client="127.0.0.1")
    response = sign_up()
    assert "Too many attempts. Please try again later." in response.text
    assert "You can try again in 60 min." in response.text
    assert response.fields["email"]["value"] == EMAIL
    assert sign_up(PlainBrowser(REMOTE_ADDR="192.0.2.9")).status == 302


def marks_of(entry):
    """Return what a browser sends with a registration: a mark of 23 and a comment."""
    marks = {f"piece-{entry.piece_id}": ["23", 900], "comment": ["Dry.", 900]}
    return json.dumps({str(entry.appearance_id): marks})


def test_marks_of_the_browser_are_stored_with_the_unconfirmed_account():
    browser, entry = PlainBrowser(), ProgramEntryFactory()
    assert 'name="marks"' in browser.get("/register").html
    assert sign_up(browser, marks=marks_of(entry)).to == PAGE
    assert "Your marks are kept." in browser.get(PAGE).text
    user = User.objects.get(email=EMAIL)
    assert not EmailAddress.objects.get(user=user).verified
    assert RatingDraft.objects.values_list("user_id", "comment").get() == (user.pk, "Dry.")
    assert DraftMark.objects.values_list("piece_id", "score", "blind").get() == (entry.piece_id, 23, None)
    user.delete()
    assert not DraftMark.objects.exists()


def test_invalid_marks_do_not_prevent_a_registration():
    invalid = ("", "x", "[]", "{" * 9_000, '{"1": {"score": ["4", 0]}}', "\x00", "ś" * 9_000)
    for number, marks in enumerate(invalid):
        browser, email = PlainBrowser(), f"fan{number}@example.org"
        assert sign_up(browser, email=email, username=f"fan-{number}", marks=marks).to == PAGE
        assert "Your marks are kept." not in browser.get(PAGE).text
        assert User.objects.filter(email=email).exists()
    assert not RatingDraft.objects.exists()


def test_failure_to_store_the_marks_keeps_the_account(monkeypatch, caplog):
    def fail(account_id, text):
        User.objects.filter(pk=account_id).delete()
        raise RuntimeError

    monkeypatch.setitem(registration._stored, "marks", fail)
    assert sign_up(marks="{}").to == PAGE
    assert User.objects.filter(email=EMAIL).exists()
    assert "a registration's marks were not stored" in caplog.text


def test_marks_are_stored_neither_for_a_refused_form_nor_for_a_known_account():
    owner = UserFactory(email=EMAIL)
    marks = marks_of(ProgramEntryFactory())
    assert sign_up(email="other@example.org", username="1", marks=marks).status == 200
    assert not RatingDraft.objects.exists()
    assert sign_up(marks=marks).to == PAGE
    assert RatingDraft.objects.get().user != owner
