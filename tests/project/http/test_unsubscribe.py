"""The link that ends the mails: by a post without cookies, idempotent, and refused with a forged token."""

import pytest
from django.conf import settings
from django.core.signing import Signer
from django.test import Client

from apps.accounts.models import User
from apps.accounts.services.accounts import account_delete
from apps.notifications.limits import FORGED_UNSUBSCRIBES
from apps.notifications.models import Notification
from apps.notifications.selectors.preferences import preferences_get
from apps.notifications.services.preferences import notifications_choose
from apps.notifications.unsubscribing import address_masked, unsubscribe_address
from tests.apps.notifications.noting import member, noted
from tests.factories import PASSWORD, AppearanceFactory, viewer_of
from tests.project.plain_browser import PlainBrowser

pytestmark = pytest.mark.django_db(transaction=True)
ONE_CLICK = {"List-Unsubscribe": "One-Click"}


@pytest.fixture
def fan():
    user = member()
    User.objects.filter(pk=user.pk).update(email="fan@example.org")
    noted(user, AppearanceFactory(is_performing=True))
    return user


def path(user) -> str:
    return unsubscribe_address(user.pk).removeprefix(settings.PUBLIC_URL)


def mails_of(user) -> str:
    return preferences_get(user_id=user.pk).mail


def strict() -> Client:
    """Return a client without cookies whose posts need a CSRF token, as those of a mail program's server."""
    return Client(enforce_csrf_checks=True)


def test_one_press_in_a_mail_program_ends_the_mails_however_often_it_is_sent(fan):
    other = member()
    for _ in range(3):
        answer = strict().post(path(fan), ONE_CLICK)
        assert answer.status_code == 200
        assert "sessionid" not in answer.cookies
    assert (mails_of(fan), mails_of(other)) == ("never", "at_once")
    assert not Notification.objects.filter(mail_due_at__isnull=False).exists()
    notifications_choose(actor=viewer_of(fan), typed={"mail": "daily"})
    assert strict().post(path(fan), ONE_CLICK).status_code == 200
    assert mails_of(fan) == "never"


def test_a_post_from_another_origin_and_without_a_body_ends_them_too(fan):
    headers = {"Origin": "https://mail.example"}
    assert strict().post(path(fan), b"", content_type="text/plain", headers=headers).status_code == 200
    assert mails_of(fan) == "never"


def test_looking_at_the_link_ends_nothing_and_names_the_masked_address(fan):
    browser = PlainBrowser()
    for method in ("get", "head"):
        assert getattr(strict(), method)(path(fan)).status_code == 200
    seen = browser.get(path(fan))
    assert mails_of(fan) == "at_once"
    assert "f•••@example.org" in seen.text
    assert "fan@example.org" not in seen.html
    assert seen.html.count('method="post"') == 1
    done = browser.post(path(fan))
    assert done.status == 200
    assert "No more e-mails" in done.text
    assert "f•••@example.org" in done.text
    assert mails_of(fan) == "never"


def test_the_page_is_kept_nowhere_indexed_nowhere_and_its_address_goes_nowhere(fan):
    for answer in (Client().get(path(fan)), strict().post(path(fan)), Client().get("/unsubscribe?key=1.forged")):
        assert answer.headers["Cache-Control"] == "no-store"
        assert answer.headers["Referrer-Policy"] == "no-referrer"
        assert answer.headers["X-Robots-Tag"] == "noindex"
        assert "noindex" in answer.content.decode()
        assert "default-src 'none'" in answer.headers["Content-Security-Policy"]


def forged(user) -> list[str]:
    own = path(user)
    wrong_salt = Signer(sep=".", salt="parterre.form_owner").sign(str(user.pk))
    return [
        own[:-1] + ("A" if own[-1] != "A" else "B"),
        own.replace(f"={user.pk}.", f"={user.pk + 1}."),
        f"/unsubscribe?key={wrong_salt}",
        f"/unsubscribe?key={user.pk}",
        "/unsubscribe",
        "/unsubscribe?key=.",
        "/unsubscribe?key=%00",
        f"/unsubscribe?key={'9' * 5_000}.x",
        f"/unsubscribe?key={Signer(sep='.', salt='parterre.unsubscribe', key='another key').sign(str(user.pk))}",
    ]


def test_a_forged_token_is_refused_in_a_sentence(fan):
    member()  # the next id
    for address in forged(fan):
        for answer in (strict().get(address), strict().post(address, ONE_CLICK)):
            assert answer.status_code == 404, address
            assert "This link is not complete, or its account no longer exists." in answer.content.decode()
    assert mails_of(fan) == "at_once"


def test_guesses_are_limited_and_true_links_never(fan):
    for _ in range(FORGED_UNSUBSCRIBES.amount):
        assert strict().post("/unsubscribe?key=1.forged").status_code == 404
    answer = strict().post("/unsubscribe?key=1.forged")
    assert answer.status_code == 429
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert strict().post(path(fan), ONE_CLICK).status_code == 200
    assert mails_of(fan) == "never"


def test_the_link_of_a_closed_account_works_and_that_of_a_deleted_one_is_refused(fan):
    address = path(fan)
    User.objects.filter(pk=fan.pk).update(is_active=False)
    assert strict().post(address, ONE_CLICK).status_code == 200
    assert mails_of(fan) == "never"
    User.objects.filter(pk=fan.pk).update(is_active=True)
    account_delete(actor=viewer_of(fan), password=PASSWORD)
    assert strict().post(address, ONE_CLICK).status_code == 404


def test_a_link_works_after_the_key_of_the_site_has_changed(fan, settings):
    address = path(fan)
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "a new key of the site", [settings.SECRET_KEY]
    assert strict().post(address, ONE_CLICK).status_code == 200
    assert mails_of(fan) == "never"


@pytest.mark.parametrize("method", ["put", "delete", "patch"])
def test_other_methods_are_refused(fan, method):
    assert getattr(strict(), method)(path(fan)).status_code == 405
    assert mails_of(fan) == "at_once"


def test_no_other_page_can_embed_or_fetch_it(fan):
    assert Client().get(path(fan), headers={"Sec-Fetch-Dest": "iframe"}).status_code == 403


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("fan@example.org", "f•••@example.org"),
        ("ł@example.org", "ł•••@example.org"),
        ('"a@b"@example.org', '"•••@example.org'),
    ],
)
def test_an_address_is_masked(address, shown):
    assert address_masked(address) == shown
