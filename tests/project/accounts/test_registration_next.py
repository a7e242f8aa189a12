"""`next` survives the registration, and confirming in the browser that registered signs in."""

import pytest
from allauth.account.models import EmailAddress
from django.conf import settings
from django.db import IntegrityError

from apps.accounts.mail import EMAIL_CONFIRMATION, REGISTERED_BROWSER, link_create
from apps.accounts.models import AuthSession, OneTimeLink, User
from apps.accounts.services.accounts import account_create
from apps.core.limits import ADDRESS_LENGTH
from apps.core.models import Counter
from tests.apps.accounts.test_links import older
from tests.apps.conftest import run_together
from tests.factories import PASSWORD
from tests.offenders import check_each
from tests.project.accounts.second_factors.setting_up import by_code, set_up
from tests.project.plain_browser import PlainBrowser, link_in, mails
from tests.rate_limits import attempts_clear

pytestmark = pytest.mark.django_db(transaction=True)
EMAIL, NAME = "ewa@example.org", "ewa_n"
PAGE = "/register/sent"
TARGET, NEXT = "/participants/3#rating-7", "next=%2Fparticipants%2F3%23rating-7"
REGISTERED = "Registration successful! Please check your email for verification and then log in."
CONFIRMED = "Your address is confirmed. You can log in now."
UNCONFIRMED = "Your password is right, but your address is not confirmed yet."
EXPIRED = "This link has been used, or it is older than a day."
WRONG = "Invalid login credentials. Please try again."


def sign_up(browser: PlainBrowser, query: str = NEXT, email: str = EMAIL, username: str = NAME):
    """Register on the page that this sign-in page links to, and return the answer."""
    return browser.post(f"/register?{query}", email=email, username=username, password1=PASSWORD)


def registered(query: str = NEXT) -> tuple[PlainBrowser, str]:
    """Return a browser that has just registered, and the path of the mailed link."""
    browser = PlainBrowser()
    assert sign_up(browser, query).status == 302
    return browser, link_in(mails()[-1])


def signed_in() -> int:
    """Return the number of sessions that belong to an account."""
    return AuthSession.objects.filter(user__isnull=False).count()


def cookie(browser: PlainBrowser):
    return browser.client.cookies.get(settings.REGISTERED_COOKIE_NAME)


def test_registration_returns_to_the_page_where_it_began():
    browser = PlainBrowser()
    page = browser.get(f"/login?{NEXT}")
    assert f'href="/register?{NEXT}"' in page.html
    response = sign_up(browser)
    assert response.to == f"{PAGE}?{NEXT}"
    login = f"/login?{NEXT}"
    assert f'href="{login}"' in browser.get(response.to).html
    (message,) = mails()
    assert "participants" not in message.body, "a mail contains no text that visitors choose"
    tab = browser.get(login)
    assert REGISTERED in tab.text
    assert tab.fields["login"]["value"] == EMAIL
    confirmed = browser.post(link_in(message))
    assert (confirmed.status, confirmed.to) == (302, TARGET)
    assert browser.user_id == str(User.objects.get().pk)
    assert browser.get(f"/login?{NEXT}").to == TARGET, "the first tab goes there too"
    assert CONFIRMED not in browser.get("/profile/two-factor").text, "the message was shown"


def test_confirmation_starts_a_session_and_deletes_the_cookie():
    browser, link = registered()
    assert settings.SESSION_COOKIE_NAME not in browser.client.cookies
    held = cookie(browser)
    assert (held["httponly"], held["samesite"], held["max-age"]) == (True, "Lax", 86_400)
    assert held.value not in str(list(OneTimeLink.objects.values())), "the table holds its digest"
    browser.post(link)
    assert browser.client.cookies[settings.SESSION_COOKIE_NAME].value
    assert cookie(browser).value == ""
    assert not OneTimeLink.objects.exists()


def test_registration_cookie_alone_does_not_sign_in():
    browser, _ = registered()
    browser.get("/verify-email?key=nonsense")
    assert EXPIRED in browser.post("/verify-email?key=nonsense", email=EMAIL).text
    key = cookie(browser).value
    assert EXPIRED in browser.get(f"/verify-email?key={key}").text
    assert "This link has been used" in browser.get(f"/login/link/use?key={key}").text
    assert browser.user_id == ""


