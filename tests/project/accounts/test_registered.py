"""The page after a registration: another mail, another address, and the same answers for an address with an account."""

import datetime as dt
import re
from html import unescape

import pytest
from allauth.account.models import EmailAddress
from django.conf import settings
from django.db import connection
from psycopg import sql

from apps.accounts.mail import EMAIL_CONFIRMATION, PASSWORD_RESET, link_account, link_create
from apps.accounts.models import OneTimeLink, User
from apps.accounts.selectors.registrations import HELD_DOMAIN, registration_get
from apps.accounts.services.accounts import account_create
from apps.accounts.services.registrations import registration_readdress
from apps.ratings.models import RatingDraft
from tests.apps.accounts.test_links import older
from tests.apps.conftest import run_together
from tests.factories import PASSWORD, ProgramEntryFactory
from tests.project.accounts.test_sign_up import marks_of
from tests.project.plain_browser import PlainBrowser, Seen, link_in, mails
from tests.rate_limits import attempts_clear, seconds_pass

pytestmark = pytest.mark.django_db(transaction=True)
PAGE, AGAIN, ADDRESS = "/register/sent", "/register/sent/again", "/register/sent/address"
EMAIL, OTHER, NAME = "nora@example.org", "nadia@example.org", "nora_n"
CONFIRM, ALREADY = "Please confirm your e-mail address", "You have an account already"
TOO_MANY = "Too many attempts. Please try again later."
FOLDED, OPEN = '<details class="stack">', '<details class="stack" open="">'
CHANGED = "The address is changed. Former links no longer work."


def registered(email: str = EMAIL, username: str = NAME, query: str = "", **more: str) -> PlainBrowser:
    """Return a browser that has just registered this address."""
    browser = PlainBrowser()
    response = browser.post(f"/register{query}", email=email, username=username, password1=PASSWORD, **more)
    assert response.to == f"{PAGE}{query}"
    return browser


def owner_create(email: str = EMAIL) -> User:
    """Create the account that has this address already."""
    return account_create(email=email, password="a-password-of-the-owner", username=f"owner-{email.partition('@')[0]}")


def do(browser: PlainBrowser, path: str, **typed: str) -> Seen:
    """Post a form of the page."""
    fields = browser.get(PAGE).fields
    token = fields["csrfmiddlewaretoken"]["value"] if fields else ""
    return browser._seen(browser.client.post(path, {"csrfmiddlewaretoken": token, **typed}))


def change(browser: PlainBrowser, email: str, password: str = PASSWORD, **more: str) -> Seen:
    """Post the form for another address."""
    return do(browser, ADDRESS, email=email, password=password, **more)


def sent() -> list[tuple[str, str]]:
    """Return the receiver and the subject of each mail since the last call."""
    return [(message.to[0], message.subject) for message in mails()]


def test_page_masks_the_address():
    page = registered("Nora@Example.org").get(PAGE)
    assert "We sent a link to n…@example.org" in page.text
    assert "nora" not in page.html.lower()
    assert page.fields["email"].get("value", "") == ""
    assert FOLDED in page.html, "the form for another address is folded"
    assert "Your marks are kept." not in page.text


def test_page_confirms_kept_marks_for_every_address():
    owner_create(OTHER)
    entry = ProgramEntryFactory()
    for email, username in ((EMAIL, NAME), (OTHER, "nadia-n")):
        assert "Your marks are kept." in registered(email, username, marks=marks_of(entry)).get(PAGE).text
    assert RatingDraft.objects.count() == 2


@pytest.mark.parametrize("known", [False, True])
def test_page_is_shown_for_a_day_in_the_registered_browser(known):
    if known:
        owner_create()
    browser = registered()
    name = settings.REGISTERED_COOKIE_NAME
    for key in ("", "unknown", browser.client.cookies[name].value[:-1]):
        anonymous = PlainBrowser()
        anonymous.client.cookies[name] = key
        assert anonymous.get(f"{PAGE}?next=/news").to == "/login?next=%2Fnews"
        assert do(anonymous, AGAIN).status == 403
    older(86_340)
    assert browser.get(PAGE).status == 200
    older(120)
    assert browser.get(PAGE).to == "/login"


