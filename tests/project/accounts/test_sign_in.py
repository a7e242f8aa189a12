"""Signing in: allauth's view at this site's address, with this site's page, limits and texts."""

from contextlib import ExitStack
from unicodedata import normalize
from urllib.parse import quote

import pytest
from django.conf import settings
from django.contrib.auth.hashers import get_hasher, make_password
from django.db import OperationalError
from django.test import AsyncClient
from django.urls import URLPattern, resolve

from apps.accounts.actors import ANONYMOUS
from apps.accounts.models import User
from apps.accounts.sign_in.passwords import password_errors
from apps.accounts.urls import sign_in_patterns
from apps.core.database import autocommit_pool
from components.routes import find, table
from components.runtime.page import Redirect
from project.http import page_view
from tests.factories import PASSWORD
from tests.offenders import check_each
from tests.project.accounts.test_registration_next import OTHER_SITES
from tests.project.plain_browser import PlainBrowser
from tests.rate_limits import attempts_clear

pytestmark = pytest.mark.django_db(transaction=True)
WRONG = "Invalid login credentials. Please try again."
TOO_MANY = "Too many attempts. Please try again later."
EMAIL = "fan@example.org"


def test_sign_in_ignores_case_and_spaces_of_the_address(fan):
    browser = PlainBrowser()
    response = browser.sign_in(" Fan@EXAMPLE.org ", PASSWORD)
    assert (response.status, response.to) == (302, "/")
    assert browser.user_id == str(fan.pk)
    assert "Sign out" in browser.get("/forgot-password").text


def test_password_is_the_same_composed_and_decomposed(fan):
    composed, decomposed = (normalize(form, "zażółć-gęślą") for form in ("NFC", "NFD"))
    hasher = get_hasher()
    before_normalisation = hasher.encode_form(decomposed, hasher.salt())
    for stored in (make_password(decomposed), before_normalisation):
        for typed in (composed, decomposed):
            User.objects.update(password=stored)
            assert PlainBrowser().sign_in(EMAIL, typed).to == "/"
            assert hasher.is_of_normal(composed, User.objects.get().password)
    assert password_errors(normalize("NFD", "ąęść"), "ąęść", user=fan) == {
        "password1": ["Password must be at least 6 characters long"]
    }


@pytest.mark.parametrize(("email", "password"), [(EMAIL, "wrong"), ("unknown@example.org", PASSWORD)])
def test_wrong_credentials_get_one_error_and_keep_only_the_address(fan, email, password):
    response = PlainBrowser().sign_in(email, password)
    assert response.status == 200
    assert WRONG in response.text
    assert response.fields["login"]["value"] == email
    assert response.fields["password"].get("value", "") == ""
    assert password not in response.html
    assert [name for name, attributes in response.fields.items() if "autofocus" in attributes] == ["password"]


def test_invalid_form_is_reported_at_its_field_and_kept(fan):
    page = PlainBrowser().get("/login")
    assert page.status == 200
    assert {"csrfmiddlewaretoken", "login", "password", "remember"} <= set(page.fields)
    assert "allauth" not in page.html
    assert page.headers["Cache-Control"] == "no-store"
    assert "frame-ancestors 'none'" in page.headers["Content-Security-Policy"]
    for form, error, field in (
        ({"login": "", "password": "x", "remember": "on"}, "Please enter your e-mail address", "login"),
        ({"login": "nonsense", "password": "x"}, "Please enter a valid e-mail address", "login"),
        ({"login": EMAIL, "password": ""}, "Please enter your password", "password"),
    ):
        response = PlainBrowser().post("/login", **form)
        assert error in response.text
        assert response.wrong == [field]
        assert "autofocus" in response.fields[field]
        assert ("checked" in response.fields["remember"]) is ("remember" in form)


def test_signed_in_user_is_redirected_from_sign_in_and_registration(fan):
    browser = PlainBrowser()
    browser.sign_in(EMAIL, PASSWORD)
    for path in ("/login", "/register"):
        assert (browser.get(path).status, browser.get(path).to) == (302, "/")


def test_sign_in_returns_to_the_previous_page(fan):
    for path in ("/sessions/1", "/sessions?filter=past", "/profile"):
        browser, login = PlainBrowser(), f"/login?next={path}"
        assert browser.get(login).fields["next"]["value"] == path
        assert browser.sign_in(EMAIL, "wrong", login).fields["next"]["value"] == path
        assert browser.sign_in(EMAIL, PASSWORD, login).to == path


