"""What the general tests use of the app live: its selectors' calls on a large database."""

from collections.abc import Mapping

from apps.live import selectors as live
from tests.apps.busy_session import APPEARANCE, LISTENER, OTHER_LISTENER, SESSION, comment_id, newest_ids
from tests.apps.reads import EXPORT, Read

A_SECOND = "an hour on stage has at most one row for each second"

READS: Mapping[str, list[Read]] = {
    "applauded_most": [
        Read(lambda: live.applauded_most(appearance_ids=[APPEARANCE]), 3600, A_SECOND),
        Read(lambda: live.applauded_most(appearance_ids=[150, 151])),
    ],
    "audience_of": [Read(lambda: live.audience_of(session_id=SESSION))],
    "comments_about": [Read(lambda: live.comments_about(appearance_ids=range(1, 43), limit=5))],
    "comment_subjects": [Read(lambda: live.comment_subjects(ids=[comment_id(n) for n in range(30)]))],
    "comments_before": [
        Read(lambda: live.comments_before(session_id=SESSION, limit=30)),
        Read(lambda: live.comments_before(session_id=SESSION, before_id=comment_id(50_000), limit=30)),
    ],
    "comment_range": [
        Read(lambda: live.comment_range(session_id=SESSION, from_id=comment_id(50_030), below_id=comment_id(50_000)))
    ],
    "comments_hidden": [Read(lambda: live.comments_hidden(user_id=OTHER_LISTENER, limit=50))],
    "comments_reported": [Read(lambda: live.comments_reported(ids=newest_ids("session_comments")))],
    "comments_left": [Read(lambda: live.comments_left(session_id=SESSION, from_id=comment_id(60)))],
    "live_own": [Read(lambda: live.live_own(user_id=LISTENER), 100, EXPORT)],
    "reaction_curves": [
        Read(lambda: live.reaction_curves(appearance_ids=[APPEARANCE]), 3600, A_SECOND),
        Read(lambda: live.reaction_curves(appearance_ids=[150, 151])),
    ],
    "reactions_now": [Read(lambda: live.reactions_now(session_id=SESSION), 100, "it counts the taps of half a minute")],
    "session_comments": [Read(lambda: live.session_comments(session_id=SESSION))],
}
# A public function of that module without a query.
HELPERS = {"comments_by", "word_of"}
