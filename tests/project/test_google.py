"""Signing in with Google, in which a provider of the tests' own takes Google's place."""

import re
import urllib.parse
import urllib.request

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.totp.internal.auth import TOTP
from allauth.socialaccount.models import SocialAccount

from apps.accounts.models import AuthSession, User
from apps.accounts.services import account_create
from apps.accounts.sessions import SessionStore
from project.google import Google
from project.policy import security_headers
from tests import provider
from tests.factories import PASSWORD
from tests.project.doors import Door, Seen, mails

pytestmark = pytest.mark.django_db(transaction=True)
ERROR = "Error during login. Please try again."
UNEXPECTED = "Unexpected error. Redirecting to login..."
PICTURE = "https://pictures.example/ewa.jpg"
EWA = {"sub": "1001", "email": "Ewa@example.org", "email_verified": True, "name": "Ewa Nowak", "picture": PICTURE}
UNSURE = {"sub": "1002", "email": "unsure@example.org", "email_verified": False, "picture": "javascript:alert(1)"}
NAMELESS = {"sub": "1003", "name": "No address"}


class Still(urllib.request.HTTPRedirectHandler):
    """Stays where it is sent away from."""

    def redirect_request(self, *_):
        return None


@pytest.fixture(scope="module")
def address():
    with provider.provider([EWA, UNSURE, NAMELESS]) as served:
        yield served


def with_google(settings, google):
    settings.GOOGLE = google
    settings.SOCIALACCOUNT_PROVIDERS = {"google": google.provider}
    security_headers.cache_clear()


@pytest.fixture
def google(settings, address):
    with_google(settings, Google(*provider.environment(address).values()))
    yield
    security_headers.cache_clear()


@pytest.fixture
def nobody_listens(settings):
    closed = f"http://127.0.0.1:{provider.free_port()}"
    with_google(settings, Google(*provider.environment(closed).values()))
    yield
    security_headers.cache_clear()


def begun(door: Door, path: str = "/login", **typed: str) -> Seen:
    """Press the button of the screen at `path`."""
    page = door.get(path)
    [to] = re.findall(r'action="([^"]+/google)"', page.html)
    token = page.fields["csrfmiddlewaretoken"]["value"]
    onward = {"next": page.fields["next"]["value"]} if "next" in page.fields else {}
    return door._seen(door.client.post(to, {"csrfmiddlewaretoken": token, **onward, **typed}))


def answered(asked: str, **form: str) -> str:
    """The way back, with what somebody chose at the provider."""
    opener = urllib.request.build_opener(Still)
    request = urllib.request.Request(asked, urllib.parse.urlencode(form).encode())  # noqa: S310
    try:
        opener.open(request)
    except urllib.error.HTTPError as found:
        back = found.headers["Location"]
        assert back.startswith("http://localhost:8000/auth/callback?"), back
        return str(back.removeprefix("http://localhost:8000"))
    raise AssertionError("the provider sent nobody back")


def finished(door: Door, back: str) -> Seen:
    """Come back: the page that says so, and what it goes on to."""
    seen = door.get(back)
    assert "Finalizing login..." in seen.text
    seconds, onward = seen.headers["Refresh"].split("; url=")
    assert seconds == "0"
    return door.get(onward)


def signed_in(door: Door, sub: str = "1001", path: str = "/login") -> Seen:
    return finished(door, answered(begun(door, path).to, sub=sub))


def test_without_an_account_at_google_there_is_no_button():
    for path in ("/login", "/register"):
        assert "Google" not in Door().get(path).text
    door = Door()
    assert door.post("/login").status == 200
    token = door.get("/login").fields["csrfmiddlewaretoken"]["value"]
    assert door.client.post("/login/google", {"csrfmiddlewaretoken": token})["Location"] == "/login"
    assert "Failed to sign in with Google. Please try again." in door.get("/login").text
    assert door.client.post("/register/google", {"csrfmiddlewaretoken": token})["Location"] == "/register"
    assert "Failed to sign in with Google" in door.get("/register").text
    assert "form-action 'self';" in door.get("/login").headers["Content-Security-Policy"]