def test_link_signs_in_once():
    browser, link = registered()
    second = browser.get(link)
    assert REGISTERED not in second.text, "the mail has come"
    token = second.fields["csrfmiddlewaretoken"]["value"]
    assert browser.post(link).to == TARGET
    again = browser._seen(browser.client.post(link, {"csrfmiddlewaretoken": token}))
    assert EXPIRED in again.text or again.status == 403, "a form that was made before the sign-in"
    assert EXPIRED in browser.get(link).text
    assert browser.user_id, "and stays"
    assert signed_in() == 1


def test_concurrent_confirmations_sign_in_once():
    browser, link = registered()
    other = PlainBrowser()
    other.client.cookies[settings.REGISTERED_COOKIE_NAME] = cookie(browser).value  # another tab of the same browser
    responses = run_together(lambda: browser.post(link), lambda: other.post(link))
    assert sorted(response.status for response in responses) == [200, 302]
    assert next(response for response in responses if response.status == 302).to == TARGET
    assert signed_in() == 1


def test_expired_link_or_cookie_does_not_sign_in():
    browser, link = registered()
    older(86_460)
    assert EXPIRED in browser.get(link).text
    assert browser.user_id == ""
    key = link_create(purpose=EMAIL_CONFIRMATION, account_id=User.objects.get().pk, next_path="/news")
    path = f"/verify-email?key={key}"
    assert "Please enter your password" in browser.post(path).text, "the browser's own proof is too old"
    assert browser.user_id == ""
    assert browser.post(path, password=PASSWORD).to == "/news"


def test_cookie_of_another_account_does_not_replace_the_password():
    browser, link = registered()
    account_create(email="other@example.org", password=PASSWORD, username="other", is_verified=False)
    other = User.objects.get(username="other")
    browser.client.cookies[settings.REGISTERED_COOKIE_NAME] = link_create(
        purpose=REGISTERED_BROWSER, account_id=other.pk
    )
    assert "Please enter your password" in browser.post(link).text
    assert browser.user_id == ""


def test_second_registration_of_an_address_does_not_open_the_first_account():
    _, link = registered()
    owner = PlainBrowser()
    assert sign_up(owner, username="the-owner").to == f"{PAGE}?{NEXT}"
    assert cookie(owner), "the response is the same"
    assert "Please enter your password" in owner.post(link).text
    assert owner.user_id == ""


def test_administrator_signs_in_after_the_confirmation():
    browser, link = registered()
    User.objects.update(is_admin=True)
    assert browser.post(link).to == f"/login?{NEXT}"
    assert browser.user_id == ""


def test_confirmation_requires_the_second_factor():
    browser = PlainBrowser()
    owner = account_create(email=EMAIL, password=PASSWORD, username=NAME)
    browser.sign_in(EMAIL, PASSWORD)
    secret = set_up(browser)
    EmailAddress.objects.update(verified=False)
    phone = PlainBrowser()
    assert phone.sign_in(EMAIL, PASSWORD, f"/login?{NEXT}").to == f"/verify-email/sent?{NEXT}"
    link = f"/verify-email?key={link_create(purpose=EMAIL_CONFIRMATION, account_id=owner.pk, next_path=TARGET)}"
    assert phone.post(link).to == "/two-factor"
    assert phone.user_id == ""
    assert by_code(phone, secret).to == TARGET
    assert phone.user_id == str(owner.pk)


@pytest.mark.parametrize("is_registered_browser", [True, False])
def test_confirmation_keeps_another_account_signed_in(is_registered_browser):
    browser, link = registered()
    account_create(email="other@example.org", password=PASSWORD, username="other")
    browser = browser if is_registered_browser else PlainBrowser()
    browser.sign_in("other@example.org", PASSWORD)
    other = browser.user_id
    to = browser.post(link, **({} if is_registered_browser else {"password": PASSWORD})).to
    assert is_registered_browser or to == f"/login?{NEXT}"
    assert browser.user_id == other
    assert EmailAddress.objects.get(email=EMAIL).verified


# The right password of an unconfirmed account


