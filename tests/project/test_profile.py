"""The profile's forms over HTTP: posted, answered, shown again; nothing happens to anybody else."""

import re
import time

import pytest
from asgiref.sync import async_to_sync
from django.conf import settings
from django.core import mail
from django.http import HttpResponse
from django.test import Client

from apps.accounts.mail import mails_settle
from apps.accounts.models import AuthSession, FormAnswer, User
from apps.accounts.services import account_create
from project.views import page_response
from tests.factories import PASSWORD

pytestmark = pytest.mark.django_db(transaction=True)
ANOTHER = "quite-another-seat-7"
FORMS = ("settings", "sessions/end", "sessions/end-others", "export", "delete")
TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="(\w+)"')


@pytest.fixture
def fan() -> User:
    return account_create(email="fan@example.org", password=PASSWORD, username="fan_of_g")


def signed_in(client: Client, **typed: str) -> Client:
    """The browser after signing in at the door."""
    answer = client.post("/login", {"login": "fan@example.org", "password": PASSWORD, **typed})
    assert answer.status_code == 302, answer.content.decode()
    return client


@pytest.fixture
def browser(client: Client, fan: User) -> Client:
    return signed_in(client)


def typed(**changed: str) -> dict[str, str]:
    """What the settings' form posts."""
    return {"username": "fan_of_g", "avatar_url": "", "password1": "", "password2": "", **changed}


def live(client: Client, address: str) -> HttpResponse:
    """A live page as this browser gets it; it takes the cookie that comes along."""
    cookies = "; ".join(f"{name}={morsel.value}" for name, morsel in client.cookies.items() if morsel.value)
    response = async_to_sync(page_response)(address.partition("#")[0], [(b"cookie", cookies.encode())])
    if "Set-Cookie" in response:
        client.cookies.load(response["Set-Cookie"])
    return response


def seen(client: Client, address: str = "/profile") -> str:
    """The HTML of a page that is there."""
    page = live(client, address)
    assert page.status_code == 200, page
    return page.content.decode()


def shown(client: Client, answer) -> str:
    """The page to which a post leads."""
    assert answer.status_code == 303, answer
    return seen(client, answer["Location"])


def long_ago(client: Client) -> None:
    """Let the sign-in be eleven minutes old."""
    session = client.session
    for record in session["account_authentication_methods"]:
        record["at"] -= 660
    session.save()


def test_name_and_picture_are_saved_and_said(browser: Client, fan: User):
    answer = browser.post("/profile/settings", typed(username="Una_Corda", avatar_url="https://example.org/me.png"))
    page = shown(browser, answer)
    assert "Profile updated successfully" in page
    assert 'src="https://example.org/me.png"' in page
    fan.refresh_from_db()
    assert (fan.username, fan.avatar_url) == ("Una_Corda", "https://example.org/me.png")
    assert "Profile updated successfully" not in seen(browser)


def test_what_is_wrong_is_said_beside_what_was_typed(browser: Client, fan: User):
    wrong = typed(username="7th_row", avatar_url="http://x.org/a.png", password1="row-g-seat-13", password2="not this")
    page = shown(browser, browser.post("/profile/settings", wrong))
    for words in (
        "Username must start with a letter",
        "A picture needs an https:// address.",
        "Passwords do not match",
        'value="7th_row"',
        'value="http://x.org/a.png"',
    ):
        assert words in page, words
    assert "row-g-seat-13" not in page
    assert "row-g-seat-13" not in str(list(FormAnswer.objects.values_list("data", flat=True)))
    fan.refresh_from_db()
    assert fan.username == "fan_of_g"
    assert fan.check_password(PASSWORD)


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
    door = browser.get(answer["Location"])
    assert door.status_code == 200
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


def test_a_fault_is_said_in_the_words_of_the_specification(browser: Client, fan: User, monkeypatch):
    def fails(**_):
        raise RuntimeError("disk full")

    monkeypatch.setattr("apps.accounts.services.profile_update", fails)
    page = shown(browser, browser.post("/profile/settings", typed(username="una_corda")))
    assert "An error occurred while updating profile" in page
    assert 'value="una_corda"' in page
    monkeypatch.setattr("apps.accounts.services.account_delete", fails)
    page = shown(browser, browser.post("/profile/delete", {"password": PASSWORD}))
    assert "An error occurred while deleting account" in page
    assert User.objects.filter(pk=fan.pk).exists()


def test_changes_of_a_profile_are_counted(browser: Client):
    for number in range(30):
        browser.post("/profile/settings", typed(username=f"name{number}"))
    page = shown(browser, browser.post("/profile/settings", typed(username="once_more")))
    assert "Too many attempts. Please try again later." in page
