"""Signing in: allauth's view at this site's address, with this site's page, limits and texts."""

from contextlib import ExitStack
from types import SimpleNamespace
from urllib.parse import unquote

import pytest
from django.conf import settings
from django.db import OperationalError
from django.test import AsyncClient
from django.urls import URLPattern, resolve

from apps.accounts.actors import ANONYMOUS
from apps.accounts.services.accounts import account_create
from apps.accounts.urls import sign_in_patterns
from apps.core.database import autocommit_pool
from components.routes import find, table
from components.runtime.page import Redirect
from project.http import page_view
from tests.factories import PASSWORD
from tests.project.plain_browser import PlainBrowser

pytestmark = pytest.mark.django_db(transaction=True)
WRONG = "Invalid login credentials. Please try again."
MANY = "Too many attempts. Please try again later."
EMAIL = "fan@example.org"


@pytest.fixture
def fan(transactional_db):
    return account_create(email=EMAIL, password=PASSWORD, username="fan")


def test_the_entrance_is_a_page_of_ours():
    seen = PlainBrowser().get("/login")
    assert seen.status == 200
    assert {"csrfmiddlewaretoken", "login", "password", "remember"} <= set(seen.fields)
    assert "allauth" not in seen.html
    assert seen.headers["Cache-Control"] == "no-store"
    assert "frame-ancestors 'none'" in seen.headers["Content-Security-Policy"]


def test_the_right_password_signs_in_however_the_address_is_typed(fan):
    plain_browser = PlainBrowser()
    seen = plain_browser.sign_in(" Fan@EXAMPLE.org ", PASSWORD)
    assert (seen.status, seen.to) == (302, "/")
    assert plain_browser.user_id == str(fan.pk)
    assert "Sign out" in plain_browser.get("/forgot-password").text


@pytest.mark.parametrize(("email", "password"), [(EMAIL, "wrong"), ("nobody@example.org", PASSWORD)])
def test_what_is_wrong_is_said_alike_and_what_was_typed_stays_but_the_password(fan, email, password):
    seen = PlainBrowser().sign_in(email, password)
    assert seen.status == 200
    assert WRONG in seen.text
    assert seen.fields["login"]["value"] == email
    assert seen.fields["password"].get("value", "") == ""
    assert password not in seen.html
    assert [name for name, each in seen.fields.items() if "autofocus" in each] == ["password"]


@pytest.mark.parametrize(
    ("typed", "words", "wrong"),
    [
        ({"login": "", "password": "x"}, "Please enter your e-mail address", "login"),
        ({"login": "nonsense", "password": "x"}, "Please enter a valid e-mail address", "login"),
        ({"login": EMAIL, "password": ""}, "Please enter your password", "password"),
    ],
)
def test_what_is_missing_is_said_beside_its_field(typed, words, wrong):
    seen = PlainBrowser().post("/login", **typed)
    assert words in seen.text
    assert seen.wrong == [wrong]
    assert "autofocus" in seen.fields[wrong]


def test_a_ticked_box_stays_ticked_and_decides_how_long_the_browser_remembers(fan):
    plain_browser = PlainBrowser()
    assert "checked" in plain_browser.sign_in(EMAIL, "wrong", remember="on").fields["remember"]
    assert "checked" not in plain_browser.sign_in(EMAIL, "wrong").fields["remember"]
    plain_browser.sign_in(EMAIL, PASSWORD, remember="on")
    assert plain_browser.client.cookies[settings.SESSION_COOKIE_NAME]["max-age"] == 30 * 86_400
    other = PlainBrowser()
    other.sign_in(EMAIL, PASSWORD)
    assert other.client.cookies[settings.SESSION_COOKIE_NAME]["max-age"] == ""


def test_the_key_changes_at_sign_in(fan):
    plain_browser = PlainBrowser()
    session = plain_browser.client.session
    session["planted"] = "yes"
    session.save()
    planted = session.session_key
    assert plain_browser.client.cookies[settings.SESSION_COOKIE_NAME].value == planted
    plain_browser.sign_in(EMAIL, PASSWORD)
    assert plain_browser.client.cookies[settings.SESSION_COOKIE_NAME].value != planted
    thief = PlainBrowser()
    thief.client.cookies[settings.SESSION_COOKIE_NAME] = planted
    assert (thief.get("/login").status, thief.user_id) == (200, "")


