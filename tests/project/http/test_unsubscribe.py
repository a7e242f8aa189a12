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
    """Return a client without cookies and with CSRF checks, like the server of a mail program."""
    return Client(enforce_csrf_checks=True)


def test_post_of_a_mail_program_ends_the_mails_each_time(fan):
    other = member()
    for _ in range(3):
        answer = strict().post(path(fan), ONE_CLICK)
        assert answer.status_code == 200
        assert "sessionid" not in answer.cookies
    assert (mails_of(fan), mails_of(other)) == ("never", "at_once")
    assert not Notification.objects.filter(mail_due_at__isnull=False).exists()
    headers = {"Origin": "https://mail.example"}
    for form, options in ((ONE_CLICK, {}), (b"", {"content_type": "text/plain", "headers": headers})):
        notifications_choose(actor=viewer_of(fan), typed={"mail": "daily"})
        assert strict().post(path(fan), form, **options).status_code == 200
        assert mails_of(fan) == "never"


def test_other_methods_and_embedding_are_refused(fan):
    for method in ("put", "delete", "patch"):
        assert getattr(strict(), method)(path(fan)).status_code == 405
    assert Client().get(path(fan), headers={"Sec-Fetch-Dest": "iframe"}).status_code == 403
    assert mails_of(fan) == "at_once"


def test_opening_the_link_only_shows_the_masked_address(fan):
    browser = PlainBrowser()
    for method in ("get", "head"):
        assert getattr(strict(), method)(path(fan)).status_code == 200
    page = browser.get(path(fan))
    assert mails_of(fan) == "at_once"
    assert "f•••@example.org" in page.text
    assert "fan@example.org" not in page.html
    assert page.html.count('method="post"') == 1
    done = browser.post(path(fan))
    assert done.status == 200
    assert "No more e-mails" in done.text
    assert "f•••@example.org" in done.text
    assert mails_of(fan) == "never"


def test_page_is_not_cached_indexed_or_sent_as_referrer(fan):
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


def test_forged_token_is_refused_with_an_explanation(fan):
    member()  # the next id
    for address in forged(fan):
        for answer in (strict().get(address), strict().post(address, ONE_CLICK)):
            assert answer.status_code == 404, address
            assert "This link is not complete, or its account no longer exists." in answer.content.decode()
    assert mails_of(fan) == "at_once"


def test_forged_links_are_limited_and_valid_links_are_not(fan):
    for _ in range(FORGED_UNSUBSCRIBES.amount):
        assert strict().post("/unsubscribe?key=1.forged").status_code == 404
    answer = strict().post("/unsubscribe?key=1.forged")
    assert answer.status_code == 429
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert strict().post(path(fan), ONE_CLICK).status_code == 200
    assert mails_of(fan) == "never"


def test_link_works_for_a_closed_account_but_not_for_a_deleted_one(fan):
    address = path(fan)
    User.objects.filter(pk=fan.pk).update(is_active=False)
    assert strict().post(address, ONE_CLICK).status_code == 200
    assert mails_of(fan) == "never"
    User.objects.filter(pk=fan.pk).update(is_active=True)
    account_delete(actor=viewer_of(fan), password=PASSWORD)
    assert strict().post(address, ONE_CLICK).status_code == 404


def test_link_works_after_a_change_of_the_secret_key(fan, settings):
    address = path(fan)
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "a new key of the site", [settings.SECRET_KEY]
    assert strict().post(address, ONE_CLICK).status_code == 200
    assert mails_of(fan) == "never"


def test_address_is_masked():
    addresses = {"fan@example.org": "f•••@example.org", "ł@example.org": "ł•••@example.org"}
    for address, masked in (addresses | {'"a@b"@example.org': '"•••@example.org'}).items():
        assert address_masked(address) == masked
