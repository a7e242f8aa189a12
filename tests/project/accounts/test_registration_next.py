"""`next` survives the registration, and confirming in the browser that registered signs in."""

import datetime as dt
import re

import pytest
from allauth.account.models import EmailAddress
from django.conf import settings

from apps.accounts.mail import EMAIL_CONFIRMATION, REGISTERED_BROWSER, link_create, links_prune
from apps.accounts.models import AuthSession, OneTimeLink, User
from apps.accounts.services.accounts import account_create
from apps.core.models import Counter
from tests.apps.accounts.test_links import older
from tests.apps.conftest import run_together
from tests.factories import PASSWORD
from tests.project.accounts.second_factors.setting_up import by_code, set_up
from tests.project.plain_browser import PlainBrowser, link_in, mails

pytestmark = pytest.mark.django_db(transaction=True)
EMAIL, NAME = "ewa@example.org", "ewa_n"
PAGE = "/register/sent"
KEYS, ASKED = "/participants/3#rating-7", "next=%2Fparticipants%2F3%23rating-7"
REGISTERED = "Registration successful! Please check your email for verification and then log in."
CONFIRMED = "Your address is confirmed. You can log in now."
UNCONFIRMED = "Your password is right, but your address is not confirmed yet."
EXPIRED = "This link has been used, or it is older than a day."
WRONG = "Invalid login credentials. Please try again."


def sign_up(browser: PlainBrowser, leads_to: str = ASKED, email: str = EMAIL, username: str = NAME):
    """Register on the page that this sign-in page links to, and return the answer."""
    return browser.post(f"/register?{leads_to}", email=email, username=username, password1=PASSWORD)


def registered(leads_to: str = ASKED) -> tuple[PlainBrowser, str]:
    """Return a browser that has just registered, and the path of the mailed link."""
    browser = PlainBrowser()
    assert sign_up(browser, leads_to).status == 302
    return browser, link_in(mails()[-1])


def signed_in() -> int:
    """Return the number of sessions that belong to an account."""
    return AuthSession.objects.filter(user__isnull=False).count()


def cookie(browser: PlainBrowser):
    return browser.client.cookies.get(settings.REGISTERED_COOKIE_NAME)


def test_the_keys_are_where_the_way_from_them_ends():
    browser = PlainBrowser()
    page = browser.get(f"/login?{ASKED}")
    assert f'href="/register?{ASKED}"' in page.html
    seen = sign_up(browser)
    assert seen.to == f"{PAGE}?{ASKED}"
    login = f"/login?{ASKED}"
    assert f'href="{login}"' in browser.get(seen.to).html
    (message,) = mails()
    assert "participants" not in message.body, "what strangers choose is not in a mail"
    tab = browser.get(login)
    assert REGISTERED in tab.text
    assert tab.fields["login"]["value"] == EMAIL
    confirmed = browser.post(link_in(message))
    assert (confirmed.status, confirmed.to) == (302, KEYS)
    assert browser.user_id == str(User.objects.get().pk)
    assert browser.get(f"/login?{ASKED}").to == KEYS, "the first tab goes there too"
    assert CONFIRMED not in browser.get("/profile/two-factor").text, "nothing waits to be said"


def test_in_another_browser_the_link_takes_the_password_and_leads_there_too():
    _, link = registered()
    phone = PlainBrowser()
    page = phone.get(link)
    assert page.fields["email"]["value"] == EMAIL
    assert phone.post(link, password=PASSWORD).to == KEYS
    assert phone.user_id == str(User.objects.get().pk)
    assert phone.get("/login").fields == {}, "signed in"


def test_where_somebody_is_signed_in_already_the_link_leads_to_the_log_in():
    _, link = registered()
    account_create(email="other@example.org", password=PASSWORD, username="other")
    shared = PlainBrowser()
    shared.sign_in("other@example.org", PASSWORD)
    other = shared.user_id
    assert shared.post(link, password=PASSWORD).to == f"/login?{ASKED}"
    assert shared.user_id == other


def test_a_session_begins_with_a_key_of_its_own_and_the_cookie_is_gone():
    browser, link = registered()
    assert settings.SESSION_COOKIE_NAME not in browser.client.cookies
    held = cookie(browser)
    assert (held["httponly"], held["samesite"], held["max-age"]) == (True, "Lax", 86_400)
    assert held.value not in str(list(OneTimeLink.objects.values())), "the table holds its digest"
    browser.post(link)
    assert browser.client.cookies[settings.SESSION_COOKIE_NAME].value
    assert cookie(browser).value == ""
    assert not OneTimeLink.objects.exists()