def test_button_leads_to_google_with_state_and_pkce(google, address):
    door = Door()
    policy = door.get("/login").headers["Content-Security-Policy"]
    assert f"form-action 'self' {address};" in policy
    asked = urllib.parse.urlsplit(begun(door, process="connect", scope="everything").to)
    query = dict(urllib.parse.parse_qsl(asked.query))
    assert asked.geturl().startswith(f"{address}/oauth2/authorize?")
    assert query["redirect_uri"] == "http://localhost:8000/auth/callback"
    assert (query["response_type"], query["code_challenge_method"]) == ("code", "S256")
    assert set(query["scope"].split()) == {"openid", "profile", "email"}
    assert len(query["state"]) >= 16
    assert len(query["code_challenge"]) == 43


def test_the_button_needs_the_pages_token(google):
    assert Door().client.post("/login/google").status_code == 403
    assert Door().get("/login/google?next=/news").to == "/login?next=%2Fnews"


def test_the_first_time_makes_an_account(google):
    door = Door()
    seen = signed_in(door, path="/login?next=/sessions/1")
    assert (seen.status, seen.to) == (302, "/sessions/1")
    user = User.objects.get()
    assert door.user_id == str(user.pk)
    assert (user.email, user.avatar_url) == ("ewa@example.org", PICTURE)
    assert re.fullmatch(r"chopin\d{4}", user.username)
    assert not user.has_usable_password()
    assert EmailAddress.objects.values_list("email", "verified", "primary").get() == ("ewa@example.org", True, True)
    assert SocialAccount.objects.values_list("user", "provider", "uid", "extra_data").get() == (
        user.pk, "google", "1001", {},
    )  # fmt: skip
    assert mails() == []


def test_the_second_time_is_the_same_account_whatever_its_address_is_now(google):
    signed_in(Door())
    User.objects.update(email="another@example.org", avatar_url="", username="ewa")
    door = Door()
    assert signed_in(door, path="/register").to == "/"
    user = User.objects.get()
    assert (door.user_id, user.username, user.avatar_url) == (str(user.pk), "ewa", "")
    assert SocialAccount.objects.count() == 1


def test_an_address_alone_opens_no_account(google):
    account_create(email="ewa@example.org", password=PASSWORD, username="ewa")
    door = Door()
    seen = signed_in(door, path="/login?next=/news")
    assert (seen.to, door.user_id) == ("/login", "")
    assert "There is an account with this address already. Please log in with its password." in door.get(seen.to).text
    assert not SocialAccount.objects.exists()
    assert door.sign_in("ewa@example.org", PASSWORD).to == "/"


def test_an_address_that_google_does_not_vouch_for_has_to_be_confirmed(google):
    door = Door()
    assert signed_in(door, sub="1002").to == "/verify-email/sent"
    assert door.user_id == ""
    assert [mail.to for mail in mails()] == [["unsure@example.org"]]
    assert EmailAddress.objects.get().verified is False
    assert User.objects.get().avatar_url == ""


def test_such_an_address_tells_nobody_who_has_an_account(google):
    account_create(email="unsure@example.org", password=PASSWORD, username="unsure")
    door = Door()
    assert signed_in(door, sub="1002").to == "/verify-email/sent"
    [mail] = mails()
    assert mail.to == ["unsure@example.org"]
    assert "?key=" not in mail.body
    assert not SocialAccount.objects.exists()
    assert User.objects.count() == 1


def test_whoever_shows_no_address_gets_no_account(google):
    seen = signed_in(Door(), sub="1003")
    assert ERROR in seen.text
    assert not User.objects.exists()


def failing(seen: Seen, words: str = ERROR) -> bool:
    assert words in seen.text
    assert "Return to login" in seen.text
    assert seen.headers["Refresh"] == "3; url=/login"
    return not AuthSession.objects.filter(user__isnull=False).exists()


def test_refused_by_the_person(google):
    door = Door()
    asked = begun(door).to
    state = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(asked).query))["state"]
    back = answered(asked, action="deny")
    assert "error=access_denied" in back
    assert failing(finished(door, back))
    assert failing(finished(door, f"/auth/callback?error=access_denied&state={state}"))


@pytest.mark.parametrize(
    "query", ["error=server_error", "error=server_error&state=made-up", "code=made-up", "code=made-up&state=made-up"]
)
def test_answers_that_nobody_asked_for_are_refused(google, query):
    assert failing(finished(Door(), f"/auth/callback?{query}"))


