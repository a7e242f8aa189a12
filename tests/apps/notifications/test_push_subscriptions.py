"""Test push subscriptions: forged endpoints and keys, their owners, and their end with every end of a session."""

from collections.abc import Callable
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.conf import settings
from django.core.exceptions import PermissionDenied, ValidationError
from django.core.management import call_command
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone

from apps.accounts.actors import ANONYMOUS, OPERATOR, Viewer
from apps.accounts.models import AuthSession, User
from apps.accounts.selectors.sessions import viewer_get
from apps.accounts.services.accounts import account_create, account_delete, account_export
from apps.accounts.services.profile import password_set
from apps.accounts.services.roles import account_deactivate
from apps.accounts.services.sessions import (
    session_end,
    session_end_own,
    session_renew,
    sessions_end_others,
    sessions_prune,
)
from apps.accounts.session_store import SessionStore
from apps.notifications.limits import ENDPOINT_LENGTH, SUBSCRIPTIONS_CHANGED, SUBSCRIPTIONS_MOST
from apps.notifications.models import PushSubscription
from apps.notifications.push.endpoints import endpoint_is_allowed
from apps.notifications.push.public_key import public_key_of
from apps.notifications.push.site_key import is_push_key
from apps.notifications.selectors.push import PushState, push_state
from apps.notifications.services.push_subscriptions import (
    NOT_OFFERED,
    NOT_ON,
    UNKNOWN_SERVICE,
    UNUSABLE_KEYS,
    push_renew,
    push_subscribe,
    push_unsubscribe,
)
from tests.apps.meanwhile import meanwhile
from tests.apps.notifications.push_service import Browser
from tests.apps.notifications.pushing import client_of, signed_in, subscribed
from tests.factories import PASSWORD, UserFactory
from tests.offenders import check_each

pytestmark = pytest.mark.django_db(transaction=True)
FCM = "https://fcm.googleapis.com/fcm/send/"
KNOWN = [
    f"{FCM}d5Ov:APA91b-q_1",
    "https://fcm.googleapis.com/wp/abc",
    "https://updates.push.services.mozilla.com/wpush/v2/gAAAA",
    "https://web.push.apple.com/QGuQyavXutnMH",
    "https://wns2-par02p.notify.windows.com/w/?token=BQYAAADc%2b4",
]
FORGED = [
    "http://fcm.googleapis.com/fcm/send/a",
    "https://fcm.googleapis.com:443/fcm/send/a",
    "https://fcm.googleapis.com:8443/fcm/send/a",
    "https://fcm.googleapis.com:0443/fcm/send/a",
    "https://fcm.googleapis.com:/fcm/send/a",
    "https://fcm.googleapis.com:x/fcm/send/a",
    "https://user:secret@fcm.googleapis.com/fcm/send/a",
    "https://@fcm.googleapis.com/fcm/send/a",
    "https://fcm.googleapis.com@evil.example/a",
    "https://fcm.googleapis.com.evil.example/a",
    "https://evil.example/fcm.googleapis.com",
    "https://evil.example#fcm.googleapis.com",
    "https://evil.example?.push.apple.com",
    "https://evil.example\\.push.apple.com/a",
    "https://evilfcm.googleapis.com/a",
    "https://push.apple.com/a",
    "https://.push.apple.com/a",
    "https://evilpush.apple.com/a",
    "https://push.services.mozilla.com.evil.example/a",
    "https://xpush.services.mozilla.com/a",
    "https://127.0.0.1/a",
    "https://127.0.0.1:4433/a",
    "https://[::1]/a",
    "https://169.254.169.254/latest/meta-data",
    "https://localhost/a",
    "https://fcm.googleapis.com./a",
    "https://FCM.googleapis.com/a",
    "https://fcm.googleapis.com/a b",
    "https://fcm.googleapis.com/a\r\nHost: evil.example",
    "https://fcm.googleapis.com\t/a",
    "https://fcm。googleapis.com/a",
    "https://fcm.googleapis.com/ą",
    "https://ｆcm.googleapis.com/a",
    "https://web.push.аpple.com/a",
    "https:/fcm.googleapis.com/a",
    "https:fcm.googleapis.com/a",
    "//fcm.googleapis.com/a",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "https://",
    "",
]