def test_confirmation_in_any_browser_ends_the_page():
    browser = registered()
    link = link_in(mails()[-1])
    token = browser.get(PAGE).fields["csrfmiddlewaretoken"]["value"]
    assert PlainBrowser().post(link, password=PASSWORD).to == "/"
    assert browser.get(PAGE).to == "/login"
    for path in (AGAIN, ADDRESS):
        form = {"csrfmiddlewaretoken": token, "email": OTHER, "password": PASSWORD}
        assert browser.client.post(path, form)["Location"] == "/login"
    assert User.objects.get().email == EMAIL


def test_page_is_shown_only_for_a_new_unused_account():
    browser = registered()
    for path in (AGAIN, ADDRESS):
        assert browser.get(f"{path}?next=/news").to == f"{PAGE}?next=%2Fnews"
    new = {"is_admin": False, "is_active": True, "last_login": None}
    for change_of_account in ({"is_admin": True}, {"is_active": False}, {"last_login": dt.datetime.now(dt.UTC)}):
        User.objects.update(**new | change_of_account)
        assert browser.get(PAGE).to == "/login", change_of_account
    User.objects.update(**new)
    assert browser.get(PAGE).status == 200
    account_create(email=OTHER, password=PASSWORD, username="nadia-n")
    browser.sign_in(OTHER, PASSWORD)
    assert browser.get(PAGE).to == "/login", "another account is signed in"


# Another mail


def test_three_mails_an_hour_are_sent():
    browser = registered(query="?next=%2Fnews")
    (first,) = mails()
    for _ in range(2):
        assert do(browser, AGAIN, next="/news").to == f"{PAGE}?done=again&next=%2Fnews"
    assert "We sent it once more." in browser.get(f"{PAGE}?done=again").text
    refused = do(browser, AGAIN)
    assert refused.status == 200
    assert TOO_MANY in refused.text
    assert "You can try again in 60 min." in refused.text
    assert FOLDED in refused.html
    again = mails()
    assert [(message.to, message.subject) for message in again] == [([EMAIL], CONFIRM)] * 2
    seconds_pass(3_600)
    assert do(browser, AGAIN).to == f"{PAGE}?done=again"
    assert browser.post(link_in(again[-1])).to == "/news", "returns to `next` of the registration"
    assert link_account(purpose=EMAIL_CONFIRMATION, key=link_in(first).partition("key=")[2]) is None


def test_known_address_gets_another_mail_until_it_becomes_free():
    owner = owner_create()
    browser = registered()
    do(browser, AGAIN)
    refused = mails()
    assert [(message.to, message.subject) for message in refused] == [([EMAIL], ALREADY)] * 2
    assert "/login" in refused[0].body
    assert "key=" not in refused[0].body
    owner.delete()
    do(browser, AGAIN)
    (message,) = mails()
    assert message.subject == CONFIRM
    assert browser.post(link_in(message)).to == "/"
    assert browser.user_id == str(User.objects.get(email=EMAIL, username=NAME).pk)


# Another address


def test_change_of_address_ends_the_old_link_and_sends_a_new_one():
    browser = registered(query="?next=%2Fnews")
    former = link_in(mails()[-1])
    response = change(browser, "Nadia@Example.org", next="/news")
    assert response.to == f"{PAGE}?done=changed&next=%2Fnews"
    page = browser.get(response.to)
    assert CHANGED in page.text
    assert "We sent a link to n…@example.org" in page.text
    (message,) = mails()
    assert (message.to, message.subject) == ([OTHER], CONFIRM)
    assert browser.get("/login").fields["login"]["value"] == OTHER
    assert "This link has been used" in browser.get(former).text
    assert browser.post(link_in(message)).to == "/news"
    assert browser.user_id == str(User.objects.get(email=OTHER).pk)
    assert list(EmailAddress.objects.values_list("email", "verified")) == [(OTHER, True)]


