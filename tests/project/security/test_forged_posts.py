"""Forged forms, redirects to other sites and lying headers are refused, at every address."""

import re
from html import unescape
from itertools import product
from urllib.parse import quote

import pytest
from django.conf import settings

from apps.accounts.urls import sign_in_patterns
from components.routes import table
from project.urls import urlpatterns
from tests.factories import PASSWORD
from tests.project.plain_browser import PlainBrowser, link_in, mails
from tests.project.security.trying import plain_path_of, rows
from tests.serving import session_cookie

pytestmark = pytest.mark.django_db(transaction=True)
EMAIL = "fan@example.org"
REFUSED = "This form was not sent, and nothing was changed."
# these check the Origin header: no form posts there, or one on every page
BY_ORIGIN = {"/push-subscription", "/sign-out", "/error-log"}
BY_ADDRESS = {"/unsubscribe"}  # mail programs post it without a cookie; the signed key in it is the permission
OTHER_SITES = (
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


ADDRESSES = {plain_path_of(pattern): pattern.callback for pattern in urlpatterns[:-1]}
SIGN_IN_PAGES = [plain_path_of(pattern) for pattern in sign_in_patterns]


@pytest.fixture
def browser(fan):
    """The fan's own browser, signed in."""
    browser = PlainBrowser()
    browser.client.cookies.load(session_cookie(fan))
    return browser


def token_in(browser: PlainBrowser) -> str:
    """Return a token that this browser may post."""
    return browser.get("/forgot-password").fields["csrfmiddlewaretoken"]["value"]


def form_of(**more: str) -> dict[str, str]:
    """Return values that would change something if a form accepted them."""
    return {
        "login": EMAIL, "email": EMAIL, "username": "another", "password": PASSWORD, "password1": "another-row",
        "password2": "another-row", "avatar_url": "https://evil.example/a.png", **more,
    }  # fmt: skip


def test_only_known_addresses_are_exempt_from_csrf():
    exempt = {path for path, view in ADDRESSES.items() if getattr(view, "csrf_exempt", False)}
    assert exempt == BY_ORIGIN | BY_ADDRESS | COMMANDS


def test_forms_require_their_own_token(browser):
    anonymous = PlainBrowser()
    for visitor in (browser, anonymous):
        token_in(visitor)
    others, before = token_in(PlainBrowser()), rows()
    for visitor, path in product((browser, anonymous), ADDRESSES.keys() - BY_ORIGIN - BY_ADDRESS):
        own = visitor.client.cookies[settings.CSRF_COOKIE_NAME].value
        all_forged = ({}, {"csrfmiddlewaretoken": others}, {"csrfmiddlewaretoken": own[::-1]}, {"token": own})
        for forged in all_forged if visitor is browser else all_forged[:2]:
            answer = visitor.client.post(path, form_of(**forged))
            if path in COMMANDS | {PROFILE} and visitor is anonymous:  # values of an ended session would be kept
                assert answer["Location"] in {"/login?next=%2F", "/profile"}, (path, forged)
                continue
            assert answer.status_code == 403, (path, forged)
            assert REFUSED in unescape(answer.content.decode()), (path, forged)
    assert rows() == before
    assert mails() == []


def test_forms_of_other_origins_are_refused(browser):
    token = token_in(browser)
    before = rows()
    for path in ADDRESSES.keys() - BY_ADDRESS:
        for origin in ("https://evil.example", "null", "http://localhost", f"{settings.PUBLIC_URL}.evil.example"):
            data = form_of(csrfmiddlewaretoken=token)
            answer = browser.client.post(path, data, headers={"Origin": origin})
            assert answer.status_code == 403, (path, origin)
    assert rows() == before
    assert mails() == []


def test_exempt_addresses_check_the_origin_or_the_signed_key(browser):
    before = rows()
    for path in BY_ORIGIN:
        assert browser.client.post(path, form_of(csrfmiddlewaretoken=token_in(browser))).status_code == 403, path
    assert rows() == before
    for path in BY_ADDRESS:
        assert browser.client.post(path, form_of(csrfmiddlewaretoken=token_in(browser))).status_code == 404, path
    after = rows()
    assert before | {"rate_limits": after["rate_limits"]} == after


def test_own_token_is_accepted_everywhere(browser):
    """Shows that the token is what the tests above lack."""
    for path in ADDRESSES.keys() - BY_ORIGIN:
        answer = browser.client.post(path, {"csrfmiddlewaretoken": token_in(browser)})
        assert REFUSED not in unescape(answer.content.decode()), path
        assert answer.status_code < 500, path


def test_pages_accept_no_writing_method(browser):
    before = rows()
    paths = {route.pattern.replace("{id}", "1") for route in table()} - ADDRESSES.keys()
    for path, method in product(paths, ("post", "put", "patch", "delete")):
        assert getattr(browser.client, method)(path, form_of()).status_code == 405, (method, path)
    assert rows() == before


def is_on_site(place: str) -> bool:
    """Return whether this redirect stays on this site, as browsers parse addresses."""
    address = re.sub(r"[\t\r\n]", "", place.strip()).replace("\\", "/")
    return address.startswith("/") and not address.startswith("//")


def check_stays_on_site(seen) -> None:
    """Assert that neither the answer nor its forms lead to another site."""
    assert not seen.to or is_on_site(seen.to), seen.to
    assert is_on_site(seen.headers.get("Refresh", "0; url=/").partition("url=")[2])
    assert is_on_site(seen.fields.get("next", {}).get("value", "/"))
    for action in re.findall(r'<form[^>]* action="([^"]*)"', seen.html):
        assert not action or is_on_site(unescape(action)), action
    assert not re.search(r"\s", seen.to)
    assert not [link for link in re.findall(r'href="([^"]*evil[^"]*)"', seen.html) if not is_on_site(unescape(link))]


def some_sites(number):
    """Return all addresses of other sites for the first page, and one in five for every other, each time others."""
    return OTHER_SITES[number % 5 :: 5] if number else OTHER_SITES


def test_sign_in_pages_link_to_no_other_site(browser):
    for visitor in (browser, PlainBrowser()):
        for number, path in enumerate(["/login", *SIGN_IN_PAGES]):
            for target in some_sites(number):
                check_stays_on_site(visitor.get(f"{path}?next={quote(target, safe='')}"))


def test_sign_in_forms_redirect_to_no_other_site(browser):
    own = ("/login", "/forgot-password", "/verify-email/send", "/register", "/register/sent/again", "/reauthenticate")
    for number, path in enumerate(own):
        visitor = browser if path == "/reauthenticate" else PlainBrowser()
        token = token_in(visitor)
        for target in some_sites(number):
            form = {"csrfmiddlewaretoken": token, "next": target, "email": "", "login": ""}
            check_stays_on_site(visitor._seen(visitor.client.post(path, form)))


FORGED_HEADERS = {
    "HTTP_X_FORWARDED_HOST": "evil.example",
    "HTTP_X_FORWARDED_SERVER": "evil.example",
    "HTTP_X_FORWARDED_PROTO": "https",
    "HTTP_X_FORWARDED_PORT": "8443",
    "HTTP_X_HOST": "evil.example",
    "HTTP_X_ORIGINAL_URL": "https://evil.example/",
    "HTTP_X_REWRITE_URL": "/evil",
    "HTTP_FORWARDED": "for=192.0.2.60;proto=https;host=evil.example",
}


def test_links_in_mails_contain_the_public_url(fan):
    registration = {"email": "new@example.org", "username": "newcomer", "password1": PASSWORD}
    for path, form in (("/forgot-password", {"email": EMAIL}), ("/register", registration)):
        PlainBrowser(**FORGED_HEADERS).post(path, **form)
        (message,) = mails()
        assert link_in(message)
        assert f"{settings.PUBLIC_URL}/" in message.body
        assert "evil" not in message.body + message.alternatives[0][0]