@pytest.fixture
def fan() -> User:
    return UserFactory()


def browser(name: str = "one") -> Browser:
    """Return a browser with an endpoint of Google."""
    return Browser(FCM + name)


def stored() -> list[tuple[int, str]]:
    """Return the accounts and the endpoints of all subscriptions."""
    return list(PushSubscription.objects.order_by("id").values_list("user_id", "endpoint"))


def test_endpoints_of_browsers_are_accepted(fan: User) -> None:
    for endpoint in KNOWN:
        subscribed(fan, Browser(endpoint))
    assert stored() == [(fan.pk, endpoint) for endpoint in KNOWN]


def test_forged_endpoint_is_refused_with_a_message() -> None:
    def check(endpoint: str) -> None:
        with pytest.raises(ValidationError) as error:
            subscribed(UserFactory(), Browser(endpoint))
        assert error.value.messages == [UNKNOWN_SERVICE]
        assert stored() == []

    check_each([*FORGED, f"{FCM}{'a' * ENDPOINT_LENGTH}"], check)


def test_test_push_service_is_allowed_by_its_origin_only(settings: Any) -> None:
    settings.PUSH_TEST_ORIGIN = "https://127.0.0.1:4433"
    assert endpoint_is_allowed("https://127.0.0.1:4433/a")
    for endpoint in ("https://127.0.0.1/a", "https://127.0.0.1:44331/a", "http://127.0.0.1:4433/a"):
        assert not endpoint_is_allowed(endpoint)


def test_unusable_keys_are_refused_with_a_message(fan: User) -> None:
    viewer = signed_in(fan)
    for keys in (
        {"p256dh": ""},
        {"p256dh": "A" * 86},
        {"p256dh": "B" + "_" * 86},  # not on the curve
        {"p256dh": Browser("").keys["p256dh"][:-4]},
        {"p256dh": Browser("").keys["p256dh"] + "AAAA"},
        {"p256dh": "ą" * 87},
        {"p256dh": "A" * 201},
        {"auth": ""},
        {"auth": "AAAA"},
        {"auth": "A" * 24},
        {"auth": "!" * 22},
    ):
        with pytest.raises(ValidationError) as error:
            push_subscribe(actor=viewer, **(browser().keys | keys))
        assert error.value.messages == [UNUSABLE_KEYS], keys
    assert stored() == []


def test_subscribing_and_unsubscribing_are_idempotent(fan: User) -> None:
    viewer, one = signed_in(fan), browser()
    for _ in range(2):
        push_subscribe(actor=viewer, **one.keys)
        assert stored() == [(fan.pk, one.endpoint)]
        assert push_state(user_id=fan.pk, session=viewer.session).is_on
    for _ in range(2):
        push_unsubscribe(actor=viewer)
        assert stored() == []
        assert not push_state(user_id=fan.pk, session=viewer.session).is_on


def test_session_has_one_endpoint_with_the_newest_keys(fan: User) -> None:
    viewer = subscribed(fan, browser("old"))
    push_subscribe(actor=viewer, **browser("new").keys)
    assert stored() == [(fan.pk, f"{FCM}new")]
    keys = browser("new").keys
    push_subscribe(actor=viewer, **keys)
    row = PushSubscription.objects.get()
    assert (row.p256dh, row.auth) == (keys["p256dh"], keys["auth"])


def test_oldest_browser_above_the_limit_is_removed(fan: User) -> None:
    other = UserFactory()
    subscribed(other, browser("others"))
    for number in range(SUBSCRIPTIONS_MOST + 2):
        subscribed(fan, browser(str(number)))
    kept = [endpoint for user, endpoint in stored() if user == fan.pk]
    assert kept == [f"{FCM}{number}" for number in range(2, SUBSCRIPTIONS_MOST + 2)]
    assert (other.pk, f"{FCM}others") in stored()


