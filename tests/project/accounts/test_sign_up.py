"""Registration: the rules and texts of the specification, and answers that do not reveal existing accounts."""

import json
import re

import pytest
from allauth.account.models import EmailAddress
from django.conf import settings

from apps.accounts import registration
from apps.accounts.models import User
from apps.accounts.selectors.registrations import HELD_DOMAIN
from apps.accounts.services.accounts import account_create
from apps.ratings.models import DraftMark, RatingDraft
from tests.apps.conftest import run_together
from tests.factories import PASSWORD, ProgramEntryFactory, UserFactory
from tests.project.plain_browser import PlainBrowser, link_in, mails

pytestmark = pytest.mark.django_db(transaction=True)
EMAIL, NAME, PAGE = "ewa@example.org", "ewa_n", "/register/sent"
REGISTERED = "Registration successful! Please check your email for verification and then log in."
LETTERS = "Username can only contain letters, numbers, underscores, and hyphens"
PERSONAL = "Password must not contain your name, your address or the name of this site"
FIELD = "Password must be more than a word of music or of this competition. Please add words of your own."
COMMON = "This password is one of the most common. Please choose another one."


def sign_up(plain_browser=None, **typed):
    """Post a valid registration, with these fields changed."""
    return (plain_browser or PlainBrowser()).post(
        "/register", **{"email": EMAIL, "username": NAME, "password1": PASSWORD, **typed}
    )


def test_from_signing_up_to_signing_in():
    plain_browser = PlainBrowser()
    seen = sign_up(plain_browser, email="Ewa@Example.org")
    assert (seen.status, seen.to) == (302, PAGE)
    assert REGISTERED not in plain_browser.get(PAGE).text
    assert REGISTERED in plain_browser.get("/login").text
    assert REGISTERED not in plain_browser.get("/login").text
    (message,) = mails()
    assert (message.to, message.subject) == ([EMAIL], "Please confirm your e-mail address")
    assert NAME in message.body
    path = link_in(message)
    (html, kind), *_ = message.alternatives
    assert kind == "text/html"
    assert path in html

    user = User.objects.get()
    assert (user.email, user.username, user.is_admin) == (EMAIL, NAME, False)
    asked = plain_browser.get(path)
    assert EMAIL in asked.text
    assert not EmailAddress.objects.get().verified  # mail programs open links too
    elsewhere = PlainBrowser()
    confirmed = elsewhere.post(path, password=PASSWORD)
    assert (confirmed.status, confirmed.to) == (302, "/")
    assert plain_browser.sign_in(EMAIL, PASSWORD).to == "/"
    assert plain_browser.user_id == str(user.pk)


def test_nobody_is_in_before_the_address_is_confirmed_and_the_right_password_brings_another_link():
    plain_browser = PlainBrowser()
    sign_up(plain_browser)
    assert len(mails()) == 1
    assert plain_browser.user_id == ""
    assert "Invalid login credentials. Please try again." in plain_browser.sign_in(EMAIL, "wrong").text
    assert mails() == []
    assert plain_browser.sign_in(EMAIL, PASSWORD).to == "/verify-email/sent"
    assert "Send a new link" in plain_browser.get("/verify-email/sent").text
    assert plain_browser.user_id == ""
    assert mails() == []  # the first link is only moments old


@pytest.mark.parametrize(
    ("username", "words"),
    [
        ("", "Username must be at least 3 characters long"),
        ("ab", "Username must be at least 3 characters long"),
        ("a" * 21, "Username must be no more than 20 characters long"),
        ("ewa nowak", LETTERS),
        ("łucja", LETTERS),
        ("4ewa", "Username must start with a letter"),
        ("-ewa", "Username must start with a letter"),
        ("_ewa", "Username must start with a letter"),
        ("Admin", "This username is reserved. Please choose another one."),
        ("former-member", "This username is reserved. Please choose another one."),
        ("m0derat0r", "This username is reserved. Please choose another one."),
    ],
)
def test_username_rules_are_told_beside_the_field(username, words):
    seen = sign_up(username=username)
    assert words in seen.text
    assert seen.wrong == ["username"]
    assert "autofocus" in seen.fields["username"]
    assert seen.fields["email"]["value"] == EMAIL
    assert seen.fields["username"]["value"] == username
    assert PASSWORD not in seen.html
    assert not User.objects.exists()