def test_sign_in_redirects_to_no_other_site(fan):
    def check(target):
        attempts_clear()
        browser, path = PlainBrowser(), f"/login?next={quote(target, safe='')}"
        assert "next" not in browser.get(path).fields
        response = browser.sign_in(EMAIL, PASSWORD, path)
        assert (response.status, response.to) == (302, "/")

    check_each(OTHER_SITES[::2], check)


def test_five_failures_refuse_the_right_password_and_reveal_no_account(fan):
    for number, email in enumerate((EMAIL, "unknown@example.org")):
        browser = PlainBrowser(REMOTE_ADDR=f"192.0.2.{number}")
        is_checked = [WRONG in browser.sign_in(email, "wrong").text for _ in range(7)]
        assert is_checked == [True] * 5 + [False] * 2
        refused = browser.sign_in(email, PASSWORD)
        assert TOO_MANY in refused.text
        assert "You can try again in 5 min." in refused.text
        assert refused.fields["login"]["value"] == email
        assert browser.user_id == ""


def test_known_browser_has_its_own_attempts_and_its_cookie_cannot_be_forged(fan):
    own = PlainBrowser()
    own.sign_in(EMAIL, PASSWORD)
    own.client.post("/sign-out", headers={"Origin": settings.PUBLIC_URL})
    assert own.user_id == ""
    cookie = own.client.cookies[settings.BROWSER_COOKIE_NAME]
    assert (cookie["httponly"], cookie["samesite"]) == (True, "Lax")
    assert "fan" not in cookie.value
    for _ in range(6):
        response = PlainBrowser().sign_in(EMAIL, "wrong")
    assert TOO_MANY in response.text
    forged = PlainBrowser()
    forged.client.cookies[settings.BROWSER_COOKIE_NAME] = cookie.value[:-1] + ("A" if cookie.value[-1] != "A" else "B")
    assert TOO_MANY in forged.sign_in(EMAIL, PASSWORD).text
    assert own.sign_in(EMAIL, PASSWORD).to == "/"


def test_sign_in_without_a_free_counter_connection_is_refused(fan, monkeypatch, caplog):
    monkeypatch.setattr(autocommit_pool, "WAIT", 0.01)
    browser = PlainBrowser()
    page = browser.get("/login")
    form = {"csrfmiddlewaretoken": page.fields["csrfmiddlewaretoken"]["value"], "login": EMAIL, "password": PASSWORD}
    with ExitStack() as others:  # concurrent sign-ins that count their attempts
        for _ in range(autocommit_pool.CONNECTIONS):
            others.enter_context(autocommit_pool.autocommit_pool.slots)
        assert TOO_MANY in browser.client.post("/login", form).content.decode()
    assert not [record for record in caplog.records if record.levelname == "ERROR"]
    assert browser.client.post("/login", form).status_code == 302


@pytest.mark.parametrize(("error", "status"), [(OperationalError("away"), 503), (ZeroDivisionError(), 500)])
async def test_sign_in_error_answers_without_a_traceback(monkeypatch, error, status):
    def broken(*_, **__):
        raise error

    monkeypatch.setattr("allauth.account.auth_backends.filter_users_by_email", broken)
    answer = await AsyncClient(raise_request_exception=False).post("/login", {"login": EMAIL, "password": "x"})
    assert answer.status_code == status
    assert answer.headers.get("Retry-After") == ("5" if status == 503 else None)
    assert "Traceback" not in answer.content.decode()
    assert "frame-ancestors 'none'" in answer["Content-Security-Policy"]


def test_closed_account_is_named_only_after_the_right_password(fan):
    fan.is_active = False
    fan.save()
    assert WRONG in PlainBrowser().sign_in(EMAIL, "wrong").text
    browser = PlainBrowser()
    assert browser.sign_in(EMAIL, PASSWORD).to == "/account-closed"
    response = browser.get("/account-closed")
    assert (response.status, browser.user_id) == (403, "")
    assert "This account is closed" in response.text


def test_sign_in_addresses_belong_to_routes_and_allauths_do_not(fan):
    plain = [route.pattern for route in table() if route.plain]
    for pattern in sign_in_patterns:
        assert isinstance(pattern, URLPattern)
        path = f"/{pattern.pattern}"
        parents = [known for known in plain if path == known or path.startswith(f"{known}/")]
        assert parents or path == "/account-closed", path
    for path in ("/accounts/login/", "/accounts/", "/accounts/signup/", "/accounts/logout/"):
        assert resolve(path).func is page_view.page
        known = find(path, ANONYMOUS)
        assert isinstance(known, Redirect)
        assert known.is_unknown
