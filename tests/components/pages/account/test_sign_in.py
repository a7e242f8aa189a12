"""The screens of signing in, registering, mailed links and the return from Google."""

from apps.accounts.actors import Viewer
from components.pages.account import password_reset, reauthentication, refused, registration, sign_in
from components.pages.account.sign_in import reason_of
from components.pages.public.session.page import BAR
from components.runtime.page import Refresh
from tests.components.pages.account.screens import TOKEN, form_of, links, look, typed, visually_hidden
from tests.components.seen import attributes, every, one, text
from tests.offenders import check_each

FAN = Viewer(id=4, username="una_corda")


def kinds(seen):
    return {name: (field["type"], field.get("autoComplete")) for name, field in typed(seen).items()}


def test_login_has_fields_for_password_managers_and_keeps_path_and_state():
    assert kinds(look(sign_in.login)) == {
        "login": ("email", "username webauthn"),
        "password": ("password", "current-password"),
        "remember": ("checkbox", None),
    }
    assert links(look(sign_in.login)) == {
        "Forgot password": "/forgot-password",
        "Log in by e-mail": "/login/link",
        "Register": "/register",
    }
    assert links(look(sign_in.login, hidden={"next": "/sessions/3?show=past"})) == {
        "Forgot password": "/forgot-password?next=%2Fsessions%2F3%3Fshow%3Dpast",
        "Log in by e-mail": "/login/link?next=%2Fsessions%2F3%3Fshow%3Dpast",
        "Register": "/register?next=%2Fsessions%2F3%3Fshow%3Dpast",
    }
    for values, is_ticked in (({}, False), ({"remember": "on"}, True), ({"remember": ""}, False)):
        assert typed(look(sign_in.login, values=values))["remember"]["defaultChecked"] is is_ticked
    for screen in (sign_in.login, registration.register):
        assert attributes(form_of(look(screen)))["noValidate"] is True


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


def test_callback_redirects_at_once_or_after_an_error():
    for extra, path, label in (({"onward": "/"}, "/", "Home"), ({}, "/login", "Return to login")):
        seen = look(sign_in.callback, extra=extra)
        assert text(one(seen.main, "h1")) == "Finalizing login..."
        assert seen.page.refresh == Refresh(path, 0)
        assert links(seen) == {label: path}
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


def test_forgotten_password_is_replaced_by_typing_it_twice():
    seen = look(password_reset.forgot, values={"email": "fan@example.org"})
    assert list(typed(seen)) == ["email"]
    assert typed(seen)["email"]["autoComplete"] == "username"
    assert links(seen) == {"Log in": "/login"}
    seen = look(password_reset.reset, errors={"password2": ("Passwords do not match",)})
    assert [field["autoComplete"] for field in typed(seen).values()] == ["new-password", "new-password"]
    assert text(one(seen.main, id="password2-error")) == "Passwords do not match"
    assert typed(seen)["password2"]["autoFocus"]
    seen = look(password_reset.done)
    assert text(one(seen.main, role="status")) == (
        "Password updated successfully! Please log in with your new password."
    )
    assert seen.page.refresh == Refresh("/login", 2)
    assert links(seen) == {"Log in": "/login"}


def test_unusable_links_lead_to_new_mails():
    for sentence in (
        "Invalid or missing reset tokens. Please request a new password reset.",
        "Failed to verify reset token. Please request a new password reset.",
    ):
        seen = look(password_reset.unusable, errors={"": (sentence,)})
        assert text(one(seen.main, role="alert")) == sentence
        assert not every(seen.main, "form")
        assert links(seen)["Request a new link"] == "/forgot-password"
    for screen in (registration.verify_expired, registration.verify_sent):
        seen = look(screen, values={"email": "fan@example.org"})
        assert attributes(form_of(seen))["action"] == registration.RESEND
        assert typed(seen)["email"]["defaultValue"] == "fan@example.org"
        assert links(seen) == {"Log in": "/login"}


def test_password_managers_get_the_address_of_the_account():
    for screen in (password_reset.reset, reauthentication.ask):
        assert "email" not in typed(look(screen))
        field = typed(look(screen, extra={"email": "fan@example.org"}))["email"]
        assert (field["defaultValue"], field["readOnly"], field["autoComplete"]) == (
            "fan@example.org",
            True,
            "username",
        )
        wrong = look(screen, extra={"email": "fan@example.org"}, errors={"": ("Failed to update password",)})
        assert "autoFocus" not in typed(wrong)["email"]


RATE = "Sign in to rate. Your marks are kept."


REACT = "Sign in to react. A reaction that you pressed is kept for 15 minutes"
REASONS = {
    "/participants/3#rating-7": RATE,
    "/participants/3?session=2#rating-7": RATE,
    "/sessions/4#rating-7": RATE,
    "/sessions/4?open=7#appearance-7": RATE,
    "/participants/3#advance-7": "Sign in to recommend. Your marks are kept.",
    "/sessions/4#comments": "Sign in to comment. Your words are kept.",
    f"/sessions/4#{BAR}": REACT,
    "/community?before=1#react-17": REACT,
    "/community": "Sign in to post, react and comment.",
    "/community?post=5#comments-5": "Sign in to comment. Your words are kept.",
}
UNKNOWN = (
    *("", "/profile", "/participants/3", "/participants/3#rating-7-you-have-won", "/participants/x#rating-7"),
    *("/news#rating-7", "/sessions/4#comments-and-more", "/community#pay-here", "/community#react-to-this"),
    *("/participants/3#rating-7\n", "/participants/3#rating-٣"),
)


def page_text(path: str, *, is_kept: bool = True) -> str:
    """Return the text of the sign-in page for a visitor from this path."""
    hidden = {"next": path} if path else {}
    return text(look(sign_in.login, hidden=hidden, extra={"is_kept": is_kept}).main)


def test_sign_in_page_states_the_reason_of_known_paths_only():
    check_each(REASONS, lambda path: REASONS[path] in page_text(path))
    check_each(UNKNOWN, lambda path: (reason_of(path), "Sign in to" in page_text(path)) == ("", False))
    page = page_text("/participants/3#rating-7", is_kept=False)
    assert "Sign in to rate." in page
    assert "kept" not in page