def test_the_cookie_alone_opens_nothing():
    browser, _ = registered()
    browser.get("/verify-email?key=nonsense")
    assert EXPIRED in browser.post("/verify-email?key=nonsense", email=EMAIL).text
    key = cookie(browser).value
    assert EXPIRED in browser.get(f"/verify-email?key={key}").text
    assert "This link has been used" in browser.get(f"/login/link/use?key={key}").text
    assert browser.user_id == ""


def test_a_link_followed_twice_signs_in_once():
    browser, link = registered()
    second = browser.get(link)
    token = second.fields["csrfmiddlewaretoken"]["value"]
    assert browser.post(link).to == KEYS
    again = browser._seen(browser.client.post(link, {"csrfmiddlewaretoken": token}))
    assert EXPIRED in again.text or again.status == 403, "a form that was made before the sign-in"
    assert EXPIRED in browser.get(link).text
    assert browser.user_id, "and stays"
    assert signed_in() == 1


def test_two_tabs_that_confirm_at_once_sign_in_once():
    browser, link = registered()
    other = PlainBrowser()
    other.client.cookies[settings.REGISTERED_COOKIE_NAME] = cookie(browser).value  # another tab of the same browser
    seen = run_together(lambda: browser.post(link), lambda: other.post(link))
    assert sorted(each.status for each in seen) == [200, 302]
    assert next(each for each in seen if each.status == 302).to == KEYS
    assert signed_in() == 1


def test_an_expired_link_or_cookie_signs_nobody_in():
    browser, link = registered()
    older(86_460)
    assert EXPIRED in browser.get(link).text
    assert browser.user_id == ""
    key = link_create(purpose=EMAIL_CONFIRMATION, account_id=User.objects.get().pk, next_path="/news")
    path = f"/verify-email?key={key}"
    assert "Please enter your password" in browser.post(path).text, "the browser's own proof is too old"
    assert browser.user_id == ""
    assert browser.post(path, password=PASSWORD).to == "/news"


def test_the_cookie_of_another_account_is_no_proof():
    browser, link = registered()
    account_create(email="other@example.org", password=PASSWORD, username="other", is_verified=False)
    other = User.objects.get(username="other")
    browser.client.cookies[settings.REGISTERED_COOKIE_NAME] = link_create(
        purpose=REGISTERED_BROWSER, account_id=other.pk
    )
    assert "Please enter your password" in browser.post(link).text
    assert browser.user_id == ""


def test_whoever_registers_an_address_that_somebody_else_registered_before_is_not_signed_in_to_that_account():
    _thief, link = registered()
    owner = PlainBrowser()
    assert sign_up(owner, username="the-owner").to == f"{PAGE}?{ASKED}"
    assert cookie(owner), "nobody can tell"
    assert "Please enter your password" in owner.post(link).text
    assert owner.user_id == ""


def test_a_cookie_says_nothing_of_who_has_an_account():
    account_create(email=EMAIL, password=PASSWORD, username="owner")
    known, new = PlainBrowser(), PlainBrowser()
    seen = [sign_up(known), sign_up(new, email="new@example.org", username="new-one")]
    assert {(each.status, each.to) for each in seen} == {(302, f"{PAGE}?{ASKED}")}
    shape = [re.sub(r"[\w-]{43}", "KEY", cookie(each).OutputString()) for each in (known, new)]
    assert re.sub(r"expires=[^;]+", "", shape[0]) == re.sub(r"expires=[^;]+", "", shape[1])
    assert known.user_id == new.user_id == ""


def test_an_administrator_goes_by_the_log_in_and_a_second_factor_is_asked_for():
    browser, link = registered()
    User.objects.update(is_admin=True)
    assert browser.post(link).to == f"/login?{ASKED}"
    assert browser.user_id == ""


def test_a_second_factor_is_asked_for_before_anybody_is_in():
    browser = PlainBrowser()
    owner = account_create(email=EMAIL, password=PASSWORD, username=NAME)
    browser.sign_in(EMAIL, PASSWORD)
    secret = set_up(browser)
    EmailAddress.objects.update(verified=False)
    elsewhere = PlainBrowser()
    assert elsewhere.sign_in(EMAIL, PASSWORD, f"/login?{ASKED}").to == f"/verify-email/sent?{ASKED}"
    link = f"/verify-email?key={link_create(purpose=EMAIL_CONFIRMATION, account_id=owner.pk, next_path=KEYS)}"
    assert elsewhere.post(link).to == "/two-factor"
    assert elsewhere.user_id == ""
    assert by_code(elsewhere, secret).to == KEYS
    assert elsewhere.user_id == str(owner.pk)