@pytest.mark.parametrize("known", [False, True])
def test_wrong_password_keeps_the_address_and_is_limited(known):
    if known:
        owner_create()
    browser = registered()
    mails()
    before = list(User.objects.values_list("email", flat=True))
    for _ in range(5):
        response = change(browser, OTHER, "not-the-password")
        assert response.status == 200
        assert "Incorrect password." in response.text
        assert response.wrong == ["password"]
        assert response.fields["email"]["value"] == OTHER
        assert OPEN in response.html
        assert "not-the-password" not in response.html
    assert TOO_MANY in change(browser, OTHER).text
    assert list(User.objects.values_list("email", flat=True)) == before
    assert sent() == []


def test_errors_are_shown_at_their_fields():
    browser = registered()
    for email, password, error, field in (
        ("nadia@", PASSWORD, "Please enter a valid e-mail address", "email"),
        ("", PASSWORD, "Please enter your e-mail address", "email"),
        (OTHER, "", "Please enter your password", "password"),
    ):
        response = change(browser, email, password)
        assert error in response.text
        assert response.wrong == [field]
        assert response.fields["email"].get("value", "") == email
        assert OPEN in response.html


def test_registration_with_a_known_address_can_change_it():
    owner, entry = owner_create(), ProgramEntryFactory()
    browser = registered(marks=marks_of(entry))
    assert User.objects.get(username=NAME).email.endswith(HELD_DOMAIN)
    assert change(browser, OTHER).to == f"{PAGE}?done=changed"
    *_, message = mails()
    assert (message.to, message.subject) == ([OTHER], CONFIRM)
    assert browser.post(link_in(message)).to == "/"
    user = User.objects.get(email=OTHER)
    assert (browser.user_id, user.username, user.check_password(PASSWORD)) == (str(user.pk), NAME, True)
    assert RatingDraft.objects.get().user == user
    owner.refresh_from_db()
    assert (owner.email, owner.check_password(PASSWORD)) == (EMAIL, False)


def test_change_to_a_known_address_is_held_and_can_be_repeated():
    owner_create(OTHER)
    browser = registered()
    former = link_in(mails()[-1])
    assert change(browser, OTHER).to == f"{PAGE}?done=changed"
    assert sent() == [(OTHER, ALREADY)]
    assert "This link has been used" in browser.get(former).text
    assert User.objects.get(username=NAME).email.endswith(HELD_DOMAIN)
    assert PlainBrowser().sign_in(EMAIL, PASSWORD).status == 200
    change(browser, "third@example.org")
    (message,) = mails()
    assert browser.post(link_in(message)).to == "/"
    assert User.objects.get(username=NAME).email == "third@example.org"


def test_change_of_address_ends_late_links_of_the_old_address():
    browser = registered()
    user = User.objects.get()
    key = link_create(purpose=PASSWORD_RESET, account_id=user.pk, email=EMAIL)
    change(browser, OTHER)
    assert OneTimeLink.objects.exclude(purpose="registered_browser").filter(email=EMAIL).count() == 0
    late = [
        link_create(purpose=purpose, account_id=user.pk, email=EMAIL)
        for purpose in (PASSWORD_RESET, EMAIL_CONFIRMATION)
    ]
    assert link_account(purpose=PASSWORD_RESET, key=key) is None
    assert link_account(purpose=PASSWORD_RESET, key=late[0]) is None
    assert link_account(purpose=EMAIL_CONFIRMATION, key=late[1]) is None


def test_unconfirmed_sign_in_may_change_the_address():
    registered()
    phone = PlainBrowser()
    assert phone.sign_in(EMAIL.upper(), PASSWORD).to == "/verify-email/sent"
    assert "We sent a link to n…@example.org" in phone.get(PAGE).text
    assert change(phone, OTHER).to == f"{PAGE}?done=changed"


def test_concurrent_changes_give_one_account_the_address():
    browsers = registered(), registered("nils@example.org", "nils-n")
    responses = run_together(*(lambda browser=browser: change(browser, OTHER) for browser in browsers))
    assert [response.to for response in responses] == [f"{PAGE}?done=changed"] * 2
    assert User.objects.filter(email=OTHER).count() == EmailAddress.objects.filter(email=OTHER).count() == 1
    assert User.objects.filter(email__endswith=HELD_DOMAIN).count() == 1


