"""Forged forms, redirects to other sites and lying headers are refused, at every address."""

import re
from html import unescape
from urllib.parse import quote

import pytest
from django.conf import settings
from django.test import Client
from django.urls import URLPattern

from apps.accounts.services.accounts import account_create
from apps.accounts.urls import sign_in_patterns
from components.routes import table
from project.urls import urlpatterns
from tests.factories import PASSWORD
from tests.project.plain_browser import PlainBrowser, link_in, mails
from tests.project.security.trying import rows
from tests.serving import session_cookie

pytestmark = pytest.mark.django_db(transaction=True)
EMAIL = "fan@example.org"
REFUSED = "This form was not sent, and nothing was changed."
BY_ORIGIN = {
    "/push-subscription",
    "/sign-out",
    "/error-log",
}  # these check the Origin header: no form posts there, or one on every page
BY_ADDRESS = {"/unsubscribe"}  # mail programs post it without a cookie; the signed key in it is the permission
ELSEWHERE = (
    "https://evil.example", "http://evil.example/", "//evil.example", "///evil.example", "////evil.example",
    "/\\evil.example", "\\\\evil.example", "\\/evil.example", "/\\/evil.example", "http:evil.example",
    "http:/evil.example", "https:///evil.example", "HTTPS://evil.example", " //evil.example", "\t//evil.example",
    "/\t/evil.example", "/\n/evil.example", "\r\n//evil.example", "/%2fevil.example", "/%252fevil.example",
    "/%5cevil.example", "%2f%2fevil.example", "/%09/evil.example", "//evil.example%2f@localhost",
    "//localhost@evil.example",
    "//localhost:8000.evil.example", "https://localhost.evil.example", "javascript:alert(1)", "JaVaScRiPt:alert(1)",
    "java\tscript:alert(1)", "data:text/html,<script>alert(1)</script>", "vbscript:x", "evil.example", ".evil.example",
    "@evil.example", "/ok\r\nSet-Cookie: a=b", "/ok%0d%0aSet-Cookie:%20a=b", "//[::1]/", "//evil\u3002example",
    "/\u2028/evil",
)  # fmt: skip

PROFILE = "/profile/settings"  # like COMMANDS
COMMANDS = {"/do/1"}  # anonymous visitors are redirected before the token is checked


def path_of(pattern: URLPattern) -> str:
    """Return the address of a URL pattern, with the id 1."""
    return "/" + re.sub(r"<[^>]*>", "1", str(pattern.pattern).replace("<stage_file:name>", "ranking.csv"))


ADDRESSES = {path_of(each): each.callback for each in urlpatterns[:-1]}
DOORS = [path_of(each) for each in sign_in_patterns]


@pytest.fixture
def fan(transactional_db):
    return account_create(email=EMAIL, password=PASSWORD, username="fan")


@pytest.fixture
def browser(fan):
    """The fan's own browser, signed in."""
    plain_browser = PlainBrowser()
    plain_browser.client.cookies.load(session_cookie(fan))
    return plain_browser


def token_in(plain_browser: PlainBrowser) -> str:
    """Return a token that this browser may post."""
    return plain_browser.get("/forgot-password").fields["csrfmiddlewaretoken"]["value"]


def typed(**more: str) -> dict[str, str]:
    """Return values that would change something if a form accepted them."""
    return {
        "login": EMAIL, "email": EMAIL, "username": "another", "password": PASSWORD, "password1": "another-row",
        "password2": "another-row", "avatar_url": "https://evil.example/a.png", **more,
    }  # fmt: skip


def test_only_what_asks_for_the_origin_or_changes_nothing_does_without_a_token():
    exempt = {path for path, view in ADDRESSES.items() if getattr(view, "csrf_exempt", False)}
    assert exempt == BY_ORIGIN | BY_ADDRESS | COMMANDS


@pytest.mark.parametrize("signed_in", [True, False])
def test_no_form_is_taken_without_its_own_token(fan, browser, signed_in):
    plain_browser = browser if signed_in else PlainBrowser()
    token_in(plain_browser)
    others = token_in(PlainBrowser())
    own = plain_browser.client.cookies[settings.CSRF_COOKIE_NAME].value
    before = rows()
    for path in ADDRESSES.keys() - BY_ORIGIN - BY_ADDRESS:
        for forged in ({}, {"csrfmiddlewaretoken": others}, {"csrfmiddlewaretoken": own[::-1]}, {"token": own}):
            answer = plain_browser.client.post(path, typed(**forged))
            if path in COMMANDS | {PROFILE} and not signed_in:  # typed values of an ended session would be kept
                assert answer["Location"] in {"/login?next=%2F", "/profile"}, (path, forged)
                continue
            assert answer.status_code == 403, (path, forged)
            assert REFUSED in unescape(answer.content.decode()), (path, forged)
    assert rows() == before
    assert mails() == []


def test_no_form_is_taken_from_another_sites_page_whatever_it_knows(browser):
    token = token_in(browser)
    before = rows()
    for path in ADDRESSES.keys() - BY_ADDRESS:
        for origin in ("https://evil.example", "null", "http://localhost", f"{settings.PUBLIC_URL}.evil.example"):
            data = typed(csrfmiddlewaretoken=token)
            answer = browser.client.post(path, data, headers={"Origin": origin})
            assert answer.status_code == 403, (path, origin)
    assert rows() == before
    assert mails() == []


def test_what_asks_for_the_origin_takes_nothing_without_one(browser):
    before = rows()
    for path in BY_ORIGIN:
        assert browser.client.post(path, typed(csrfmiddlewaretoken=token_in(browser))).status_code == 403, path
    assert rows() == before


