"""The calls of the selectors that the general tests make on a large database."""

from datetime import timedelta
from types import SimpleNamespace
from uuid import uuid4

from apps.accounts.models import User
from apps.core.database.fields import database_now
from apps.notifications.enums import Change, Kind
from apps.notifications.models import Announcement, CallAlert, Notification, PushSubscription
from apps.notifications.selectors.announcements import (
    NotificationCause,
    announcement_next,
    causes_of,
    is_superseded,
    planned_near,
    settled_at,
)
from apps.notifications.selectors.call_alerts import call_alert_own, call_alerts_export
from apps.notifications.selectors.notifications import notification_shown, notifications_export, notifications_newest
from apps.notifications.selectors.preferences import (
    preferences_export,
    preferences_get,
    preferences_of,
    preferences_own,
)
from apps.notifications.selectors.push import push_state, push_subscriptions_export, subscriptions_of
from apps.notifications.selectors.recipients import recipients_of
from apps.notifications.services.preferences import notifications_choose
from tests.apps.busy_session import LISTENER, PARTICIPANT, SESSION
from tests.apps.notifications.push_service import Browser
from tests.apps.reads import EXPORT, Read
from tests.factories import viewer_of

_OF_STAGE = Announcement(change=Change.STAGE, session_id=SESSION)
_OF_PLANNED = Announcement(change=Change.PLANNED, session_id=SESSION, participant_id=PARTICIPANT)
_OF_MOVED = Announcement(change=Change.MOVED, session_id=SESSION, participant_id=PARTICIPANT, before={})
_OF_OUTCOME = Announcement(change=Change.OUTCOME, stage_id=1)
_CAUSE = NotificationCause(Kind.NOW, PARTICIPANT, "1")
_BROWSER = "00000000-0000-0000-0000-000000000000"  # the handle of a session
READS = {
    "preferences.preferences_get": [Read(lambda: preferences_get(user_id=LISTENER))],
    "preferences.preferences_of": [Read(lambda: preferences_of(user_ids=tuple(range(1, 21))))],
    "preferences.preferences_own": [Read(lambda: preferences_own(user_id=LISTENER))],
    "preferences.preferences_export": [Read(lambda: preferences_export(user_id=LISTENER))],
    "call_alerts.call_alert_own": [Read(lambda: call_alert_own(user_id=LISTENER, session_id=SESSION))],
    "call_alerts.call_alerts_export": [Read(lambda: call_alerts_export(user_id=LISTENER), 0, EXPORT)],
    "push.push_state": [Read(lambda: push_state(user_id=LISTENER, session=_BROWSER))],
    "push.subscriptions_of": [Read(lambda: subscriptions_of(user_ids=(LISTENER, LISTENER + 1)))],
    "push.push_subscriptions_export": [Read(lambda: push_subscriptions_export(user_id=LISTENER))],
    "announcements.causes_of": [
        Read(lambda each=each: causes_of(each)) for each in (_OF_STAGE, _OF_PLANNED, _OF_MOVED, _OF_OUTCOME)
    ],
    "announcements.is_superseded": [Read(lambda: is_superseded(_OF_MOVED))],
    "announcements.settled_at": [Read(lambda: settled_at(_OF_PLANNED)), Read(lambda: settled_at(_OF_MOVED))],
    "announcements.planned_near": [Read(planned_near)],
    "announcements.announcement_next": [
        Read(announcement_next, 500, "all pending announcements, processed in seconds")
    ],
    "notifications.notification_shown": [Read(lambda: notification_shown(user_id=LISTENER))],
    "notifications.notifications_newest": [Read(lambda: notifications_newest(user_ids=(LISTENER,)))],
    "notifications.notifications_export": [Read(lambda: notifications_export(user_id=LISTENER), 0, EXPORT)],
    "recipients.recipients_of": [Read(lambda: recipients_of(user_ids=(LISTENER,), cause=_CAUSE))],
}
HELPERS = {
    "announcements.moved_to",
    "announcements.called_wrongly",
    "call_alerts.call_alerts_waiting",
    "call_alerts.call_alerts_told",
}
ROWS = """
INSERT INTO notifications (user_id, kind, participant_id, occasion, created_at, expires_at, seen_at)
SELECT account, 'now', performer, '1', now() - interval '3 days', now() - interval '2 days', NULL
FROM generate_series(1, 5000) AS account, generate_series(1, 20) AS performer;
INSERT INTO call_alerts (user_id, session_id, stay_id)
SELECT account, session, 0 FROM generate_series(1, 5000) AS account, generate_series(1, 20) AS session;
INSERT INTO announcements (change, session_id, due_at, finished_at)
SELECT 'stage', number, now() - interval '3 hours', now() - interval '2 hours'
FROM generate_series(1, 5000) AS number;
INSERT INTO push_subscriptions (user_id, session_handle, endpoint, p256dh, auth)
SELECT account, gen_random_uuid(), 'https://fcm.googleapis.com/fcm/send/' || account || '.' || browser, 'p', 'a'
FROM generate_series(1, 5000) AS account, generate_series(1, 3) AS browser;
INSERT INTO notification_preferences (user_id, mail)
SELECT account, CASE WHEN account % 3 = 0 THEN 'daily' ELSE 'never' END FROM generate_series(1, 5000) AS account;
"""


def rows_add(person: User, evening: SimpleNamespace) -> None:
    """Add the rows that another account has on the evening of the walk."""
    Notification.objects.create(
        user=person,
        kind=Kind.SOON,
        participant_id=evening.appearances[0].participant_id,
        occasion="1",
        expires_at=database_now() + timedelta(days=1),
    )
    CallAlert.objects.create(user=person, session=evening.session, stay_id=0)
    keys = Browser(f"https://fcm.googleapis.com/fcm/send/{person.pk}").keys
    PushSubscription.objects.create(user=person, session_handle=uuid4(), **keys)
    notifications_choose(actor=viewer_of(person), typed={"mail": "daily", "advanced": True})
