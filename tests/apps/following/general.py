"""Reads and rows of the following app for the general tests."""

from types import SimpleNamespace

from apps.accounts.models import User
from apps.following.limits import SECRET_LENGTH
from apps.following.selectors import (
    calendar_keys_export,
    calendar_owner,
    calendar_secret,
    follow_counts,
    followed_ids,
    followers_before,
    follows_export,
    follows_own,
    is_followed,
)
from apps.following.services import calendar_key_make, follow_set
from tests.apps.busy_session import LISTENER, NOW, PARTICIPANT
from tests.apps.reads import Read
from tests.factories import viewer_of

READS = {
    "follow_counts": [Read(lambda: follow_counts(participant_ids=(PARTICIPANT,)))],
    "is_followed": [Read(lambda: is_followed(user_id=LISTENER, participant_id=PARTICIPANT))],
    "followers_before": [
        Read(
            lambda: followers_before(participant_id=PARTICIPANT, moment=NOW, after=0, limit=100),
            5_000,
            "a performer's followers are sorted once for each batch",
        )
    ],
    "followed_ids": [Read(lambda: followed_ids(user_id=LISTENER))],
    "follows_own": [Read(lambda: follows_own(user_id=LISTENER))],
    "follows_export": [Read(lambda: follows_export(user_id=LISTENER))],
    "calendar_secret": [Read(lambda: calendar_secret(user_id=LISTENER))],
    "calendar_owner": [Read(lambda: calendar_owner(secret=f"{LISTENER:0{SECRET_LENGTH}}"))],
    "calendar_keys_export": [Read(lambda: calendar_keys_export(user_id=LISTENER))],
}
ROWS = """
INSERT INTO follows (user_id, participant_id)
SELECT account, performer FROM generate_series(1, 5000) AS account, generate_series(1, 20) AS performer;
INSERT INTO calendar_keys (user_id, secret)
SELECT account, lpad(account::text, 43, '0') FROM generate_series(1, 5000) AS account;
"""


def rows_add(person: User, evening: SimpleNamespace) -> None:
    """Add a follow of another account, and calendars of this account and of the administrator."""
    follow_set(actor=viewer_of(person), participant_id=evening.appearances[0].participant_id, is_wanted=True)
    for member in (person, evening.administrator):
        calendar_key_make(actor=viewer_of(member))
