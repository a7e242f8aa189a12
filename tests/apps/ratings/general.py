"""Reads and rows of the ratings app for the general tests."""

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any

from django.db.models import Q
from django.utils import timezone

from apps.core.database.paging import Cursor
from apps.ratings.enums import ApprovalFilter, RatingKind
from apps.ratings.limits import MATCHED
from apps.ratings.selectors import counts
from apps.ratings.selectors.counts import (
    account_ratings_export,
    account_stage_marks,
    origins_own,
    pieces_marked,
    pieces_rated_of,
    ratings_of_appearances,
    ratings_submitted,
    recommendation_counts,
    stage_blocks,
    stage_marks,
    stage_recommendations,
    waiting_counts,
)
from apps.ratings.selectors.covering import covering_get, performances_heard, performances_seen, ranks_covered
from apps.ratings.selectors.deciding import deciding_get, marks_decided_by_others, pieces_at_once
from apps.ratings.selectors.lists import (
    day_marks,
    rating_comments_hidden,
    rating_comments_reported,
    ratings_by_id,
    ratings_latest,
    ratings_own_list,
    ratings_public,
    ratings_words,
    words_by_id,
)
from apps.ratings.selectors.moderation_queue import QueueFilter, decision_last, ratings_match_count, ratings_queue
from apps.ratings.selectors.own import own_beside_audience, own_marked, own_recent, ratings_own
from apps.ratings.selectors.pieces import heard_figures, heard_own, piece_figures, piece_own, pieces_figures
from apps.ratings.selectors.statistics import participant_figures, performance_figures
from tests.apps.busy_session import ADMIN, APPEARANCE, LISTENER, NOW, PARTICIPANT, SESSION, cursor, newest_ids
from tests.apps.reads import EXPORT, MERGED, OF_A_STAGE, SEARCH, Read


def _queue(**narrowed: Any) -> Callable[[], object]:
    return lambda: ratings_queue(filters=QueueFilter(until=timezone.now(), **narrowed))


def _queue_after(kind: RatingKind, before: Cursor) -> object:
    return ratings_queue(filters=QueueFilter(kind=kind, until=timezone.now()), before=before)


def _matching(**narrowed: Any) -> Callable[[], object]:
    return lambda: ratings_match_count(filters=QueueFilter(until=timezone.now(), **narrowed))


DECIDED_OR_NOT = (ApprovalFilter.WAITING, ApprovalFilter.APPROVED)
EACH_APPEARANCE = "the newest of each appearance of a session, or of a participant, which the competition bounds"
FEW = "of an appearance with a few hundred ratings, PostgreSQL may find it cheaper to sort them"
OF_CLOSED = "the list of all ratings, decided or not, skips those of closed accounts: here 300 of the newest"
WHAT_IS_DECIDED = "the marks of a decision about all matching ratings are counted in at most MATCHED ratings"
RATED_ONCE = "a person rates every performance and piece once"