@pytest.mark.parametrize(
    ("password", "words"),
    [
        ("", "Password must be at least 6 characters"),
        ("12345", "Password must be at least 6 characters"),
        ("123456", COMMON),
        ("Password1", COMMON),
        ("i-love-ewa_n", PERSONAL),
        ("my-ewa@example.org", PERSONAL),
        ("CHOPIN-for-ever", PERSONAL),
        ("xx-Parterre-xx", PERSONAL),
        ("chopin1", PERSONAL),
        ("Ch0p1n2027", PERSONAL),
        ("p@rt3rr3-row", PERSONAL),
        ("pianist7", FIELD),
        ("nocturne12", FIELD),
        ("P1an1st!!", FIELD),
        ("n0cturne-op.9", FIELD),
        ("my piano 88", FIELD),
        ("polonaise44444", FIELD),
        ("étude-10-4", FIELD),
        ("piano-competition-2027", FIELD),
        ("at-example.org!", PERSONAL),
    ],
)
def test_password_rules_are_told_beside_the_field(password, words):
    seen = sign_up(password1=password)
    assert words in seen.text
    assert seen.wrong == ["password1"]
    assert seen.fields["username"]["value"] == NAME
    assert not User.objects.exists()


@pytest.mark.parametrize("password", ["12345", "ewa_n"])
def test_a_password_that_is_too_short_is_told_only_that(password):
    seen = sign_up(password1=password)
    assert "Password must be at least 6 characters" in seen.text
    assert COMMON not in seen.text
    assert PERSONAL not in seen.text


@pytest.mark.parametrize("password", ["123 45", "öçé🎹ab", " rows ", "a" * 500, "pianist under trees", "nocturnal7cat"])
def test_any_other_password_of_six_characters_will_do(password):
    assert sign_up(password1=password).to == PAGE
    assert User.objects.get().check_password(password)


@pytest.mark.parametrize(
    ("email", "words"), [("", "Please enter your e-mail address"), ("ewa@", "Please enter a valid")]
)
def test_an_address_is_needed(email, words):
    seen = sign_up(email=email)
    assert words in seen.text
    assert seen.wrong == ["email"]


def test_all_that_is_wrong_is_told_at_once_and_the_first_has_the_focus():
    seen = sign_up(email="", username="a", password1="b")
    assert set(seen.wrong) == {"email", "password1", "username"}
    assert [name for name, each in seen.fields.items() if "autofocus" in each] == seen.wrong[:1]


@pytest.mark.parametrize("username", [NAME, "ewan", "Ewa-N"])
def test_a_username_is_taken_in_any_case_and_by_whoever_looks_alike(username):
    UserFactory(username="Ewa_N")
    seen = sign_up(username=username)
    assert "This username is already taken." in seen.text
    assert seen.wrong == ["username"]


def test_an_address_that_has_an_account_gets_the_same_answer_and_another_mail():
    owner = account_create(email=EMAIL, password=PASSWORD, username="owner")
    plain_browser, other = PlainBrowser(), PlainBrowser()
    seen, fresh = (
        sign_up(plain_browser, email="EWA@example.org"),
        sign_up(other, email="new@example.org", username="new-one"),
    )
    assert (seen.status, seen.to) == (fresh.status, fresh.to) == (302, PAGE)
    said = [re.sub(r'value="[^"]*"', "", each.get("/login").html) for each in (plain_browser, other)]
    assert said[0] == said[1]
    assert set(plain_browser.client.cookies) == set(other.client.cookies)
    assert settings.SESSION_COOKIE_NAME not in plain_browser.client.cookies  # no session before the sign-in
    told = {message.to[0]: message for message in mails()}
    assert told[EMAIL].subject == "You have an account already"
    assert "/login" in told[EMAIL].body
    assert "key=" not in told[EMAIL].body
    assert told["new@example.org"].subject == "Please confirm your e-mail address"
    owner.refresh_from_db()
    assert owner.check_password(PASSWORD)
    assert User.objects.filter(email__endswith=HELD_DOMAIN).values_list("username").get() == (NAME,)


def test_two_who_sign_up_at_once_with_one_address_get_one_account_with_it():
    seen = run_together(lambda: sign_up(username="quick"), lambda: sign_up(username="quicker"))
    assert [(each.status, each.to) for each in seen] == [(302, PAGE)] * 2
    assert User.objects.filter(email=EMAIL).count() == EmailAddress.objects.filter(email=EMAIL).count() == 1
    assert User.objects.filter(email__endswith=HELD_DOMAIN).count() == 1
    subjects = sorted(message.subject for message in mails())
    assert subjects == ["Please confirm your e-mail address", "You have an account already"]