def test_where_somebody_is_signed_in_already_the_link_confirms_and_changes_nobody():
    browser, link = registered()
    account_create(email="other@example.org", password=PASSWORD, username="other")
    browser.sign_in("other@example.org", PASSWORD)
    before = browser.user_id
    browser.post(link)
    assert browser.user_id == before
    assert EmailAddress.objects.get(email=EMAIL).verified


def test_a_closed_account_is_not_entered():
    browser, link = registered()
    User.objects.update(is_active=False)
    assert EXPIRED in browser.get(link).text
    assert browser.user_id == ""


@pytest.mark.parametrize("method", ["get", "head"])
def test_opening_the_link_in_the_browser_that_registered_changes_nothing(method):
    browser, link = registered()
    before = list(OneTimeLink.objects.order_by("digest").values())
    answer = getattr(browser.client, method)(link)
    assert (answer.status_code, settings.SESSION_COOKIE_NAME in answer.cookies) == (200, False)
    assert list(OneTimeLink.objects.order_by("digest").values()) == before
    assert browser.user_id == ""


def test_a_confirmation_without_its_token_is_refused():
    browser, link = registered()
    browser.get(link)
    assert browser.client.post(link).status_code == 403
    assert browser.user_id == ""


# The right password for an account whose address is not confirmed


def test_the_right_password_says_what_is_missing_and_how_to_have_it_sent_again():
    _, _ = registered()
    browser = PlainBrowser()
    assert WRONG in browser.sign_in(EMAIL, "wrong", f"/login?{ASKED}").text
    assert cookie(browser) is None
    seen = browser.sign_in(EMAIL, PASSWORD, f"/login?{ASKED}")
    assert seen.to == f"/verify-email/sent?{ASKED}"
    page = browser.get(seen.to)
    assert UNCONFIRMED in page.text
    assert page.fields["email"]["value"] == EMAIL
    assert "Send a new link" in page.text
    assert UNCONFIRMED not in browser.get(seen.to).text


@pytest.mark.parametrize("email", [EMAIL, "nobody@example.org"])
def test_a_wrong_password_says_the_same_of_every_account(email):
    registered()
    browser = PlainBrowser()
    seen = browser.sign_in(email, "wrong")
    assert WRONG in seen.text
    assert UNCONFIRMED not in seen.text
    assert cookie(browser) is None


def test_a_browser_that_knew_the_password_is_signed_in_by_the_link_that_it_asked_for():
    _, _ = registered("")
    phone = PlainBrowser()
    to = phone.sign_in(EMAIL, PASSWORD, f"/login?{ASKED}").to
    Counter.objects.filter(key__contains=":1/180").delete()  # three minutes later
    hidden = {name: phone.get(to).fields[name]["value"] for name in ("csrfmiddlewaretoken", "next")}
    sent = phone.client.post("/verify-email/send", {**hidden, "email": EMAIL})
    assert sent["Location"] == f"/verify-email/sent?{ASKED}"
    (message,) = mails()
    session = phone.client.cookies[settings.SESSION_COOKIE_NAME].value
    assert phone.post(link_in(message)).to == KEYS
    assert phone.user_id == str(User.objects.get().pk)
    assert phone.client.cookies[settings.SESSION_COOKIE_NAME].value != session, "a key of its own"


# Other ways to sign in


def test_a_mailed_sign_in_link_leads_back_as_well():
    account_create(email=EMAIL, password=PASSWORD, username=NAME)
    browser = PlainBrowser()
    browser.post(f"/login/link?{ASKED}", email=EMAIL)
    elsewhere = PlainBrowser()
    assert elsewhere.post(link_in(mails()[-1])).to == KEYS


def test_a_forgotten_password_leads_back_as_well():
    account_create(email=EMAIL, password=PASSWORD, username=NAME)
    PlainBrowser().post(f"/forgot-password?{ASKED}", email=EMAIL)
    elsewhere = PlainBrowser()
    form = elsewhere.get(link_in(mails()[-1])).to
    words = "una corda e tre corde again"
    done = elsewhere.post(form, password1=words, password2=words)
    assert done.to == f"/reset-password/done?{ASKED}"
    assert elsewhere.get(done.to).headers["Refresh"] == f"2; url=/login?{ASKED}"


def test_links_that_lead_back_are_pruned_like_all_others():
    registered()
    assert OneTimeLink.objects.count() == 2
    OneTimeLink.objects.update(expires_at=dt.datetime(2020, 1, 1, tzinfo=dt.UTC))
    assert links_prune() == 2
