"""The screens of mailed links (password reset, address confirmation), and the requests for such mails."""

from components.pages.account import password_reset, reauthentication, registration
from components.runtime.page import Refresh
from tests.components.pages.account.screens import form_of, links, look, typed
from tests.components.seen import attributes, every, one, text


def test_forgot_password_has_an_address_field_only():
    seen = look(password_reset.forgot, values={"email": "fan@example.org"})
    assert list(typed(seen)) == ["email"]
    assert typed(seen)["email"]["autoComplete"] == "username"
    assert links(seen) == {"Log in": "/login"}


def test_answer_to_a_request_is_independent_of_the_address():
    seen = look(password_reset.sent)
    assert text(one(seen.main, look="lead")) == "If this address has an account, the link is on its way to it."
    assert links(seen) == {"Log in": "/login", "Ask again": "/forgot-password"}


def test_new_password_is_typed_twice():
    seen = look(password_reset.reset, errors={"password2": ("Passwords do not match",)})
    assert [field["autoComplete"] for field in typed(seen).values()] == ["new-password", "new-password"]
    assert text(one(seen.main, id="password2-error")) == "Passwords do not match"
    assert typed(seen)["password2"]["autoFocus"]


def test_unusable_link_leads_to_a_new_one():
    for sentence in (
        "Invalid or missing reset tokens. Please request a new password reset.",
        "Failed to verify reset token. Please request a new password reset.",
    ):
        seen = look(password_reset.unusable, errors={"": (sentence,)})
        assert text(one(seen.main, role="alert")) == sentence
        assert not every(seen.main, "form")
        assert links(seen)["Request a new link"] == "/forgot-password"


def test_changed_password_leads_to_the_sign_in_after_two_seconds():
    seen = look(password_reset.done)
    assert text(one(seen.main, role="status")) == (
        "Password updated successfully! Please log in with your new password."
    )
    assert seen.page.refresh == Refresh("/login", 2)
    assert links(seen) == {"Log in": "/login"}


def test_address_is_confirmed_by_a_button_not_by_the_link():
    seen = look(registration.verify, extra={"email": "fan@example.org"})
    assert text(one(seen.main, "strong")) == "fan@example.org"
    assert text(one(form_of(seen), "button", type="submit")) == "Confirm"
    assert not typed(seen)


def test_another_mail_can_be_requested():
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
