"""Members with browsers, and due notifications."""

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.test import Client
from django.utils import timezone

from apps.accounts.actors import Viewer
from apps.accounts.models import AuthSession, User
from apps.accounts.selectors.sessions import viewer_get
from apps.competition.models import Participant
from apps.notifications.enums import Kind
from apps.notifications.models import Notification, PushSubscription
from apps.notifications.services.push_subscriptions import push_subscribe
from tests.apps.notifications.push_service import Browser, PushService
from tests.factories import ParticipantFactory, UserFactory, viewer_of
from tests.serving import session_cookie


def signed_in(user: User) -> Viewer:
    """Return the viewer of a new session of this account."""
    key = session_cookie(viewer_of(user)).partition("=")[2]
    return viewer_get(user_id=user.pk, session=str(AuthSession.objects.get(key=key).handle))


def client_of(viewer: Viewer) -> Client:
    """Return the browser, without scripts, of this viewer's session."""
    client = Client()
    client.cookies[settings.SESSION_COOKIE_NAME] = AuthSession.objects.get(handle=viewer.session).key
    return client


def subscribed(user: User, browser: Browser) -> Viewer:
    """Turn push on in this browser, in a new session, and return its viewer."""
    viewer = signed_in(user)
    push_subscribe(actor=viewer, **browser.keys)
    return viewer


def crowd(service: PushService, count: int) -> list[str]:
    """Make so many members with a browser at this push service and a due notification; return the browsers' paths."""
    users, browser, now = UserFactory.create_batch(count), service.browser(), timezone.now()
    sessions = AuthSession.objects.bulk_create(
        AuthSession(key=f"crowd-{user.pk}", user=user, data="", expire_date=now + timedelta(hours=1)) for user in users
    )
    columns = [
        {**browser.keys, "endpoint": f"{browser.endpoint}-{session.user_id}", "user_id": session.user_id}
        for session in sessions
    ]
    PushSubscription.objects.bulk_create(
        PushSubscription(session_handle=session.handle, **each) for session, each in zip(sessions, columns, strict=True)
    )
    performer = ParticipantFactory()
    for user in users:
        due(user, performer, push_due_at=now, occasion="crowd")
    return [each["endpoint"].removeprefix(service.origin) for each in columns]


def due(user: User, performer: Participant | None = None, **columns: Any) -> Notification:
    """Create a notification that is due now."""
    now = timezone.now()
    defaults = {"kind": Kind.NOW, "session_id": 7, "push_due_at": now, "expires_at": now + timedelta(minutes=10)}
    participant = performer or ParticipantFactory()
    columns = {"occasion": f"session.{Notification.objects.count()}", **defaults, **columns}
    return Notification.objects.create(user=user, participant=participant, **columns)
