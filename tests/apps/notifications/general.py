"""What the general tests use of notifications."""

from types import SimpleNamespace
from uuid import uuid4

from apps.accounts.models import User
from apps.notifications.models import PushSubscription
from apps.notifications.selectors.push import push_state, push_subscriptions_export, subscriptions_of
from tests.apps.busy_session import LISTENER
from tests.apps.notifications.push_service import Browser
from tests.apps.reads import Read

SESSION = "00000000-0000-0000-0000-000000000000"
READS = {
    "push.push_state": [Read(lambda: push_state(user_id=LISTENER, session=SESSION))],
    "push.subscriptions_of": [Read(lambda: subscriptions_of(user_ids=(LISTENER, LISTENER + 1)))],
    "push.push_subscriptions_export": [Read(lambda: push_subscriptions_export(user_id=LISTENER))],
}
ROWS = """
INSERT INTO push_subscriptions (user_id, session_handle, endpoint, p256dh, auth)
SELECT account, gen_random_uuid(), 'https://fcm.googleapis.com/fcm/send/' || account || '.' || browser, 'p', 'a'
FROM generate_series(1, 5000) AS account, generate_series(1, 3) AS browser;
"""


def rows_add(person: User, evening: SimpleNamespace) -> None:
    """Add what another account has on the evening of the walk."""
    keys = Browser(f"https://fcm.googleapis.com/fcm/send/{person.pk}").keys
    PushSubscription.objects.create(user=person, session_handle=uuid4(), **keys)