def test_right_password_of_an_unconfirmed_account_offers_a_new_link():
    registered()
    browser = PlainBrowser()
    assert WRONG in browser.sign_in(EMAIL, "wrong", f"/login?{NEXT}").text
    assert cookie(browser) is None
    response = browser.sign_in(EMAIL, PASSWORD, f"/login?{NEXT}")
    assert response.to == f"/verify-email/sent?{NEXT}"
    page = browser.get(response.to)
    assert UNCONFIRMED in page.text
    assert page.fields["email"]["value"] == EMAIL
    assert "Send a new link" in page.text
    assert UNCONFIRMED not in browser.get(response.to).text


def test_wrong_password_does_not_reveal_an_unconfirmed_account():
    registered()
    for email in (EMAIL, "unknown@example.org"):
        browser = PlainBrowser()
        response = browser.sign_in(email, "wrong")
        assert WRONG in response.text
        assert UNCONFIRMED not in response.text
        assert cookie(browser) is None


def test_requested_link_signs_in_the_browser_that_entered_the_password():
    registered("")
    phone = PlainBrowser()
    to = phone.sign_in(EMAIL, PASSWORD, f"/login?{NEXT}").to
    Counter.objects.filter(key__contains=":1/180").delete()  # three minutes later
    hidden = {name: phone.get(to).fields[name]["value"] for name in ("csrfmiddlewaretoken", "next")}
    answer = phone.client.post("/verify-email/send", {**hidden, "email": EMAIL})
    assert answer["Location"] == f"/verify-email/sent?{NEXT}"
    (message,) = mails()
    session = phone.client.cookies[settings.SESSION_COOKIE_NAME].value
    assert phone.post(link_in(message)).to == TARGET
    assert phone.user_id == str(User.objects.get().pk)
    assert phone.client.cookies[settings.SESSION_COOKIE_NAME].value != session, "a key of its own"


# Other ways to sign in


def test_sign_in_link_returns_to_next():
    account_create(email=EMAIL, password=PASSWORD, username=NAME)
    browser = PlainBrowser()
    browser.post(f"/login/link?{NEXT}", email=EMAIL)
    phone = PlainBrowser()
    assert phone.post(link_in(mails()[-1])).to == TARGET


def test_password_reset_returns_to_next():
    account_create(email=EMAIL, password=PASSWORD, username=NAME)
    PlainBrowser().post(f"/forgot-password?{NEXT}", email=EMAIL)
    phone = PlainBrowser()
    form = phone.get(link_in(mails()[-1])).to
    password = "una corda e tre corde again"
    done = phone.post(form, password1=password, password2=password)
    assert done.to == f"/reset-password/done?{NEXT}"
    assert phone.get(done.to).headers["Refresh"] == f"2; url=/login?{NEXT}"


# Other sites

OTHER_SITES = (
    "https://evil.example/", "http:///evil.example", "//evil.example/", "///evil.example", "\\\\evil.example",
    "/\\evil.example", "/%2f/evil.example", "/%2fevil.example", "/%5cevil.example", " //evil.example",
    "/\t/evil.example", "/\r\n/evil.example", "/a\r\nSet-Cookie:x=1", "javascript:alert(1)", "evil.example",
    "http://localhost:8000/sessions", "/" + "a" * ADDRESS_LENGTH,
)  # fmt: skip


def test_registration_redirects_to_no_other_site():
    def check(target):
        attempts_clear()
        browser, number = PlainBrowser(), OTHER_SITES.index(target)
        token = browser.get("/register").fields["csrfmiddlewaretoken"]["value"]
        account = {"email": f"fan{number}@example.org", "username": f"fan-{number}", "password1": PASSWORD}
        form = {**account, "next": target, "csrfmiddlewaretoken": token}
        assert browser._seen(browser.client.post("/register", form)).to == "/register/sent"
        (message,) = mails()
        assert not OneTimeLink.objects.exclude(next_path="").exists()
        form = {"csrfmiddlewaretoken": token, "next": target}
        response = browser._seen(browser.client.post(link_in(message), form))
        assert (response.status, response.to) == (302, "/")

    check_each(OTHER_SITES[::3], check)


@pytest.mark.parametrize("path", ["//evil.example", "https://evil.example", "/\\evil", "news"])
def test_database_refuses_a_link_to_another_site(path):
    user = account_create(email=EMAIL, password=PASSWORD, username=NAME)
    with pytest.raises(IntegrityError, match="link_leads_to_this_site"):
        link_create(purpose=EMAIL_CONFIRMATION, account_id=user.pk, next_path=path)