def test_what_is_permitted_by_its_address_refuses_a_forged_one(browser):
    before = rows()
    for path in BY_ADDRESS:
        answer = browser.client.post(path, typed(csrfmiddlewaretoken=token_in(browser)))
        assert answer.status_code == 404, path
    after = rows()
    assert before | {"rate_limits": after["rate_limits"]} == after


def test_a_token_of_ones_own_opens_every_one_of_them(browser):
    """Shows that the token is what the tests above lack."""
    for path in ADDRESSES.keys() - BY_ORIGIN:
        answer = browser.client.post(path, {"csrfmiddlewaretoken": token_in(browser)})
        assert REFUSED not in unescape(answer.content.decode()), path
        assert answer.status_code < 500, path


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
def test_pages_take_nothing_at_all(browser, method):
    before = rows()
    for route in table():
        path = route.pattern.replace("{id}", "1")
        if path not in ADDRESSES:
            assert getattr(browser.client, method)(path, typed()).status_code == 405, path
    assert rows() == before


def is_here(place: str) -> bool:
    """Return whether this redirect stays on this site, as browsers parse addresses."""
    read = re.sub(r"[\t\r\n]", "", place.strip()).replace("\\", "/")
    return read.startswith("/") and not read.startswith("//")


def stays(seen) -> None:
    """Assert that neither the answer nor its forms lead to another site."""
    assert not seen.to or is_here(seen.to), seen.to
    assert is_here(seen.headers.get("Refresh", "0; url=/").partition("url=")[2])
    assert is_here(seen.fields.get("next", {}).get("value", "/"))
    for action in re.findall(r'<form[^>]* action="([^"]*)"', seen.html):
        assert not action or is_here(unescape(action)), action
    assert not re.search(r"\s", seen.to)
    assert not [each for each in re.findall(r'href="([^"]*evil[^"]*)"', seen.html) if not is_here(unescape(each))]


@pytest.mark.parametrize("signed_in", [True, False])
def test_no_door_leads_elsewhere_when_it_is_opened(browser, signed_in):
    plain_browser = browser if signed_in else PlainBrowser()
    for path in DOORS:
        for vector in ELSEWHERE:
            stays(plain_browser.get(f"{path}?next={quote(vector, safe='')}"))


@pytest.mark.parametrize(
    "path", ["/forgot-password", "/verify-email/send", "/login", "/register", "/register/sent/again", "/reauthenticate"]
)
def test_no_door_leads_elsewhere_when_it_is_answered(browser, path):
    plain_browser = browser if path == "/reauthenticate" else PlainBrowser()
    token = token_in(plain_browser)
    for vector in ELSEWHERE:
        answer = plain_browser.client.post(
            path, {"csrfmiddlewaretoken": token, "next": vector, "email": "", "login": ""}
        )
        stays(plain_browser._seen(answer))


@pytest.mark.parametrize("vector", ["//evil.example", "/\\evil.example", "https://evil.example", "/\t/evil.example"])
def test_whoever_gets_in_stays_here(fan, vector):
    plain_browser = PlainBrowser()
    data = {"csrfmiddlewaretoken": token_in(plain_browser), "next": vector, "login": EMAIL, "password": PASSWORD}
    answer = plain_browser.client.post(f"/login?next={quote(vector, safe='')}", data)
    assert (answer.status_code, answer["Location"]) == (302, "/")
    assert plain_browser.user_id == str(fan.pk)


LIES = {
    "HTTP_X_FORWARDED_HOST": "evil.example",
    "HTTP_X_FORWARDED_SERVER": "evil.example",
    "HTTP_X_FORWARDED_PROTO": "https",
    "HTTP_X_FORWARDED_PORT": "8443",
    "HTTP_X_HOST": "evil.example",
    "HTTP_X_ORIGINAL_URL": "https://evil.example/",
    "HTTP_X_REWRITE_URL": "/evil",
    "HTTP_FORWARDED": "for=192.0.2.60;proto=https;host=evil.example",
}


@pytest.mark.parametrize(
    ("path", "form"),
    [
        ("/forgot-password", {"email": EMAIL}),
        ("/register", {"email": "new@example.org", "username": "newcomer", "password1": PASSWORD}),
    ],
)
def test_links_in_mails_name_this_site_whatever_a_request_says(fan, path, form):
    PlainBrowser(**LIES).post(path, **form)
    (message,) = mails()
    assert link_in(message)
    assert f"{settings.PUBLIC_URL}/" in message.body
    assert "evil" not in message.body + message.alternatives[0][0]


@pytest.mark.parametrize(
    "host", ["evil.example", "localhost.evil.example", "localhost:8000@evil.example", "evil.example:80"]
)
def test_another_host_gets_nothing(fan, host):
    answer = Client(HTTP_HOST=host).post("/forgot-password", {"email": EMAIL})
    assert answer.status_code == 400
    assert "evil" not in answer.content.decode()
    assert mails() == []


def test_nobody_multiplies_the_tries_by_saying_to_be_others(fan):
    names = (
        "X_REAL_IP",
        "X_FORWARDED_FOR",
        "CLIENT_IP",
        "TRUE_CLIENT_IP",
        "CF_CONNECTING_IP",
        "X_CLIENT_IP",
        "FORWARDED",
    )
    said = []
    for number in range(8):
        lies = {f"HTTP_{name}": f"192.0.2.{number}" for name in names}
        said.append("Invalid login credentials" in PlainBrowser(**lies).sign_in(EMAIL, "wrong").text)
    assert said == [True] * 5 + [False] * 3
