"""What the general tests use of following."""

from types import SimpleNamespace

from apps.accounts.models import User
from apps.following.selectors import (
    follow_counts,
    followed_ids,
    followers_before,
    follows_export,
    follows_own,
    is_followed,
)
from apps.following.services import follow_set
from tests.apps.busy_session import LISTENER, NOW, PARTICIPANT
from tests.apps.reads import Read
from tests.factories import viewer_of

READS = {
    "follow_counts": [Read(lambda: follow_counts(participant_ids=(PARTICIPANT,)), 5_000, "counted along an index")],
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
}
ROWS = """
INSERT INTO follows (user_id, participant_id)
SELECT account, performer FROM generate_series(1, 5000) AS account, generate_series(1, 20) AS performer;
"""


def rows_add(person: User, evening: SimpleNamespace) -> None:
    """Add what another account has on the evening of the walk."""
    follow_set(actor=viewer_of(person), participant_id=evening.appearances[0].participant_id, is_wanted=True)
