"""A mailed sign-in link and code: requested on the sign-in page, valid once, safe as a sign-in.

The code is for the browser that requested the mail, such as the app on an iPhone's Home Screen.
"""

import datetime as dt
import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from allauth.account.models import EmailAddress
from django.conf import settings
from django.db import connection

from apps.accounts.attempts import sign_in_attempt
from apps.accounts.limits import CODE_AGE, CODE_DIGITS, SIGN_IN_CODE, SIGN_IN_STRANGE
from apps.accounts.models import Mail, OneTimeLink, User
from apps.accounts.services.accounts import account_create
from tests.factories import PASSWORD
from tests.offenders import check_each
from tests.project.accounts.second_factors.setting_up import by_code, set_up
from tests.project.plain_browser import PlainBrowser, link_in, mails
from tests.rate_limits import attempts_clear

pytestmark = pytest.mark.django_db(transaction=True)
EMAIL = "fan@example.org"
WRONG = "Invalid login credentials. Please try again."
TOO_MANY = "Too many attempts. Please try again later."
TOO_MANY_CODES = "Five codes were tried here. Please ask for a new one."
OFFER = "You need no password to log in: we can send a link to your address."
SENT = "If this address has an account, the link is on its way to it."
WRONG_CODE = "This code is not the newest one, or it is older than ten minutes"
ASK, SENT_PAGE = "/login/link", "/login/link/sent"
CODE = re.compile(rf"^\d{{{CODE_DIGITS}}}$", re.MULTILINE)
TOKEN = re.compile(r'name="csrfmiddlewaretoken"[^>]*')
UNUSABLE = "This link has been used, or it is older than an hour."


def lock_out(email=EMAIL):
    """Guess from so many addresses that new browsers are locked out."""
    for number in range(SIGN_IN_STRANGE.amount):
        sign_in_attempt(email=email, client=f"203.0.113.{number}", browser="")


def link_request(email=EMAIL, **headers):
    """Request a link and return it."""
    return request(PlainBrowser(**headers), email)[0]


def request(browser, email=EMAIL, path=ASK):
    """Request a mail in this browser; return its link and its code."""
    assert browser.post(path, email=email).to == SENT_PAGE
    (message,) = mails()
    assert message.to == [EMAIL]
    assert message.subject == "Your link to log in"
    return link_in(message), CODE.search(message.body)[0]


def other(code):
    """Return another code."""
    return f"{(int(code) + 1) % 10**CODE_DIGITS:0{CODE_DIGITS}}"


def test_locked_out_user_signs_in_by_mail(fan):
    own = PlainBrowser()
    own.sign_in(EMAIL, PASSWORD)
    own.client.post("/sign-out", headers={"Origin": settings.PUBLIC_URL})
    lock_out()
    browser = PlainBrowser()
    assert OFFER not in browser.get("/login").text
    response = browser.sign_in(EMAIL, PASSWORD)
    assert TOO_MANY in response.text
    assert OFFER in response.text
    assert 'action="/login/link"' in response.html
    form = {name: response.fields[name]["value"] for name in ("csrfmiddlewaretoken", "email")}
    assert form["email"] == EMAIL
    answer = browser.client.post("/login/link", form)
    assert answer["Location"] == "/login/link/sent"
    assert SENT in browser.get("/login/link/sent").text
    path = link_in(mails()[0])
    page = browser.get(path)
    assert (page.status, browser.user_id) == (200, "")  # mail programs open links too
    assert "fan" in page.text
    assert browser.post(path).to == "/"
    assert browser.user_id == str(fan.pk)
    browser.client.post("/sign-out", headers={"Origin": settings.PUBLIC_URL})
    assert browser.sign_in(EMAIL, PASSWORD).to == "/"  # this browser is known now
    assert own.sign_in(EMAIL, PASSWORD).to == "/"  # this browser was known all the time


def test_locked_out_user_can_use_google_and_passkeys(fan):
    lock_out()
    response = PlainBrowser().sign_in(EMAIL, PASSWORD)
    assert "The other ways in on this page work, too." in response.text
    assert "Log in with a passkey" in response.text


