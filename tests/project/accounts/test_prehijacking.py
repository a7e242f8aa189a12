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
from tests.project.accounts.google.steps import signed_in
from tests.project.accounts.reset.resetting import reset
from tests.project.plain_browser import PlainBrowser, link_in, mails

pytestmark = pytest.mark.django_db(transaction=True)
EMAIL, NEW = "boss@example.org", "the-owners-own-words"
WRONG = "Invalid login credentials. Please try again."


def squatted() -> tuple[PlainBrowser, str]:
    """Return the browser that registered the owner's address, and the link that was mailed to the owner."""
    browser = PlainBrowser()
    browser.post("/register", email=EMAIL, username="not_the_boss", password1=PASSWORD)
    path = link_in(mails()[-1])
    browser.sign_in(EMAIL, PASSWORD)  # refused until the address is confirmed
    mails()
    return browser, path


def forgotten(email: str) -> str:
    """Return the password reset link that was mailed to this address."""
    PlainBrowser().post("/forgot-password", email=email)
    return link_in(mails()[-1])


def is_confirmed() -> bool:
    return EmailAddress.objects.filter(verified=True).exists()


def test_the_owner_sets_a_password_and_the_one_who_registered_is_out():
    stranger, path = squatted()
    owner = PlainBrowser()
    page = owner.get(path)
    assert "registered as not_the_boss in another browser" in page.text
    assert "password" in page.fields
    new = f"{path}&new=1"
    assert f'href="{new.replace("&", "&amp;")}"' in page.html
    assert owner.post(new, password1=NEW, password2=NEW).to == "/"
    assert owner.user_id == str(User.objects.get().pk)
    assert is_confirmed()
    assert WRONG in stranger.sign_in(EMAIL, PASSWORD).text
    for each in ("/login", "/verify-email", "/verify-email/sent", "/two-factor", path):
        stranger.get(each)
    assert stranger.user_id == ""
    assert PlainBrowser().sign_in(EMAIL, NEW).to == "/"
    assert "Your password was changed" in [each.subject for each in mails()]


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ({}, "Please enter your password"),
        ({"password": "not-the-password"}, "Incorrect password."),
        ({"password1": NEW, "password2": NEW}, "Please enter your password"),
    ],
)
def test_nothing_is_confirmed_without_the_password(typed, sentence):
    _, path = squatted()
    owner = PlainBrowser()
    seen = owner.post(path, **typed)
    assert (seen.status, sentence in seen.text) == (200, True)
    assert (is_confirmed(), owner.user_id) == (False, "")
    assert owner.post(path, password=PASSWORD).to == "/", "the link still works"
    assert is_confirmed()


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ({"password1": NEW, "password2": "else"}, "Passwords do not match"),
        ({"password1": "12345", "password2": "12345"}, "Password must be at least 6 characters long"),
    ],
)
def test_a_new_password_follows_the_rules(typed, sentence):
    _, path = squatted()
    seen = PlainBrowser().post(f"{path}&new=1", **typed)
    assert (seen.status, sentence in seen.text, is_confirmed()) == (200, True, False)
    assert PASSWORD not in seen.html


def test_guesses_of_the_password_are_counted():
    _, path = squatted()
    for _ in range(5):
        PlainBrowser().post(path, password="not-the-password")
    assert "Too many attempts. Please try again later." in PlainBrowser().post(path, password=PASSWORD).text
    assert not is_confirmed()


@pytest.mark.usefixtures("google")
@pytest.mark.parametrize("way", ["confirming", "resetting"])
def test_a_google_account_that_named_the_address_no_longer_signs_in(way):
    stranger = PlainBrowser()
    signed_in(stranger, sub="1002")  # Google does not vouch for the address
    path = link_in(mails()[-1])
    owner = PlainBrowser()
    if way == "confirming":
        page = owner.get(path)
        assert "password1" in page.fields, "there is no password that could have been set"
        assert owner.post(path, password1=NEW, password2=NEW).to == "/"
    else:
        assert reset(owner, forgotten("unsure@example.org")).to == "/reset-password/done"
    assert is_confirmed()
    assert not SocialAccount.objects.exists()
    signed_in(stranger, sub="1002")
    assert stranger.user_id == ""


@pytest.mark.parametrize("way", ["confirming", "resetting"])
def test_passkeys_codes_and_sessions_from_before_are_gone(way):
    user = account_create(email=EMAIL, password=PASSWORD, username="not_the_boss", is_verified=False)
    for kind in ("webauthn", "totp", "recovery_codes"):
        Authenticator.objects.create(user=user, type=kind, data={"name": "Key"})
    begun(user)
    owner = PlainBrowser()
    if way == "confirming":
        path = f"/verify-email?key={link_create(purpose=EMAIL_CONFIRMATION, account_id=user.pk)}&new=1"
        assert owner.post(path, password1=NEW, password2=NEW).to == "/"
    else:
        reset(owner, forgotten(EMAIL))
    assert not Authenticator.objects.exists()
    assert AuthSession.objects.filter(user=user).count() == (1 if way == "confirming" else 0)


def test_a_confirmed_accounts_factors_survive_a_reset():
    user = account_create(email=EMAIL, password=PASSWORD, username="the_boss")
    Authenticator.objects.create(user=user, type="totp", data={})
    SocialAccount.objects.create(user=user, provider="google", uid="1")
    reset(PlainBrowser(), forgotten(EMAIL))
    assert (Authenticator.objects.count(), SocialAccount.objects.count()) == (1, 1)


def test_no_form_changes_an_address():
    account_create(email=EMAIL, password=PASSWORD, username="the_boss")
    browser = PlainBrowser()
    browser.sign_in(EMAIL, PASSWORD)
    token = browser.get("/profile/two-factor/app").fields["csrfmiddlewaretoken"]["value"]
    typed = {"csrfmiddlewaretoken": token, "username": "renamed", "avatar_url": "", "email": "other@example.org"}
    assert browser.client.post("/profile/settings", typed).status_code == 303
    assert (User.objects.get().username, User.objects.get().email) == ("renamed", EMAIL)
    assert list(EmailAddress.objects.values_list("email", flat=True)) == [EMAIL]
