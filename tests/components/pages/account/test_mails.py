"""The screens of mailed links (password reset, address confirmation), and the requests for such mails."""

import pytest

from components.pages.account import password_reset, reauthentication, registration
from components.runtime.page import Refresh
from tests.components.pages.account.screens import form_of, links, look, typed
from tests.components.seen import attributes, every, one, text


def test_forgot_password_asks_for_the_address_only():
    seen = look(password_reset.forgot, values={"email": "fan@example.org"})
    assert list(typed(seen)) == ["email"]
    assert typed(seen)["email"]["autoComplete"] == "username"
    assert links(seen) == {"Log in": "/login"}


def test_asking_for_a_link_is_answered_alike_for_everybody():
    seen = look(password_reset.sent)
    assert text(one(seen.main, look="lead")) == "If this address has an account, the link is on its way to it."
    assert links(seen) == {"Log in": "/login", "Ask again": "/forgot-password"}


def test_new_password_is_typed_twice():
    seen = look(password_reset.reset, errors={"password2": ("Passwords do not match",)})
    assert [field["autoComplete"] for field in typed(seen).values()] == ["new-password", "new-password"]
    assert text(one(seen.main, id="password2-error")) == "Passwords do not match"
    assert typed(seen)["password2"]["autoFocus"]


@pytest.mark.parametrize(
    "words",
    [
        "Invalid or missing reset tokens. Please request a new password reset.",
        "Failed to verify reset token. Please request a new password reset.",
    ],
)
def test_unusable_link_leads_to_a_new_one(words):
    seen = look(password_reset.unusable, errors={"": (words,)})
    assert text(one(seen.main, role="alert")) == words
    assert not every(seen.main, "form")
    assert links(seen)["Request a new link"] == "/forgot-password"


def test_changed_password_leads_to_the_entrance_after_two_seconds():
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


@pytest.mark.parametrize("screen", [registration.verify_expired, registration.verify_sent])
def test_another_mail_can_be_had(screen):
    seen = look(screen, values={"email": "fan@example.org"})
    assert attributes(form_of(seen))["action"] == registration.RESEND
    assert typed(seen)["email"]["defaultValue"] == "fan@example.org"
    assert links(seen) == {"Log in": "/login"}


@pytest.mark.parametrize("screen", [password_reset.reset, reauthentication.ask])
def test_password_managers_learn_whose_password_it_is(screen):
    assert "email" not in typed(look(screen))
    told = typed(look(screen, extra={"email": "fan@example.org"}))["email"]
    assert (told["defaultValue"], told["readOnly"], told["autoComplete"]) == ("fan@example.org", True, "username")
    wrong = look(screen, extra={"email": "fan@example.org"}, errors={"": ("Failed to update password",)})
    assert "autoFocus" not in typed(wrong)["email"]


def test_password_is_asked_for_once_more():
    seen = look(reauthentication.ask, hidden={"next": "/profile"})
    assert typed(seen)["password"]["autoComplete"] == "current-password"
