"""What the general tests use of the app community: its selectors' calls on a large database."""

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any

from django.utils import timezone

from apps.community.enums import ReportKind, ReportState
from apps.community.selectors import hidden_texts, posts, reports, words
from apps.community.selectors.reports import ReportFilter
from apps.core.database.paging import Cursor
from tests.apps.busy_session import ADMIN, LISTENER, NOW, OTHER_LISTENER, POST, POSTS, post_cursor
from tests.apps.reads import EXPORT, MERGED, Read


def _reports(before: Cursor | None = None, **narrowed: Any) -> Callable[[], object]:
    return lambda: reports.report_queue(filters=ReportFilter(until=timezone.now(), **narrowed), before=before, limit=51)


def _reports_matching(**narrowed: Any) -> Callable[[], object]:
    return lambda: reports.reports_match_count(filters=ReportFilter(until=timezone.now(), **narrowed))


NEWEST_PASSED = "the scan for earlier comments passes the newest comments"
WRITTEN = "it reads what one person has written"
REPORTS = "the three reports of each text on a page are added up"

READS: Mapping[str, list[Read]] = {
    "posts.community_own": [Read(lambda: posts.community_own(user_id=OTHER_LISTENER), 100, EXPORT)],
    "posts.own_reactions_recent": [
        Read(lambda: posts.own_reactions_recent(user_id=LISTENER)),
        Read(lambda: posts.own_reactions_recent(user_id=OTHER_LISTENER)),
    ],
    "posts.post_comment_ids_before": [
        Read(lambda: posts.post_comment_ids_before(post_id=POST, below_id=50_000, limit=30))
    ],
    "posts.post_comments": [Read(lambda post=post: posts.post_comments(post_id=post)) for post in (POST, 1)],
    "posts.post_comments_earlier": [
        Read(lambda: posts.post_comments_earlier(post_id=POST, from_id=90_000), 100, NEWEST_PASSED),
        Read(lambda: posts.post_comments_earlier(post_id=POST, from_id=1), 100, NEWEST_PASSED),
    ],
    "posts.posts_page": [
        Read(lambda: posts.posts_page(limit=21)),
        Read(lambda: posts.posts_page(limit=21, before=post_cursor(50_000))),
        Read(lambda: posts.posts_page(limit=21, before=post_cursor(99_990))),
        *(Read(lambda user=user: posts.posts_page(limit=21, author_id=user)) for user in (5, OTHER_LISTENER)),
        Read(lambda: posts.posts_page(limit=21, author_id=5, before=post_cursor(50_000))),
        Read(lambda: posts.posts_page(limit=21, participant_id=1)),
        Read(lambda: posts.posts_page(limit=21, stage_id=1), 441, "a page of posts about each of 21 performances"),
        Read(lambda: posts.posts_page(limit=21, participant_id=1, before=post_cursor(50_000))),
    ],
    "posts.posts_read": [
        Read(lambda: posts.posts_read(ids=range(POSTS - 20, POSTS + 1))),
        Read(lambda: posts.posts_read(ids=range(1, 22))),
    ],
    "posts.reactions_own": [
        Read(lambda user=user: posts.reactions_own(user_id=user, post_ids=range(POSTS - 20, POSTS + 1)))
        for user in (LISTENER, OTHER_LISTENER)
    ],
    "words.stage_words": [Read(lambda stage=stage: words.stage_words(stage_id=stage)) for stage in (1, 2, 3, 4)],
    "words.participant_words": [
        Read(lambda user=user: words.participant_words(participant_id=user)) for user in (1, 84)
    ],
    "words.posts_about": [Read(lambda: words.posts_about(appearance_ids=[168], limit=5))],
    "words.words_newest": [
        Read(lambda: words.words_newest(appearance_ids=[168])),
        Read(lambda: words.words_newest(appearance_ids=range(1, 169)), 168, "the newest text of each performance"),
    ],
    "hidden_texts.own_hidden": [
        Read(lambda user=user: hidden_texts.own_hidden(user_id=user)) for user in (LISTENER, OTHER_LISTENER)
    ],
    "hidden_texts.post_comments_hidden": [
        Read(lambda: hidden_texts.post_comments_hidden(user_id=OTHER_LISTENER, limit=50))
    ],
    "hidden_texts.post_comments_reported": [Read(lambda: hidden_texts.post_comments_reported(ids=range(1, 51)))],
    "hidden_texts.posts_hidden": [
        Read(lambda user=user: hidden_texts.posts_hidden(user_id=user, limit=50)) for user in (5, OTHER_LISTENER)
    ],
    "hidden_texts.posts_reported": [Read(lambda: hidden_texts.posts_reported(ids=range(1, 51)))],
    "reports.report_decision_last": [Read(lambda: reports.report_decision_last(user_id=ADMIN))],
    "reports.is_reported_by": [
        Read(lambda user=user: reports.is_reported_by(user_id=user, kind=ReportKind.POST, subject_id=POST))
        for user in (LISTENER, OTHER_LISTENER)
    ],
    "reports.cases_decided_by_others": [
        Read(lambda: reports.cases_decided_by_others(user_id=ADMIN, case_ids=[1, 2, 3], after=0))
    ],
    "reports.report_counts": [Read(reports.report_counts)],
    "reports.report_queue": [
        *(Read(_reports(state=state), 3 * 50, REPORTS) for state in ReportState),
        *(Read(_reports(kind=kind), 5000, MERGED) for kind in ReportKind),
        Read(_reports(before=Cursor(NOW - timedelta(days=7), 1)), 3 * 50, REPORTS),
        Read(_reports(state=ReportState.HIDDEN, before=Cursor(NOW - timedelta(days=7), 1)), 3 * 50, REPORTS),
    ],
    "reports.reportable_text": [
        Read(lambda kind=kind: reports.reportable_text(kind=kind, subject_id=POST)) for kind in ReportKind
    ],
    "reports.reports_match_count": [
        *(Read(_reports_matching(state=state)) for state in ReportState),
        Read(_reports_matching(kind=ReportKind.POST)),
    ],
    "words.post_subjects": [Read(lambda: words.post_subjects(ids=[POST, 1, 2]))],
    "words.subjects_written": [Read(lambda: words.subjects_written(user_id=LISTENER), 600, WRITTEN)],
    "reports.reports_own": [Read(lambda: reports.reports_own(user_id=LISTENER), 100, EXPORT)],
}
# Public functions of those modules without a query, or with a query that the caller completes.
HELPERS = {"reports.cursor_of", "reports.reports_matching"}