def test_too_many_changes_are_refused(fan: User) -> None:
    viewer = signed_in(fan)
    for number in range(SUBSCRIPTIONS_CHANGED.amount):
        push_subscribe(actor=viewer, **browser(str(number)).keys)
    with pytest.raises(ValidationError, match="Too many attempts"):
        push_subscribe(actor=viewer, **browser("more").keys)


def test_endpoint_belongs_to_the_last_subscriber(fan: User) -> None:
    other, one = UserFactory(), browser()
    viewer = subscribed(fan, one)
    theirs = subscribed(other, one)
    assert stored() == [(other.pk, one.endpoint)]
    assert not push_state(user_id=fan.pk, session=viewer.session).is_on
    push_unsubscribe(actor=viewer)  # it has no subscription, and the other account keeps its own
    push_unsubscribe(actor=Viewer(fan.pk, session=signed_in(fan).session))
    assert stored() == [(other.pk, one.endpoint)]
    assert account_export(actor=viewer)["push_subscriptions"] == []
    assert not push_state(user_id=fan.pk, session=theirs.session).is_on
    with pytest.raises(PermissionDenied):  # the session of another account
        push_unsubscribe(actor=Viewer(fan.pk, session=theirs.session))
    with pytest.raises(IntegrityError), transaction.atomic():
        PushSubscription.objects.create(user=fan, session_handle=viewer.session, **one.keys)


def test_only_a_member_in_a_valid_session_subscribes(fan: User) -> None:
    for actor in (ANONYMOUS, OPERATOR, Viewer(fan.pk)):  # the last one has no session
        for act in (push_subscribe, push_renew):
            with pytest.raises(PermissionDenied, match="Please sign in"):
                act(actor=actor, **browser().keys)
        with pytest.raises(PermissionDenied, match="Please sign in"):
            push_unsubscribe(actor=actor)
    viewer = signed_in(fan)
    AuthSession.objects.update(expire_date=timezone.now() - timedelta(seconds=1))
    with pytest.raises(PermissionDenied):
        push_subscribe(actor=viewer, **browser().keys)


def test_renewed_endpoint_replaces_the_old_one(fan: User) -> None:
    viewer = subscribed(fan, browser("old"))
    push_renew(actor=viewer, **browser("new").keys)
    assert stored() == [(fan.pk, f"{FCM}new")]
    with pytest.raises(ValidationError) as error:
        push_renew(actor=signed_in(fan), **browser("other").keys)
    assert error.value.messages == [NOT_ON]


def test_site_without_a_key_offers_no_push(fan: User, settings: Any) -> None:
    settings.PUSH_PRIVATE_KEY = ""
    with pytest.raises(ValidationError) as error:
        subscribed(fan, browser())
    assert error.value.messages == [NOT_OFFERED]
    assert push_state(user_id=fan.pk, session="") == PushState("", is_on=False)


def by_post(viewer: Viewer, path: str, **fields: str) -> None:
    """Post a form of the site in the browser of this viewer's session."""
    answer = client_of(viewer).post(path, fields, headers={"Origin": settings.PUBLIC_URL})
    assert answer.status_code in {302, 303}, answer.content.decode()


def expire(viewer: Viewer) -> None:
    """Make the session expire two days ago, and prune."""
    AuthSession.objects.filter(handle=viewer.session).update(expire_date=timezone.now() - timedelta(days=2))
    sessions_prune()


ENDS: dict[str, Callable[[Viewer, Viewer], object]] = {
    "sign-out": lambda own, _: by_post(own, "/sign-out"),
    "the end of the session in the browser": lambda own, _: session_end(session=loaded(own), account_id=own.id or 0),
    "from another browser": lambda own, other: session_end_own(actor=other, handle=own.session),
    "from another browser, by its form": lambda own, other: by_post(other, "/profile/sessions/end", handle=own.session),
    "in all other browsers": lambda _, other: sessions_end_others(actor=other),
    "expiry": lambda own, _: expire(own),
    "a new password by mail": lambda own, _: password_set(account_id=own.id or 0, encoded="x"),
    "closing": lambda own, _: account_deactivate(actor=OPERATOR, account_id=own.id or 0),
    "deletion": lambda own, _: account_delete(actor=own, password=PASSWORD),
}