def test_wrong_state_is_refused_though_the_code_is_right(google):
    door = Door()
    back = re.sub(r"state=\w", "state=_", answered(begun(door).to, sub="1001"))
    assert failing(finished(door, back))
    assert not User.objects.exists()


def test_right_state_with_a_made_up_code_is_refused(google):
    door = Door()
    back = re.sub(r"code=\w+", "code=madeup", answered(begun(door).to, sub="1001"))
    assert failing(finished(door, back))


def test_replayed_answer_is_refused(google):
    door = Door()
    back = answered(begun(door).to, sub="1001")
    assert finished(door, back).to == "/"
    AuthSession.objects.all().delete()
    assert failing(finished(door, back))
    assert failing(finished(Door(), back))


def test_another_browsers_answer_is_refused(google):
    back = answered(begun(Door()).to, sub="1001")
    other = Door()
    begun(other)
    assert failing(finished(other, back))
    assert not User.objects.exists()


def test_google_that_is_away_ends_nothing_but_this(nobody_listens):
    door = Door()
    asked = begun(door).to
    state = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(asked).query))["state"]
    assert failing(finished(door, f"/auth/callback?code=any&state={state}"))
    account_create(email="fan@example.org", password=PASSWORD, username="fan")
    assert door.sign_in("fan@example.org", PASSWORD).to == "/"


def test_what_breaks_off_is_said_and_logged(google, monkeypatch, caplog):
    door = Door()
    back = answered(begun(door).to, sub="1001")

    def broken(**_):
        raise OSError("away")

    monkeypatch.setattr("apps.accounts.social.account_create_linked", broken)
    assert failing(finished(door, back), UNEXPECTED)
    assert "a sign-in with Google broke off" in [each.message for each in caplog.records]
    assert not User.objects.exists()


def test_a_way_that_cannot_begin_says_so(google, monkeypatch, caplog):
    door = Door()

    def broken(*_, **__):
        raise OSError("away")

    monkeypatch.setattr("allauth.socialaccount.internal.statekit.stash_state", broken)
    assert begun(door, "/login?next=/news").to == "/login?next=%2Fnews"
    assert "Unexpected error during login. Please try again." in door.get("/login").text
    assert begun(door, "/register").to == "/register"
    assert "Failed to sign in with Google" in door.get("/register").text
    assert "a way to Google could not be begun" in [each.message for each in caplog.records]


def test_ways_to_google_are_counted(google):
    door = Door()
    assert {begun(door).to[:4] for _ in range(30)} == {"http"}
    assert begun(door).to == "/login"
    assert "Too many attempts. Please try again later." in door.get("/login").text


def test_coming_back_with_nothing_leads_on(google):
    door = Door()
    seen = door.get("/auth/callback")
    assert "Finalizing login..." in seen.text
    assert seen.headers["Refresh"] == "0; url=/login"
    assert "Return to login" in seen.text
    signed_in(door)
    assert door.get("/auth/callback").headers["Refresh"] == "0; url=/"


def test_nobody_is_led_to_another_site(google):
    assert signed_in(Door(), path="/login?next=https://evil.example/").to == "/"
    door = Door()
    assert finished(door, answered(begun(door, next="//evil.example/").to, sub="1001")).to == "/"


def test_closed_account_stays_closed(google):
    signed_in(Door())
    User.objects.update(is_active=False)
    door = Door()
    assert signed_in(door).to == "/account-closed"
    assert door.user_id == ""


def test_a_second_factor_is_asked_of_those_who_come_from_google_too(google):
    signed_in(Door())
    TOTP.activate(User.objects.get(), "A" * 32)
    door = Door()
    assert signed_in(door).to == "/two-factor"
    assert door.user_id == ""


def test_whoever_has_no_password_proves_it_by_google(google):
    door = Door()
    signed_in(door)
    [session] = AuthSession.objects.filter(user__isnull=False)
    store = SessionStore(session.key)
    store["account_authentication_methods"] = []
    store.save()
    seen = door.get("/profile/two-factor/app")
    assert seen.to == "/reauthenticate?next=/profile/two-factor/app"
    assert "password" not in door.get(seen.to).fields
    assert signed_in(door, path=seen.to).to == "/profile/two-factor/app"
    assert door.get("/profile/two-factor/app").status == 200
