"""The screens of signing in, registering, and the return from Google."""

from apps.accounts.actors import Viewer
from components.pages.account import refused, registration, sign_in
from components.runtime.page import Refresh
from tests.components.pages.account.screens import TOKEN, form_of, links, look, typed, visually_hidden
from tests.components.seen import attributes, every, one, text

FAN = Viewer(id=4, username="una_corda")


def kinds(seen):
    return {name: (field["type"], field.get("autoComplete")) for name, field in typed(seen).items()}


def test_login_has_fields_for_password_managers():
    assert kinds(look(sign_in.login)) == {
        "login": ("email", "username"),
        "password": ("password", "current-password"),
        "remember": ("checkbox", None),
    }


def test_links_of_login_keep_the_next_path():
    assert links(look(sign_in.login)) == {"Forgot password": "/forgot-password", "Register": "/register"}
    assert links(look(sign_in.login, hidden={"next": "/sessions/3?show=past"})) == {
        "Forgot password": "/forgot-password?next=%2Fsessions%2F3%3Fshow%3Dpast",
        "Register": "/register?next=%2Fsessions%2F3%3Fshow%3Dpast",
    }


def test_remember_me_keeps_its_state():
    for values, is_ticked in (({}, False), ({"remember": "on"}, True), ({"remember": ""}, False)):
        assert typed(look(sign_in.login, values=values))["remember"]["defaultChecked"] is is_ticked


def test_wrong_password_is_reported_and_keeps_the_address():
    seen = look(
        sign_in.login,
        values={"login": "fan@example.org", "password": "secret"},
        errors={"": ("Invalid login credentials. Please try again.",)},
    )
    assert text(one(seen.main, role="alert")) == "Invalid login credentials. Please try again."
    assert typed(seen)["login"]["defaultValue"] == "fan@example.org"
    assert typed(seen)["password"]["autoFocus"]


def test_google_is_offered_if_configured():
    for screen, words in ((sign_in.login, "Sign in with Google"), (registration.register, "Sign up with Google")):
        assert words not in text(look(screen).main)
        seen = look(screen, extra={"google": "/auth/google"}, hidden={"next": "/community"})
        form = every(seen.main, "form")[0]
        assert (attributes(form)["method"], attributes(form)["action"]) == ("post", "/auth/google")
        assert text(one(form, "button", type="submit")) == words
        assert visually_hidden(form) == {"csrfmiddlewaretoken": TOKEN, "next": "/community"}
        assert text(one(seen.main, look="or")) == "or"


def test_register_has_fields_hints_and_links():
    seen = look(registration.register)
    assert kinds(seen) == {
        "email": ("email", "username"),
        "password1": ("password", "new-password"),
        "username": ("text", "nickname"),
    }
    assert typed(seen)["username"]["autoCapitalize"] == "none"
    assert links(seen) == {"Log in": "/login", "Privacy": "/privacy"}
    assert "At least 6 characters. 15 or more" in text(one(seen.main, id="password1-hint"))
    assert text(one(seen.main, id="username-hint")).startswith("3 to 20 letters, digits, underscores or hyphens")


def test_field_is_described_by_hint_and_error():
    seen = look(registration.register, errors={"username": ("Username must start with a letter",)})
    assert typed(seen)["username"]["aria-describedby"] == "username-hint username-error"


def test_forms_have_no_browser_validation():
    for screen in (sign_in.login, registration.register):
        assert attributes(form_of(look(screen)))["noValidate"] is True


def test_callback_redirects_at_once():
    for extra, path, label in (({"onward": "/"}, "/", "Home"), ({}, "/login", "Return to login")):
        seen = look(sign_in.callback, extra=extra)
        assert text(one(seen.main, "h1")) == "Finalizing login..."
        assert seen.page.refresh == Refresh(path, 0)
        assert links(seen) == {label: path}


def test_failed_callback_returns_to_login_after_three_seconds():
    for errors, sentence in (
        ({}, "Error during login. Please try again."),
        ({"": ("Unexpected error. Redirecting to login...",)}, "Unexpected error. Redirecting to login..."),
    ):
        seen = look(sign_in.callback_failed, errors=errors)
        assert text(one(seen.main, role="alert")) == sentence
        assert seen.page.refresh == Refresh("/login", 3)
        assert links(seen) == {"Return to login": "/login"}


def test_refused_requests_have_a_status_and_links():
    seen = look(refused.inactive, viewer=FAN)
    assert seen.page.status == 403
    assert links(seen) == {"Contact": "/contact"}
    assert look(refused.forged).page.status == 403
    assert links(look(refused.forged, extra={"back": "/register"})) == {"Back to the form": "/register", "Home": "/"}
    assert look(refused.too_many).page.status == 429
    assert text(one(look(refused.too_many).main, role="alert")) == "Too many attempts. Please try again later."
    exact = "Too many attempts. Please try again in 4 minutes."
    assert text(one(look(refused.too_many, errors={"": (exact,)}).main, role="alert")) == exact
