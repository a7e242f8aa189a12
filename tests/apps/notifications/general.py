"""What the general tests use of notifications."""

from types import SimpleNamespace

from apps.accounts.models import User
from apps.notifications.selectors.preferences import (
    preferences_export,
    preferences_get,
    preferences_of,
    preferences_own,
)
from apps.notifications.services.preferences import notifications_choose
from tests.apps.busy_session import LISTENER
from tests.apps.reads import Read
from tests.factories import viewer_of

READS = {
    "preferences.preferences_get": [Read(lambda: preferences_get(user_id=LISTENER))],
    "preferences.preferences_of": [Read(lambda: preferences_of(user_ids=tuple(range(1, 21))))],
    "preferences.preferences_own": [Read(lambda: preferences_own(user_id=LISTENER))],
    "preferences.preferences_export": [Read(lambda: preferences_export(user_id=LISTENER))],
}
ROWS = """
INSERT INTO notification_preferences (user_id, mail)
SELECT account, CASE WHEN account % 3 = 0 THEN 'daily' ELSE 'never' END FROM generate_series(1, 5000) AS account;
"""


def rows_add(person: User, evening: SimpleNamespace) -> None:
    """Add what another account has on the evening of the walk."""
    notifications_choose(actor=viewer_of(person), typed={"mail": "daily", "advanced": True})