def test_unknown_address_gets_the_same_offer_and_response(fan):
    pages = []
    for email in (EMAIL, "unknown@example.org"):
        lock_out(email)
        browser = PlainBrowser(REMOTE_ADDR="192.0.2.1")
        browser.sign_in(email, PASSWORD)
        assert OFFER in browser.sign_in(email, PASSWORD).text
        answer = browser.post("/login/link", email=email)
        shown = [browser.get(answer.to), *(browser.post(answer.to, code="00000000") for _ in range(6))]
        texts = [TOKEN.sub("", each.html) for each in shown]
        assert (WRONG_CODE in texts[5], TOO_MANY_CODES in texts[6]) == (True, True)
        pages.append((answer.status, answer.to, texts, set(browser.client.cookies)))
        mails()
    assert pages[0] == pages[1]
    PlainBrowser().post("/login/link", email="unknown@example.org")
    assert mails() == []


def test_using_a_link_ends_all_links(fan):
    path, other = link_request(), link_request()
    assert PlainBrowser().post(path).to == "/"
    assert UNUSABLE in PlainBrowser().get(path).text
    assert UNUSABLE in PlainBrowser().get(other).text
    assert not OneTimeLink.objects.exists()


def test_code_signs_in_the_browser_that_asked_for_it_once(fan):
    browser, stranger = PlainBrowser(), PlainBrowser()
    link, code = request(browser, path=f"{ASK}?next=/news")
    assert code not in str([*OneTimeLink.objects.values(), *Mail.objects.values()])
    key = browser.client.cookies[settings.SIGN_IN_COOKIE_NAME].value.split(":")[0]
    assert key not in str([*OneTimeLink.objects.values(), *Mail.objects.values()])
    assert "A code works only in the browser that asked for it." in stranger.post(SENT_PAGE, code=code).text
    assert stranger.post(ASK, email="unknown@example.org").to == SENT_PAGE
    assert WRONG_CODE in stranger.post(SENT_PAGE, code=code).text
    stranger.client.cookies[settings.SIGN_IN_COOKIE_NAME] = key  # without the signature
    assert "A code works only in the browser that asked for it." in stranger.post(SENT_PAGE, code=code).text
    for typed in ("", "1234", "1234567x", "١٢٣٤٥٦٧٨"):  # the last are Arabic digits
        answer = browser.post(SENT_PAGE, code=typed)
        assert answer.wrong == ["code"]
        assert "Please enter the code from the mail: eight digits" in answer.text
    assert WRONG_CODE in browser.post(SENT_PAGE, code=other(code)).text
    assert browser.post(SENT_PAGE, code=f" {code[:4]} - {code[4:]} ", remember="on").to == "/news"
    assert browser.user_id == str(fan.pk)
    assert browser.client.cookies[settings.SESSION_COOKIE_NAME]["max-age"]  # it is remembered
    assert browser.client.cookies[settings.SIGN_IN_COOKIE_NAME].value == ""
    assert UNUSABLE in stranger.get(link).text  # the code ends the link
    link, code = request(browser)
    assert PlainBrowser().post(link).to == "/"
    assert WRONG_CODE in browser.post(SENT_PAGE, code=code).text  # the link ends the code


def test_code_is_refused_after_ten_minutes_or_five_tries_also_at_once(fan):
    browser = PlainBrowser()
    _, code = request(browser)
    for row in OneTimeLink.objects.filter(purpose="sign_in_code"):
        OneTimeLink.objects.filter(pk=row.pk).update(expires_at=row.expires_at - dt.timedelta(seconds=CODE_AGE))
    assert WRONG_CODE in browser.post(SENT_PAGE, code=code).text
    attempts_clear()
    _, code = request(browser)
    page = browser.get(SENT_PAGE)
    typed = {"csrfmiddlewaretoken": page.fields["csrfmiddlewaretoken"]["value"], "code": other(code)}

    def attempt(_number):
        twin = PlainBrowser()
        twin.client.cookies = browser.client.cookies.copy()
        try:
            return twin.client.post(SENT_PAGE, typed).content.decode()
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as threads:
        answers = list(threads.map(attempt, range(2 * SIGN_IN_CODE.amount)))
    assert [sum(words in each for each in answers) for words in (WRONG_CODE, TOO_MANY_CODES)] == [5, 5]
    assert TOO_MANY_CODES in browser.post(SENT_PAGE, code=code).text
    assert browser.user_id == ""
    _, code = request(browser)  # a new mail has five tries of its own
    assert browser.post(SENT_PAGE, code=code).to == "/"