def test_whoever_is_in_is_sent_on(fan):
    plain_browser = PlainBrowser()
    plain_browser.sign_in(EMAIL, PASSWORD)
    for path in ("/login", "/register"):
        assert (plain_browser.get(path).status, plain_browser.get(path).to) == (302, "/")


@pytest.mark.parametrize("path", ["/sessions/1", "/sessions?filter=past", "/profile"])
def test_people_come_back_to_where_they_were(fan, path):
    plain_browser = PlainBrowser()
    asked = plain_browser.get(f"/login?next={path}")
    assert asked.fields["next"]["value"] == path
    assert plain_browser.sign_in(EMAIL, "wrong", f"/login?next={path}").fields["next"]["value"] == path
    assert plain_browser.sign_in(EMAIL, PASSWORD, f"/login?next={path}").to == path


@pytest.mark.parametrize(
    "path",
    [
        "//evil.example",
        "/\\evil.example",
        "\\\\evil.example",
        "%2f%2fevil.example",
        "/%2fevil.example",
        "/%252fevil.example",
        "/%5cevil.example",
        "https://evil.example/",
        "http:///evil.example",
        "javascript:alert(1)",
        "/ok%0d%0aSet-Cookie:%20a=b",
        "/%0d%0a/evil.example",
        "%20//evil.example",
        "evil.example",
        "http://localhost:8000/sessions",
        "///evil.example",
        "/%09/evil.example",
    ],
)
def test_nobody_is_sent_to_another_site(fan, path):
    plain_browser = PlainBrowser()
    assert "next" not in plain_browser.get(f"/login?next={path}").fields
    seen = plain_browser.sign_in(EMAIL, PASSWORD, f"/login?next={path}")
    assert (seen.status, seen.to) == (302, "/")


def test_after_five_failures_even_the_right_password_waits(fan):
    plain_browser = PlainBrowser()
    for _ in range(5):
        assert WRONG in plain_browser.sign_in(EMAIL, "wrong").text
    refused = plain_browser.sign_in(EMAIL, PASSWORD)
    assert MANY in refused.text
    assert "You can try again in 5 min." in refused.text
    assert refused.fields["login"]["value"] == EMAIL
    assert plain_browser.user_id == ""


def test_the_limit_does_not_tell_who_has_an_account(fan):
    answers = []
    for email in (EMAIL, "nobody@example.org"):
        plain_browser = PlainBrowser(REMOTE_ADDR=f"192.0.2.{len(answers)}")
        answers.append([WRONG in plain_browser.sign_in(email, "wrong").text for _ in range(7)])
    assert answers[0] == answers[1] == [True] * 5 + [False] * 2


def test_a_browser_that_was_in_before_has_tries_of_its_own(fan):
    own = PlainBrowser()
    own.sign_in(EMAIL, PASSWORD)
    own.client.post("/sign-out", headers={"Origin": settings.PUBLIC_URL})
    assert own.user_id == ""
    cookie = own.client.cookies[settings.BROWSER_COOKIE_NAME]
    assert (cookie["httponly"], cookie["samesite"]) == (True, "Lax")
    assert "fan" not in cookie.value
    for _ in range(6):
        seen = PlainBrowser().sign_in(EMAIL, "wrong")
    assert MANY in seen.text
    assert own.sign_in(EMAIL, PASSWORD).to == "/"


def test_a_browsers_cookie_that_somebody_made_up_is_worth_nothing(fan):
    own = PlainBrowser()
    own.sign_in(EMAIL, PASSWORD)
    value = own.client.cookies[settings.BROWSER_COOKIE_NAME].value
    for _ in range(5):
        PlainBrowser().sign_in(EMAIL, "wrong")
    forged = PlainBrowser()
    forged.client.cookies[settings.BROWSER_COOKIE_NAME] = value[:-1] + ("A" if value[-1] != "A" else "B")
    assert MANY in forged.sign_in(EMAIL, PASSWORD).text


def test_counters_that_are_away_keep_nobody_out(fan, monkeypatch, caplog):
    def broken(*_, **__):
        raise OSError("away")

    monkeypatch.setattr("apps.core.rate_limits.autocommit_pool", SimpleNamespace(run=broken))
    assert PlainBrowser().sign_in(EMAIL, PASSWORD).to == "/"
    assert "a sign-in was not counted" in [each.message for each in caplog.records if each.levelname == "ERROR"]