def test_of_two_who_take_one_name_at_once_one_is_told():
    seen = run_together(lambda: sign_up(email="one@example.org"), lambda: sign_up(email="two@example.org"))
    assert sorted(each.status for each in seen) == [200, 302]
    refused = next(each for each in seen if each.status == 200)
    assert "This username is already taken." in refused.text
    assert refused.wrong == ["username"]
    assert refused.fields["email"]["value"].endswith("@example.org")


def test_what_fails_is_said_plainly_with_everything_still_typed(monkeypatch, caplog):
    def broken(**_):
        raise OSError("the disk is full")

    monkeypatch.setattr("apps.accounts.sign_in.forms.registration_create", broken)
    seen = sign_up()
    assert seen.status == 200
    assert "Failed to create account" in seen.text
    assert "disk" not in seen.html
    assert seen.fields["email"]["value"] == EMAIL
    assert [each.message for each in caplog.records if each.levelname == "ERROR"] == ["Failed to create account"]


def test_ten_accounts_an_hour_from_one_client():
    plain_browser = PlainBrowser()
    for number in range(10):
        assert sign_up(plain_browser, email=f"ewa{number}@example.org", username=f"ewa-{number}").status == 302
    seen = sign_up(plain_browser)
    assert "Too many attempts. Please try again later." in seen.text
    assert "You can try again in 60 min." in seen.text
    assert seen.fields["email"]["value"] == EMAIL
    assert sign_up(PlainBrowser(REMOTE_ADDR="192.0.2.9")).status == 302


def test_the_way_back_survives():
    plain_browser = PlainBrowser()
    seen = plain_browser.post("/register?next=/sessions/1", email=EMAIL, username=NAME, password1=PASSWORD)
    assert seen.to == f"{PAGE}?next=%2Fsessions%2F1"
    assert 'href="/login?next=%2Fsessions%2F1"' in plain_browser.get(seen.to).html


def marks_of(entry):
    """Return what a browser sends with a registration: a mark of 23 and a comment."""
    struck = {f"piece-{entry.piece_id}": ["23", 900], "comment": ["Dry.", 900]}
    return json.dumps({str(entry.session_participant_id): struck})


def test_marks_of_the_browser_are_stored_for_the_unconfirmed_account_and_go_with_it():
    plain_browser, entry = PlainBrowser(), ProgramEntryFactory()
    assert 'name="marks"' in plain_browser.get("/register").html
    assert sign_up(plain_browser, marks=marks_of(entry)).to == PAGE
    assert "Your marks are kept." in plain_browser.get(PAGE).text
    user = User.objects.get(email=EMAIL)
    assert not EmailAddress.objects.get(user=user).verified
    assert RatingDraft.objects.values_list("user_id", "comment").get() == (user.pk, "Dry.")
    assert DraftMark.objects.values_list("piece_id", "score", "blind").get() == (entry.piece_id, 23, None)
    user.delete()
    assert not DraftMark.objects.exists()


@pytest.mark.parametrize("marks", ["", "x", "[]", "{" * 9_000, '{"1": {"score": ["4", 0]}}', "\x00", "ś" * 9_000])
def test_no_marks_hinder_a_registration(marks):
    plain_browser = PlainBrowser()
    assert sign_up(plain_browser, marks=marks).to == PAGE
    assert "Your marks are kept." not in plain_browser.get(PAGE).text
    assert User.objects.filter(email=EMAIL).exists()
    assert not RatingDraft.objects.exists()


def test_a_failure_to_store_the_marks_leaves_the_account(monkeypatch, caplog):
    def fail(account_id, text):
        User.objects.filter(pk=account_id).delete()
        raise RuntimeError

    monkeypatch.setitem(registration._stored, "marks", fail)
    assert sign_up(marks="{}").to == PAGE
    assert User.objects.filter(email=EMAIL).exists()
    assert "a registration's marks were not stored" in caplog.text


def test_marks_of_a_refused_form_are_not_stored_and_those_with_a_known_address_not_for_its_account():
    owner = UserFactory(email=EMAIL)
    marks = marks_of(ProgramEntryFactory())
    assert sign_up(email="other@example.org", username="1", marks=marks).status == 200
    assert not RatingDraft.objects.exists()
    assert sign_up(marks=marks).to == PAGE
    assert RatingDraft.objects.get().user != owner