READS: Mapping[str, list[Read]] = {
    "pieces.piece_figures": [Read(lambda: piece_figures(piece_id=1))],
    "pieces.heard_figures": [Read(lambda: heard_figures(piece_id=1))],
    "pieces.heard_own": [Read(lambda: heard_own(user_id=LISTENER, piece_id=1))],
    "pieces.pieces_figures": [Read(pieces_figures)],
    "pieces.piece_own": [Read(lambda: piece_own(user_id=LISTENER, piece_id=1))],
    "counts.pieces_rated_of": [Read(lambda: pieces_rated_of(appearance_id=APPEARANCE))],
    "counts.ratings_submitted": [Read(lambda: ratings_submitted(appearance_ids=[APPEARANCE, 2, 3]))],
    "counts.ratings_of_appearances": [Read(lambda: ratings_of_appearances(appearance_ids=[APPEARANCE, 2, 3]))],
    "counts.ratings_count": [Read(lambda kind=kind: counts.ratings_count(kind, Q())) for kind in RatingKind],
    "counts.recommendation_counts": [Read(lambda: recommendation_counts(appearance_ids=[APPEARANCE, 2]))],
    "counts.waiting_counts": [Read(waiting_counts)],
    "lists.day_marks": [
        Read(lambda: day_marks(since=NOW - timedelta(hours=12), until=NOW + timedelta(hours=12))),
        Read(lambda: day_marks(since=NOW + timedelta(days=30), until=NOW + timedelta(days=31))),
    ],
    "covering.covering_get": [Read(lambda: covering_get(user_id=LISTENER))],
    "covering.performances_heard": [Read(lambda: performances_heard(user_id=LISTENER), 168 * 3, RATED_ONCE)],
    "covering.performances_seen": [Read(lambda: performances_seen(user_id=LISTENER), 168 * 2, RATED_ONCE)],
    "covering.ranks_covered": [
        Read(lambda: ranks_covered(user_id=LISTENER, participant_id=PARTICIPANT), 168, RATED_ONCE)
    ],
    "moderation_queue.decision_last": [Read(lambda: decision_last(user_id=ADMIN))],
    "counts.account_ratings_export": [Read(lambda: account_ratings_export(LISTENER), 100, EXPORT)],
    "statistics.participant_figures": [Read(lambda: participant_figures(participant_id=PARTICIPANT))],
    "statistics.performance_figures": [Read(lambda: performance_figures(appearance_ids=[APPEARANCE, 2]))],
    "lists.rating_comments_hidden": [Read(lambda: rating_comments_hidden(user_id=LISTENER, limit=50))],
    "lists.rating_comments_reported": [
        Read(lambda: rating_comments_reported(ids=newest_ids("performance_ratings")), 5000, MERGED)
    ],
    "lists.ratings_latest": [Read(ratings_latest)],
    "lists.ratings_by_id": [Read(lambda: ratings_by_id(ids=newest_ids("rating_submissions")))],
    "lists.words_by_id": [Read(lambda: words_by_id(ids=newest_ids("performance_ratings")))],
    "lists.ratings_own_list": [
        Read(lambda: ratings_own_list(user_id=LISTENER), 168, RATED_ONCE),
        Read(lambda: ratings_own_list(user_id=3000), 168, RATED_ONCE),
    ],
    "lists.ratings_public": [
        Read(lambda: ratings_public(participant_id=PARTICIPANT)),
        Read(lambda: ratings_public(participant_id=80)),
        Read(lambda: ratings_public(participant_id=PARTICIPANT, before=cursor(RatingKind.PIECE)), 450, FEW),
        Read(lambda: ratings_public(participant_id=80, before=cursor(RatingKind.PIECE)), 450, FEW),
    ],
    "lists.ratings_words": [
        Read(lambda which=which: ratings_words(appearance_id=which, limit=3)) for which in (APPEARANCE, 80)
    ],
    "own.ratings_own": [
        Read(lambda: ratings_own(user_id=LISTENER, participant_id=PARTICIPANT), 168 * 5, RATED_ONCE),
        Read(lambda: ratings_own(user_id=LISTENER, session_id=SESSION), 168 * 5, RATED_ONCE),
        Read(lambda: ratings_own(user_id=LISTENER, stage_id=1), 168 * 5, RATED_ONCE),
    ],
    "counts.pieces_marked": [
        Read(lambda: pieces_marked(appearance_id=APPEARANCE), 10_000, "all marks of one performance")
    ],
    "counts.account_stage_marks": [
        Read(lambda: account_stage_marks(user_id=LISTENER), 168 * 5, RATED_ONCE),
        Read(lambda: account_stage_marks(user_id=LISTENER, stage_ids=[1]), 168 * 5, RATED_ONCE),
    ],
    "counts.origins_own": [Read(lambda: origins_own(user_id=LISTENER), 168, EXPORT)],
    "counts.stage_blocks": [Read(lambda: stage_blocks(stage_id=1), 101_000, OF_A_STAGE)],
    "counts.stage_marks": [Read(lambda: stage_marks(stage_id=1), 101_000, OF_A_STAGE)],
    "counts.stage_recommendations": [Read(lambda: stage_recommendations(stage_id=1))],
    "own.own_beside_audience": [Read(lambda: own_beside_audience(user_id=LISTENER), 168 * 5, RATED_ONCE)],
    "own.own_marked": [Read(lambda: own_marked(user_id=LISTENER), 168, RATED_ONCE)],
    "own.own_recent": [Read(lambda: own_recent(user_id=LISTENER), 168, RATED_ONCE)],
    "deciding.deciding_get": [Read(lambda: deciding_get(user_id=ADMIN))],
    "deciding.pieces_at_once": [Read(pieces_at_once)],
    "deciding.marks_decided_by_others": [
        Read(
            lambda: marks_decided_by_others(
                user_id=ADMIN, author_ids=[LISTENER, LISTENER + 1], marks=[("piece", 1), ("performance", 2)], after=0
            )
        )
    ],
    "moderation_queue.ratings_match_count": [
        Read(_matching(), MATCHED, WHAT_IS_DECIDED),
        *(Read(_matching(show=show)) for show in (ApprovalFilter.APPROVED, ApprovalFilter.ALL)),
        Read(_matching(session_id=SESSION), MATCHED, WHAT_IS_DECIDED),
        Read(_matching(participant_id=80)),
        Read(_matching(kind=RatingKind.PERFORMANCE)),
        Read(_matching(kind=RatingKind.PERFORMANCE, both=True), MATCHED, WHAT_IS_DECIDED),
        Read(_matching(both=True), MATCHED, WHAT_IS_DECIDED),
        Read(_matching(text="listener4711"), 21_000, SEARCH),
    ],
    "moderation_queue.ratings_queue": [
        *(Read(_queue(kind=kind, show=show)) for kind in RatingKind for show in DECIDED_OR_NOT),
        *(Read(_queue(kind=kind, show=ApprovalFilter.ALL), 300, OF_CLOSED) for kind in RatingKind),
        *(Read(_queue(show=show, session_id=20), 7 * 50, EACH_APPEARANCE) for show in DECIDED_OR_NOT),
        Read(_queue(show=ApprovalFilter.ALL, session_id=20), 7 * 600, OF_CLOSED),
        *(Read(_queue(show=show, participant_id=80), 450, FEW) for show in DECIDED_OR_NOT),
        Read(_queue(show=ApprovalFilter.ALL, participant_id=80), 2 * 600, OF_CLOSED),
        Read(_queue(session_id=SESSION, participant_id=PARTICIPANT)),
        *(
            Read(lambda kind=kind, moment=moment: _queue_after(kind, cursor(kind, moment=moment)))
            for kind, moment in ((RatingKind.PIECE, "waiting_at"), (RatingKind.PERFORMANCE, "updated_at"))
        ),
        Read(_queue(text="listener4711"), 21_000, SEARCH),
    ],
}
# Public functions of those modules without a query, or with a query that the caller completes.
HELPERS = {
    "lists.cursor_of",
    "lists.newest",
    "lists.with_marks",
    "moderation_queue.matching",
    "statistics.performances_of",
}
# Each rating was submitted from one of two thousand address blocks.
ROWS = """
INSERT INTO stage_keys (stage_id, key) SELECT id, sha256('') FROM stages;
INSERT INTO rating_origins (user_id, session_participant_id, stage_id, digest)
SELECT rated.user_id, place.id, place.stage_id, lpad(to_hex(rated.user_id % 2000), 64, '0')
FROM rating_submissions AS rated JOIN session_participants AS place ON place.id = rated.session_participant_id;
"""