def loaded(viewer: Viewer) -> SessionStore:
    """Return the stored session of this viewer."""
    return SessionStore(AuthSession.objects.get(handle=viewer.session).key)


def test_subscription_ends_with_its_session() -> None:
    def check(end: str) -> None:
        fan = UserFactory()
        own, other = subscribed(fan, browser()), signed_in(fan)
        assert (fan.pk, browser().endpoint) in stored()
        ENDS[end](own, other)
        assert [endpoint for _, endpoint in stored()] == [f"{FCM}another"]

    subscribed(UserFactory(), browser("another"))
    check_each(ENDS, check)


def test_end_of_another_session_keeps_the_subscription(fan: User) -> None:
    own, other = subscribed(fan, browser()), signed_in(fan)
    by_post(other, "/sign-out")
    sessions_end_others(actor=own)
    assert len(stored()) == 1


def test_new_session_key_keeps_the_subscription(fan: User) -> None:
    own = subscribed(fan, browser())
    before = loaded(own).session_key
    session_renew(session=loaded(own), account_id=fan.pk)
    assert loaded(own).session_key != before
    assert len(stored()) == 1
    assert push_state(user_id=fan.pk, session=own.session).is_on


def test_new_sign_in_after_a_sign_out_has_no_push() -> None:
    account_create(email="fan@example.org", password=PASSWORD, username="fan_of_g")
    client = Client()

    def sign_in() -> Viewer:
        assert client.post("/login", {"login": "fan@example.org", "password": PASSWORD}).status_code == 302
        row = AuthSession.objects.get(key=client.cookies[settings.SESSION_COOKIE_NAME].value)
        return viewer_get(user_id=row.user_id, session=str(row.handle))

    push_subscribe(actor=sign_in(), **browser().keys)
    client.post("/sign-out", headers={"Origin": settings.PUBLIC_URL})
    assert stored() == []
    again = sign_in()
    assert not push_state(user_id=again.id or 0, session=again.session).is_on


def test_sign_out_during_subscribing_leaves_no_subscription() -> None:
    def made() -> tuple[Callable[[], object], Callable[[], object]]:
        viewer = signed_in(UserFactory())
        session = loaded(viewer)
        keys = browser(viewer.session).keys
        return (
            lambda: push_subscribe(actor=viewer, **keys),
            lambda: session_end(session=session, account_id=viewer.id or 0),
        )

    rounds = 0
    for _ in meanwhile(made):
        rounds += 1
        assert stored() == []
    assert rounds >= 5


def test_export_has_the_push_service_but_no_key(fan: User) -> None:
    viewer = subscribed(fan, browser("secret"))
    exported = account_export(actor=viewer)["push_subscriptions"]
    assert [row["push_service"] for row in exported] == ["fcm.googleapis.com"]
    assert "secret" not in str(exported)


def test_push_keys_prints_a_new_usable_key_each_time(settings: Any) -> None:
    settings.PUSH_PRIVATE_KEY = ""
    keys = set()
    for _ in range(2):
        out, err = StringIO(), StringIO()
        call_command("push_keys", stdout=out, stderr=err)
        name, _, key = out.getvalue().strip().partition("=")
        assert (name, is_push_key(key), len(public_key_of(key))) == ("PUSH_PRIVATE_KEY", True, 87)
        assert public_key_of(key) in err.getvalue()
        assert key not in err.getvalue()
        keys.add(key)
    assert len(keys) == 2
    settings.PUSH_PRIVATE_KEY = key
    err = StringIO()
    call_command("push_keys", stdout=StringIO(), stderr=err)
    assert "every member has to turn notifications on again" in err.getvalue()


def test_other_texts_are_no_keys() -> None:
    assert [text for text in ("", "x", "A" * 43, "_" * 43, "ą" * 43, "AQ", "A" * 44) if is_push_key(text)] == []