def test_a_flood_lets_no_guess_pass_uncounted(fan, monkeypatch, caplog):
    monkeypatch.setattr(autocommit_pool, "WAIT", 0.01)
    plain_browser = PlainBrowser()
    page = plain_browser.get("/login")
    typed = {"csrfmiddlewaretoken": page.fields["csrfmiddlewaretoken"]["value"], "login": EMAIL, "password": PASSWORD}
    with ExitStack() as others:  # concurrent sign-ins that count their attempts
        for _ in range(autocommit_pool.CONNECTIONS):
            others.enter_context(autocommit_pool.autocommit_pool.slots)
        assert MANY in plain_browser.client.post("/login", typed).content.decode()
    assert not [each for each in caplog.records if each.levelname == "ERROR"]
    assert plain_browser.client.post("/login", typed).status_code == 302


@pytest.mark.parametrize(("error", "status"), [(OperationalError("away"), 503), (ZeroDivisionError(), 500)])
async def test_a_door_that_breaks_says_so_plainly(monkeypatch, error, status):
    def broken(*_, **__):
        raise error

    monkeypatch.setattr("allauth.account.auth_backends.filter_users_by_email", broken)
    answer = await AsyncClient(raise_request_exception=False).post("/login", {"login": EMAIL, "password": "x"})
    assert answer.status_code == status
    assert answer.headers.get("Retry-After") == ("5" if status == 503 else None)
    assert "Traceback" not in answer.content.decode()
    assert "frame-ancestors 'none'" in answer["Content-Security-Policy"]


def test_a_closed_account_is_told_so_only_with_its_password(fan):
    fan.is_active = False
    fan.save()
    assert WRONG in PlainBrowser().sign_in(EMAIL, "wrong").text
    plain_browser = PlainBrowser()
    assert plain_browser.sign_in(EMAIL, PASSWORD).to == "/account-closed"
    seen = plain_browser.get("/account-closed")
    assert (seen.status, plain_browser.user_id) == (403, "")
    assert "This account is closed" in seen.text


def test_a_form_without_its_token_is_explained_and_leads_back(fan):
    plain_browser = PlainBrowser()
    answer = plain_browser.client.post("/login", {"login": EMAIL, "password": PASSWORD})
    assert answer.status_code == 403
    html = answer.content.decode()
    assert "This form was not sent, and nothing was changed." in html
    assert 'href="/login"' in html
    assert answer["Cache-Control"] == "no-store"
    assert plain_browser.user_id == ""
    others = PlainBrowser().get("/login").fields["csrfmiddlewaretoken"]["value"]
    assert plain_browser.client.post("/login", {"csrfmiddlewaretoken": others}).status_code == 403


def test_the_password_again(fan):
    stranger = PlainBrowser().get("/reauthenticate")
    assert (stranger.status, unquote(stranger.to)) == (302, "/login?next=/reauthenticate")
    plain_browser = PlainBrowser()
    plain_browser.sign_in(EMAIL, PASSWORD)
    assert "password" in plain_browser.get("/reauthenticate?next=/profile").fields
    assert "Incorrect password." in plain_browser.post("/reauthenticate?next=/profile", password="wrong").text
    assert plain_browser.post("/reauthenticate?next=/profile", password=PASSWORD).to == "/profile"
    assert plain_browser.post("/reauthenticate?next=//evil.example", password=PASSWORD).to == "/"


def test_every_door_is_in_the_table_or_below_one_that_is(fan):
    plain = [route.pattern for route in table() if route.plain]
    for each in sign_in_patterns:
        assert isinstance(each, URLPattern)
        path = f"/{each.pattern}"
        below = [pattern for pattern in plain if path == pattern or path.startswith(f"{pattern}/")]
        assert below or path == "/account-closed", path


@pytest.mark.parametrize("path", ["/accounts/login/", "/accounts/", "/accounts/signup/", "/accounts/logout/"])
def test_allauths_own_addresses_lead_home_like_any_unknown_path(path):
    assert resolve(path).func is page_view.page
    assert find(path, ANONYMOUS) == Redirect("/")