def test_link_expires_after_an_hour_of_the_databases_clock(fan):
    path = link_request()
    row = OneTimeLink.objects.get(purpose="sign_in")
    OneTimeLink.objects.update(expires_at=row.expires_at - dt.timedelta(minutes=59))
    assert "Log in" in PlainBrowser().get(path).text
    OneTimeLink.objects.update(expires_at=row.expires_at - dt.timedelta(minutes=61))
    response = PlainBrowser().get(path)
    assert UNUSABLE in response.text
    browser = PlainBrowser()
    token = {"csrfmiddlewaretoken": browser.get("/login").fields["csrfmiddlewaretoken"]["value"]}
    assert UNUSABLE in browser.client.post(path, token).content.decode()
    assert browser.user_id == ""


def test_link_requires_the_second_factor(fan):
    browser = PlainBrowser()
    browser.sign_in(EMAIL, PASSWORD)
    secret = set_up(browser)
    mails()
    other = PlainBrowser()
    assert PlainBrowser().post(link_request()).to == "/two-factor"
    _, code = request(other)
    assert other.post(SENT_PAGE, code=code).to == "/two-factor"
    assert other.user_id == ""
    assert by_code(other, secret).to == "/"
    assert other.user_id == str(fan.pk)


def test_link_replaces_another_account_in_the_browser(fan):
    account_create(email="other@example.org", password=PASSWORD, username="other_one")
    browser = PlainBrowser()
    browser.sign_in("other@example.org", PASSWORD)
    browser.post(link_request())
    assert browser.user_id == str(fan.pk)


def test_closed_or_unconfirmed_account_gets_no_link(fan):
    """Otherwise a registration with another person's address would become a confirmed account with a known password."""
    path = link_request()
    User.objects.update(is_active=False)
    assert PlainBrowser().post("/login/link", email=EMAIL).to == "/login/link/sent"
    assert mails() == []
    assert UNUSABLE in PlainBrowser().get(path).text
    User.objects.update(is_active=True)
    EmailAddress.objects.update(verified=False)
    attempts_clear()
    assert PlainBrowser().post("/login/link", email=EMAIL).to == "/login/link/sent"
    assert mails() == []


def test_new_password_ends_links(fan):
    browser = PlainBrowser()
    path, code = request(browser)
    browser.post("/forgot-password", email=EMAIL)
    browser.get(link_in(mails()[0]))
    browser.post("/reset-password", password1="another-seat-31", password2="another-seat-31")
    assert UNUSABLE in PlainBrowser().get(path).text
    assert WRONG_CODE in browser.post(SENT_PAGE, code=code).text


@pytest.mark.parametrize("email", [EMAIL, "unknown@example.org"])
def test_links_are_limited_per_address(fan, email):
    for _ in range(2):
        assert PlainBrowser().post("/login/link", email=email).status == 302
    response = PlainBrowser().post("/login/link", email=email.upper())
    assert TOO_MANY in response.text
    assert "You can try again in 60 min." in response.text
    assert response.fields["email"]["value"] == email.upper()
    assert len(mails()) == (2 if email == EMAIL else 0)


def test_invalid_requests_are_refused(fan):
    keys = ("", "nonsense", "%00", "x" * 500)
    check_each(keys, lambda key: UNUSABLE in PlainBrowser().get(f"/login/link/use?key={key}").text)
    assert PlainBrowser().client.get(link_request(), headers={"Sec-Fetch-Dest": "image"}).status_code == 403
    response = PlainBrowser().post("/login/link", email="fan@")
    assert "Please enter a valid e-mail address" in response.text
    assert response.wrong == ["email"]
