"""After the owner confirms an address, an attacker who registered it before cannot sign in any more."""

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount

from apps.accounts.mail import EMAIL_CONFIRMATION, link_create
from apps.accounts.models import AuthSession, User
from apps.accounts.services.accounts import account_create
from tests.apps.accounts.test_sessions import begun
from tests.factories import PASSWORD
from tests.project.accounts.google.conftest import address, google  # noqa: F401 - fixtures
from tests.project.accounts.google.steps import google_sign_in
from tests.project.accounts.reset.resetting import reset
from tests.project.plain_browser import PlainBrowser, link_in, mails

pytestmark = pytest.mark.django_db(transaction=True)
EMAIL, NEW = "owner@example.org", "a-quiet-second-row"
WRONG = "Invalid login credentials. Please try again."


def preregistered() -> tuple[PlainBrowser, str]:
    """Return the browser that registered the owner's address, and the link that was mailed to the owner."""
    browser = PlainBrowser()
    browser.post("/register", email=EMAIL, username="not_the_owner", password1=PASSWORD)
    path = link_in(mails()[-1])
    browser.sign_in(EMAIL, PASSWORD)  # refused until the address is confirmed
    mails()
    return browser, path


def reset_link(email: str) -> str:
    """Return the password reset link that was mailed to this address."""
    PlainBrowser().post("/forgot-password", email=email)
    return link_in(mails()[-1])


def is_confirmed() -> bool:
    return EmailAddress.objects.filter(verified=True).exists()


def test_owner_sets_a_password_and_the_attacker_is_locked_out():
    attacker, path = preregistered()
    owner = PlainBrowser()
    page = owner.get(path)
    assert "registered as not_the_owner in another browser" in page.text
    assert "password" in page.fields
    new = f"{path}&new=1"
    assert f'href="{new.replace("&", "&amp;")}"' in page.html
    assert owner.post(new, password1=NEW, password2=NEW).to == "/"
    assert owner.user_id == str(User.objects.get().pk)
    assert is_confirmed()
    assert WRONG in attacker.sign_in(EMAIL, PASSWORD).text
    for page in ("/login", "/verify-email", "/verify-email/sent", "/two-factor", path):
        attacker.get(page)
    assert attacker.user_id == ""
    assert PlainBrowser().sign_in(EMAIL, NEW).to == "/"
    assert "Your password was changed" in [message.subject for message in mails()]


INCOMPLETE = [
    ("", {}, "Please enter your password"),
    ("", {"password": "not-the-password"}, "Incorrect password."),
    ("", {"password1": NEW, "password2": NEW}, "Please enter your password"),
    ("&new=1", {"password1": NEW, "password2": "different"}, "Passwords do not match"),
    ("&new=1", {"password1": "12345", "password2": "12345"}, "Password must be at least 6 characters long"),
]


def test_confirmation_requires_the_password_or_a_valid_new_one():
    _, path = preregistered()
    owner = PlainBrowser()
    for query, form, error in INCOMPLETE:
        page = owner.post(f"{path}{query}", **form)
        assert (page.status, error in page.text, PASSWORD in page.html) == (200, True, False), error
        assert (is_confirmed(), owner.user_id) == (False, "")
    assert owner.post(path, password=PASSWORD).to == "/", "the link still works"
    assert is_confirmed()


def test_password_guesses_at_a_confirmation_are_limited():
    _, path = preregistered()
    for _ in range(5):
        PlainBrowser().post(path, password="not-the-password")
    assert "Too many attempts. Please try again later." in PlainBrowser().post(path, password=PASSWORD).text
    assert not is_confirmed()


@pytest.mark.usefixtures("google")
@pytest.mark.parametrize("method", ["confirmation", "reset"])
def test_confirmation_disconnects_an_unverified_google_account(method):
    attacker = PlainBrowser()
    google_sign_in(attacker, sub="1002")  # Google does not vouch for the address
    path = link_in(mails()[-1])
    owner = PlainBrowser()
    if method == "confirmation":
        page = owner.get(path)
        assert "password1" in page.fields, "there is no password that could have been set"
        assert owner.post(path, password1=NEW, password2=NEW).to == "/"
    else:
        assert reset(owner, reset_link("unsure@example.org")).to == "/reset-password/done"
    assert is_confirmed()
    assert not SocialAccount.objects.exists()
    google_sign_in(attacker, sub="1002")
    assert attacker.user_id == ""


@pytest.mark.parametrize("method", ["confirmation", "reset"])
def test_confirmation_deletes_earlier_factors_and_sessions(method):
    user = account_create(email=EMAIL, password=PASSWORD, username="not_the_owner", is_verified=False)
    for kind in ("webauthn", "totp", "recovery_codes"):
        Authenticator.objects.create(user=user, type=kind, data={"name": "Key"})
    begun(user)
    owner = PlainBrowser()
    if method == "confirmation":
        path = f"/verify-email?key={link_create(purpose=EMAIL_CONFIRMATION, account_id=user.pk)}&new=1"
        assert owner.post(path, password1=NEW, password2=NEW).to == "/"
    else:
        reset(owner, reset_link(EMAIL))
    assert not Authenticator.objects.exists()
    assert AuthSession.objects.filter(user=user).count() == (1 if method == "confirmation" else 0)


def test_password_reset_keeps_the_factors_of_a_confirmed_account():
    user = account_create(email=EMAIL, password=PASSWORD, username="the_owner")
    Authenticator.objects.create(user=user, type="totp", data={})
    SocialAccount.objects.create(user=user, provider="google", uid="1")
    reset(PlainBrowser(), reset_link(EMAIL))
    assert (Authenticator.objects.count(), SocialAccount.objects.count()) == (1, 1)