def test_service_refuses_a_confirmed_or_deleted_registration():
    browser = registered()
    key = browser.client.cookies[settings.REGISTERED_COOKIE_NAME].value
    registration = registration_get(key=key)
    EmailAddress.objects.update(verified=True)
    values = {"registration": registration, "email": OTHER, "password": PASSWORD, "client": "192.0.2.1"}
    assert not registration_readdress(**values)
    assert registration_get(key=key) is None
    User.objects.all().delete()
    assert not registration_readdress(**values)


# Known and unknown addresses get equal responses

RANDOM = (
    (r'(?<=csrfmiddlewaretoken" value=")\w{64}|(?<=csrf=)\w{32}', "TOKEN"),
    (r"(?<=registered=)[\w-]{43}", "KEY"),
    (r"\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT", "TIME"),
    (r'(?<=messages=)"?[^;]+', "MESSAGES"),  # the typed address and a signature; the page that shows them is compared
)
TARGETS = {"free": "n1@example.org", "known": "n2@example.org"}


def plain(answer) -> tuple[object, ...]:
    """Return a response without its random parts: status, headers, cookies and body."""
    cookies = [cookie.OutputString() for _, cookie in sorted(answer.cookies.items())]
    texts = [answer.content.decode(), *(f"{name}: {value}" for name, value in sorted(answer.items())), *cookies]
    for pattern, replacement in RANDOM:
        texts = [re.sub(pattern, replacement, unescape(text)) for text in texts]
    return answer.status_code, *texts


def row_counts() -> dict[str, int]:
    """Return the number of rows of every table, except links, which the mail thread creates for new addresses only."""
    with connection.cursor() as cursor:
        names = set(connection.introspection.table_names(cursor)) - {"one_time_links"}
        counts: dict[str, int] = {}
        for name in names:
            cursor.execute(sql.SQL("SELECT count(*) FROM {}").format(sql.Identifier(name)))
            counts[name] = cursor.fetchone()[0]
    return counts


def journey(email: str, username: str, target: str) -> list[object]:
    """Register and use every form of the page, rightly and wrongly; return all answers and the rows that were added."""
    attempts_clear()
    browser = PlainBrowser()
    client, before, responses = browser.client, row_counts(), []

    def get(path: str) -> str:
        answer = client.get(path)
        responses.append(plain(answer))
        fields = Seen(answer.status_code, answer.headers, answer.content.decode()).fields
        return fields["csrfmiddlewaretoken"]["value"]

    def post(path: str, **typed: str) -> None:
        token = get("/register" if path == "/register" else PAGE)
        responses.append(plain(client.post(path, {"csrfmiddlewaretoken": token, **typed})))

    post("/register", email=email, username=username, password1=PASSWORD)
    post(AGAIN)
    get(f"{PAGE}?done=again")
    post(ADDRESS, email="n3@", password=PASSWORD)
    post(ADDRESS, email=target, password="not-the-password")
    post(ADDRESS, email=target, password=PASSWORD)
    get(f"{PAGE}?done=changed")
    post(AGAIN)
    post(AGAIN)
    post(AGAIN)  # beyond the limit
    post(ADDRESS, email="n4@example.org", password=PASSWORD)  # beyond the limit of the former address
    responses.append(plain(client.get("/login")))
    mails()
    other = PlainBrowser()
    responses.append(plain(other.client.get(PAGE)))
    taken = other.post("/register", email="n9@example.org", username=username, password1=PASSWORD)
    responses.append(("This username is already taken." in taken.text, taken.wrong))
    after = row_counts()
    responses.append({name: after[name] - before.get(name, 0) for name in after if after[name] != before.get(name, 0)})
    return responses


@pytest.mark.parametrize("target", TARGETS)
def test_responses_are_equal_for_known_and_unknown_addresses(target):
    """Four journeys: with a new and with a known address, to the same kind of other address."""
    owner_create("n5@example.org")
    owner_create(TARGETS["known"])
    first = journey("n6@example.org", "fresh-name", "n7@example.org")
    second = journey("n5@example.org", "other-name", TARGETS[target])
    strip = re.compile(r"n\d@example\.org|(fresh|other)-name")
    for number, (new, known) in enumerate(zip(first, second, strict=True)):
        assert strip.sub("X", str(new)) == strip.sub("X", str(known)), number
