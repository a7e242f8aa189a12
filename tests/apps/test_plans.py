"""Calls of every selector on a large database, with the rows that each may read in addition to its result.

test_rows_read.py checks the rows that they read, by PostgreSQL's query plans.
"""

import importlib
import inspect
import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db.models import Q
from django.utils import timezone

from apps.accounts.actors import Viewer
from apps.accounts.selectors import own_account
from apps.accounts.selectors.own_account import (
    answer_get,
    default_avatars,
    factors_get,
    has_password,
    profile_get,
    sessions_own,
)
from apps.accounts.selectors.people import (
    PeopleFilter,
    account_id_find,
    account_standing,
    administrators,
    audit_read,
    errors_read,
    people_list,
)
from apps.accounts.selectors.sessions import (
    account_id_get,
    account_sessions_get,
    signed_in_lately,
    username_is_taken,
    usernames_get,
    usernames_known,
    viewer_get,
)
from apps.community.enums import ReportKind, ReportState
from apps.community.selectors.hidden_texts import (
    own_hidden,
    post_comments_hidden,
    post_comments_reported,
    posts_hidden,
    posts_reported,
)
from apps.community.selectors.posts import (
    community_own,
    own_reactions_recent,
    post_comment_ids_before,
    post_comments,
    post_comments_earlier,
    posts_page,
    posts_read,
    reactions_own,
)
from apps.community.selectors.reports import (
    ReportFilter,
    is_reported_by,
    report_counts,
    report_decision_last,
    report_queue,
    reportable_text,
    reports_match_count,
    reports_own,
)
from apps.competition.enums import Category, SessionFilter, UndoKind
from apps.competition.selectors.admin.live import (
    first_steps_get,
    live_control_get,
    live_cue_get,
    live_state,
    sessions_nearest,
)
from apps.competition.selectors.admin.participants import (
    participant_edit,
    participant_names,
    participant_options,
    participants_admin,
)
from apps.competition.selectors.admin.programs import (
    piece_edit,
    piece_facts,
    pieces_by_category,
    pieces_to_choose,
    program_admin,
    programs_admin,
    session_programs,
)
from apps.competition.selectors.admin.sessions import (
    appearances_of,
    programs_longer,
    session_edit,
    session_options,
    session_performers,
    sessions_admin,
    stage_edit,
    stages_admin,
    undos_recent,
)
from apps.competition.selectors.public.participants import (
    named_in,
    participant_countries,
    participant_featured,
    participant_get,
    participant_ids,
    participant_list,
    participants_next,
)
from apps.competition.selectors.public.programs import appearance_places, appearance_program, program_pieces
from apps.competition.selectors.public.sessions import (
    appearance_ids,
    appearances_get,
    appearances_played,
    live_now,
    live_session,
    participant_appearances,
    session_appearances,
    session_get,
    session_ids,
    session_list,
    session_live,
    session_running_order,
    sessions_begun,
    sessions_coming,
)
from apps.competition.selectors.public.stages import stage_field, stage_ids, stage_names, stage_sessions
from apps.core import audit
from apps.core import selectors as core
from apps.core.audit import AuditFilter
from apps.core.database.paging import Cursor
from apps.core.enums import Severity
from apps.imports import selectors as imports
from apps.live import selectors as live
from apps.news import selectors as news
from apps.ranking import selectors
from apps.ranking import selectors as effects
from apps.ratings.enums import ApprovalFilter, RatingKind
from apps.ratings.selectors import counts
from apps.ratings.selectors.counts import (
    account_ratings_export,
    pieces_marked,
    pieces_rated_of,
    ratings_of_appearances,
    recommendation_counts,
    stage_marks,
    waiting_counts,
)
from apps.ratings.selectors.lists import (
    day_marks,
    rating_comments_hidden,
    rating_comments_reported,
    ratings_latest,
    ratings_own_list,
    ratings_public,
    ratings_words,
)
from apps.ratings.selectors.moderation_queue import QueueFilter, decision_last, ratings_match_count, ratings_queue
from apps.ratings.selectors.own import own_beside_audience, own_marked, own_stage_marks, ratings_own
from apps.ratings.selectors.statistics import participant_figures, performance_figures
from tests.apps.busy_session import (
    ADMIN,
    ADMINISTRATOR,
    APPEARANCE,
    LISTENER,
    NOW,
    OTHER_LISTENER,
    PARTICIPANT,
    POST,
    POSTS,
    SESSION,
    comment_id,
    cursor,
    newest,
    newest_ids,
    post_cursor,
)

# A competition has about a hundred participants, tens of sessions and one catalogue: queries may read them as a whole.
BOUNDED = {
    *("participants", "performances", "stages", "sessions", "session_participants", "session_participant_pieces"),
    *("performing_times", "ranking_runs", "ranking_rows"),  # the two newest runs of each stage are kept
    *("pieces", "piece_rating_counts", "piece_mark_counts", "performance_rating_counts", "rating_submission_counts"),
    *("advance_recommendation_counts", "session_comment_counts", "report_case_counts"),
}
APPS = ("accounts", "community", "competition", "core", "imports", "live", "news", "ranking", "ratings")


@dataclass(frozen=True)
class Read:
    """A selector's call, and the number of rows that a query may read in addition to its result, with the reason."""

    call: Callable[[], object]
    more: int = 0
    because: str = ""


def _queue(**narrowed: Any) -> Callable[[], object]:
    return lambda: ratings_queue(filters=QueueFilter(until=timezone.now(), **narrowed))


def _queue_after(kind: RatingKind, before: Cursor) -> object:
    return ratings_queue(filters=QueueFilter(kind=kind, until=timezone.now()), before=before)


def _leaving() -> object:
    program = program_admin(appearance_id=APPEARANCE)
    assert program is not None
    return imports.program_leaving(program=program, preview=imports.ProgramPreview("", ()))


def _neighbours() -> object:
    post = news.post_get(post_id=newest("blog_posts") - 1)
    assert post is not None
    return news.post_neighbours(post=post)


def _matching(**narrowed: Any) -> Callable[[], object]:
    return lambda: ratings_match_count(filters=QueueFilter(until=timezone.now(), **narrowed))


def _audit(**narrowed: Any) -> Callable[[], object]:
    return lambda: audit_read(actor=ADMINISTRATOR, filters=AuditFilter(**narrowed))


def _people(**narrowed: Any) -> Callable[[], object]:
    return lambda: people_list(actor=ADMINISTRATOR, **narrowed)


def _reports(before: Cursor | None = None, **narrowed: Any) -> Callable[[], object]:
    return lambda: report_queue(filters=ReportFilter(until=timezone.now(), **narrowed), before=before, limit=51)


def _reports_matching(**narrowed: Any) -> Callable[[], object]:
    return lambda: reports_match_count(filters=ReportFilter(until=timezone.now(), **narrowed))


DECIDED_OR_NOT = (ApprovalFilter.WAITING, ApprovalFilter.APPROVED)
ALL, UPCOMING, PAST = SessionFilter.ALL, SessionFilter.UPCOMING, SessionFilter.PAST
EXPORT = "a person takes along what is theirs, three times a day at most"
EACH_APPEARANCE = "the newest of each appearance of a session, or of a participant, which the competition bounds"
FEW = "of an appearance with a few hundred ratings, PostgreSQL may find it cheaper to sort them"
SEARCH = "an administrator's search for words looks through what waits"
NEWEST_PASSED = "those before the newest are found by passing over the newest"
MERGED = "the authors' names are read along their ids, up to the last of them: here they are the first 5,000 accounts"
REPORTS = "of each text on a page the reports are added up: three of each"
A_SECOND = "an hour on stage has at most a row for each second, however many tap in it"
OF_A_FILE = "the rows of one file are put in order, 10,000 at most: those that cannot be saved stand first"
OF_A_STAGE = "a ranking is made of all marks of its stage, outside of page views"
OF_CLOSED = "the list of all ratings, decided or not, passes over those of closed accounts: here 300 of the newest"
RATED_ONCE = "a person rates every performance and piece once"

SIGNED_IN = Viewer(2, session="00000000-0000-0000-0000-000000000001")  # of busy_session.sql
READS: Mapping[str, list[Read]] = {
    "accounts.people.errors_read": [Read(lambda: errors_read(actor=ADMINISTRATOR))],
    "accounts.people.audit_read": [
        Read(_audit()),
        Read(lambda: audit_read(actor=ADMINISTRATOR, before=Cursor(NOW - timedelta(days=30), 1))),
        Read(_audit(user_id=2)),
        Read(_audit(action="post.delete")),
        Read(_audit(subject="performer")),
        Read(_audit(subject="performer", subject_id=3)),
        Read(_audit(until=NOW - timedelta(days=30))),
        Read(_audit(since=NOW - timedelta(days=60), until=NOW - timedelta(days=59))),
    ],
    "accounts.own_account.default_avatars": [Read(default_avatars)],
    "accounts.own_account.factors_get": [Read(lambda: factors_get(user_id=LISTENER))],
    "accounts.own_account.answer_get": [
        Read(lambda: answer_get(answer_id="00000000-0000-0000-0000-000000000001", user_id=LISTENER))
    ],
    "accounts.own_account.has_password": [Read(lambda: has_password(user_id=LISTENER))],
    "accounts.own_account.profile_get": [Read(lambda: profile_get(user_id=LISTENER))],
    "accounts.own_account.sessions_own": [Read(lambda: sessions_own(user_id=LISTENER))],
    "accounts.own_account.sessions_existing": [
        Read(lambda: own_account.sessions_existing(handles=["00000000-0000-0000-0000-000000000001"]))
    ],
    "accounts.people.people_list": [
        *(Read(_people(which=which)) for which in PeopleFilter),
        Read(_people(before=Cursor(NOW - timedelta(days=300), 1))),
        *(Read(_people(query=query)) for query in ("listener", "Listener4711", "listener4711@", "#4711", "nobody")),
    ],
    "accounts.people.account_id_find": [
        Read(lambda: account_id_find(name="Listener4711")),
        Read(lambda: account_id_find(name="Listener4711@example.org")),
    ],
    "accounts.people.administrators": [Read(administrators)],
    "accounts.people.account_standing": [Read(lambda: account_standing(account_id=LISTENER))],
    "accounts.sessions.account_sessions_get": [
        Read(lambda: account_sessions_get(keys=[(f"key-{n}", 1 + n) for n in range(1, 31)])),
    ],
    "accounts.own_account.administrator_is": [Read(lambda: own_account.administrator_is(user_id=LISTENER))],
    "accounts.sessions.signed_in_lately": [Read(lambda: signed_in_lately(viewer=SIGNED_IN))],
    "accounts.own_account.accounts_active": [Read(lambda: own_account.accounts_active(user_ids=range(1001, 1301)))],
    "accounts.own_account.accounts_younger": [Read(lambda: own_account.accounts_younger(seconds=86_400))],
    "accounts.own_account.member_for": [Read(lambda: own_account.member_for(user_id=LISTENER))],
    "accounts.sessions.account_id_get": [Read(lambda: account_id_get(username="Listener4711"))],
    "accounts.sessions.username_is_taken": [Read(lambda: username_is_taken(username="Listener4711"))],
    "accounts.sessions.usernames_get": [Read(lambda: usernames_get(user_ids=range(4000, 4041)))],
    "accounts.sessions.usernames_known": [
        Read(lambda: usernames_known(usernames=[f"Listener{n}" for n in range(4000, 4021)]))
    ],
    "accounts.sessions.viewer_get": [Read(lambda: viewer_get(user_id=ADMIN))],
    "community.posts.community_own": [Read(lambda: community_own(user_id=OTHER_LISTENER), 100, EXPORT)],
    "community.posts.own_reactions_recent": [
        Read(lambda: own_reactions_recent(user_id=LISTENER)),
        Read(lambda: own_reactions_recent(user_id=OTHER_LISTENER)),
    ],
    "community.posts.post_comment_ids_before": [
        Read(lambda: post_comment_ids_before(post_id=POST, below_id=50_000, limit=30))
    ],
    "community.posts.post_comments": [Read(lambda post=post: post_comments(post_id=post)) for post in (POST, 1)],
    "community.posts.post_comments_earlier": [
        Read(lambda: post_comments_earlier(post_id=POST, from_id=90_000), 100, NEWEST_PASSED),
        Read(lambda: post_comments_earlier(post_id=POST, from_id=1), 100, NEWEST_PASSED),
    ],
    "community.posts.posts_page": [
        Read(lambda: posts_page(limit=21)),
        Read(lambda: posts_page(limit=21, before=post_cursor(50_000))),
        Read(lambda: posts_page(limit=21, before=post_cursor(99_990))),
        *(Read(lambda who=who: posts_page(limit=21, author_id=who)) for who in (5, OTHER_LISTENER)),
        Read(lambda: posts_page(limit=21, author_id=5, before=post_cursor(50_000))),
    ],
    "community.posts.posts_read": [
        Read(lambda: posts_read(ids=range(POSTS - 20, POSTS + 1))),
        Read(lambda: posts_read(ids=range(1, 22))),
    ],
    "community.posts.reactions_own": [
        Read(lambda who=who: reactions_own(user_id=who, post_ids=range(POSTS - 20, POSTS + 1)))
        for who in (LISTENER, OTHER_LISTENER)
    ],
    "community.hidden_texts.own_hidden": [
        Read(lambda who=who: own_hidden(user_id=who)) for who in (LISTENER, OTHER_LISTENER)
    ],
    "community.hidden_texts.post_comments_hidden": [
        Read(lambda: post_comments_hidden(user_id=OTHER_LISTENER, limit=50))
    ],
    "community.hidden_texts.post_comments_reported": [Read(lambda: post_comments_reported(ids=range(1, 51)))],
    "community.hidden_texts.posts_hidden": [
        Read(lambda who=who: posts_hidden(user_id=who, limit=50)) for who in (5, OTHER_LISTENER)
    ],
    "community.hidden_texts.posts_reported": [Read(lambda: posts_reported(ids=range(1, 51)))],
    "community.reports.report_decision_last": [Read(lambda: report_decision_last(user_id=ADMIN))],
    "community.reports.is_reported_by": [
        Read(lambda who=who: is_reported_by(user_id=who, kind=ReportKind.POST, subject_id=POST))
        for who in (LISTENER, OTHER_LISTENER)
    ],
    "community.reports.report_counts": [Read(report_counts)],
    "community.reports.report_queue": [
        *(Read(_reports(state=state), 3 * 50, REPORTS) for state in ReportState),
        *(Read(_reports(kind=kind), 5000, MERGED) for kind in ReportKind),
        Read(_reports(before=Cursor(NOW - timedelta(days=7), 1)), 3 * 50, REPORTS),
        Read(_reports(state=ReportState.HIDDEN, before=Cursor(NOW - timedelta(days=7), 1)), 3 * 50, REPORTS),
    ],
    "community.reports.reportable_text": [
        Read(lambda kind=kind: reportable_text(kind=kind, subject_id=POST)) for kind in ReportKind
    ],
    "community.reports.reports_match_count": [
        *(Read(_reports_matching(state=state)) for state in ReportState),
        Read(_reports_matching(kind=ReportKind.POST)),
    ],
    "community.reports.reports_own": [Read(lambda: reports_own(user_id=LISTENER), 100, EXPORT)],
    "competition.admin.sessions.undos_recent": [
        Read(
            lambda: undos_recent(kind=UndoKind.ASSIGNMENT),
            20,
            "what another kind took away meanwhile",
        )
    ],
    "competition.admin.live.live_control_get": [Read(live_control_get)],
    "competition.admin.live.first_steps_get": [Read(first_steps_get)],
    "competition.admin.live.live_cue_get": [Read(live_cue_get)],
    "competition.admin.live.sessions_nearest": [Read(lambda: sessions_nearest(query="morning"))],
    "competition.admin.live.live_state": [Read(live_state)],
    "competition.admin.participants.participant_edit": [Read(lambda: participant_edit(participant_id=PARTICIPANT))],
    "competition.admin.participants.participant_options": [Read(participant_options)],
    "competition.admin.participants.participants_admin": [Read(participants_admin)],
    "competition.admin.participants.participant_names": [Read(participant_names)],
    "competition.admin.sessions.programs_longer": [Read(lambda: programs_longer(pieces=5))],
    "competition.admin.sessions.session_performers": [Read(lambda: session_performers(session_id=SESSION))],
    "competition.admin.programs.pieces_by_category": [Read(pieces_by_category)],
    "competition.admin.programs.pieces_to_choose": [Read(lambda: pieces_to_choose(category=Category.NOCTURN))],
    "competition.admin.sessions.appearances_of": [Read(lambda: appearances_of([SESSION]))],
    "competition.admin.programs.program_admin": [Read(lambda: program_admin(appearance_id=APPEARANCE))],
    "competition.admin.programs.piece_edit": [Read(lambda: piece_edit(piece_id=1))],
    "competition.admin.programs.piece_facts": [Read(piece_facts)],
    "competition.admin.programs.session_programs": [Read(lambda: session_programs(session_id=SESSION))],
    "competition.admin.programs.programs_admin": [Read(lambda: programs_admin(session_id=SESSION))],
    "competition.admin.sessions.session_edit": [Read(lambda: session_edit(session_id=SESSION))],
    "competition.admin.sessions.session_options": [Read(session_options)],
    "competition.admin.sessions.sessions_admin": [Read(sessions_admin)],
    "competition.admin.sessions.stage_edit": [Read(lambda: stage_edit(stage_id=1))],
    "competition.admin.sessions.stages_admin": [Read(stages_admin)],
    "competition.public.sessions.sessions_begun": [Read(lambda: sessions_begun(within=timedelta(minutes=2)))],
    "competition.public.participants.participant_countries": [Read(participant_countries)],
    "competition.public.participants.participant_featured": [Read(participant_featured)],
    "competition.public.participants.participant_get": [Read(lambda: participant_get(participant_id=PARTICIPANT))],
    "competition.public.participants.participant_ids": [Read(participant_ids)],
    "competition.public.participants.named_in": [Read(lambda: named_in("Somebody"))],
    "competition.public.participants.participant_list": [
        Read(lambda: participant_list(query="sol")),
        Read(lambda: participant_list(still_in=True)),
    ],
    "competition.public.participants.participants_next": [
        Read(lambda: participants_next(participant_ids=[PARTICIPANT], now=NOW))
    ],
    "competition.public.programs.appearance_program": [
        Read(lambda: appearance_program(session_participant_id=APPEARANCE))
    ],
    "competition.public.programs.program_pieces": [Read(lambda: program_pieces(appearance_ids=[APPEARANCE, 2]))],
    "competition.public.programs.appearance_places": [Read(lambda: appearance_places(appearance_ids=[APPEARANCE, 2]))],
    "competition.public.sessions.live_now": [Read(live_now)],
    "competition.public.sessions.live_session": [Read(live_session)],
    "competition.public.sessions.participant_appearances": [
        Read(lambda: participant_appearances(participant_id=PARTICIPANT))
    ],
    "competition.public.sessions.appearances_get": [Read(lambda: appearances_get(appearance_ids=[APPEARANCE, 2]))],
    "competition.public.sessions.appearances_played": [
        Read(lambda: appearances_played(since=NOW - timedelta(hours=12), until=NOW)),
        Read(lambda: appearances_played(since=NOW + timedelta(days=30), until=NOW + timedelta(days=31))),
    ],
    "competition.public.sessions.sessions_coming": [Read(lambda: sessions_coming(now=NOW, limit=3))],
    "competition.public.sessions.appearance_ids": [
        Read(lambda: appearance_ids(session_id=SESSION, participant_id=PARTICIPANT))
    ],
    "competition.public.sessions.session_live": [Read(session_live)],
    "competition.public.sessions.session_get": [Read(lambda: session_get(session_id=SESSION))],
    "competition.public.sessions.session_running_order": [Read(lambda: session_running_order(session_id=SESSION))],
    "competition.public.sessions.session_ids": [Read(session_ids)],
    "competition.public.sessions.session_list": [
        Read(lambda when=when: session_list(when=when, now=NOW)) for when in (ALL, UPCOMING, PAST)
    ],
    "competition.public.sessions.session_appearances": [Read(lambda: session_appearances(session_id=SESSION))],
    "competition.public.stages.stage_field": [Read(lambda: stage_field(stage_id=1))],
    "competition.public.stages.stage_ids": [Read(stage_ids)],
    "competition.public.stages.stage_names": [Read(stage_names)],
    "competition.public.stages.stage_sessions": [Read(lambda: stage_sessions(stage_id=1))],
    "core.audit.audit_list": [Read(audit.audit_list)],
    "core.audit.audit_own": [Read(lambda: audit.audit_own(user_id=2), 100, EXPORT)],
    "core.error_list": [
        Read(core.error_list),
        Read(lambda: core.error_list(filters=core.ErrorFilter(severity=Severity.CRITICAL))),
        Read(lambda: core.error_list(filters=core.ErrorFilter(text="error 4711")), 100_000, SEARCH),
        Read(lambda: core.error_list(before_id=newest("error_logs") - 10_000)),
    ],
    "live.audience_of": [Read(lambda: live.audience_of(session_id=SESSION))],
    "live.comments_before": [
        Read(lambda: live.comments_before(session_id=SESSION, limit=30)),
        Read(lambda: live.comments_before(session_id=SESSION, before_id=comment_id(50_000), limit=30)),
    ],
    "live.comment_range": [
        Read(lambda: live.comment_range(session_id=SESSION, from_id=comment_id(50_030), below_id=comment_id(50_000)))
    ],
    "live.comments_hidden": [Read(lambda: live.comments_hidden(user_id=OTHER_LISTENER, limit=50))],
    "live.comments_reported": [Read(lambda: live.comments_reported(ids=newest_ids("session_comments")))],
    "live.comments_left": [Read(lambda: live.comments_left(session_id=SESSION, from_id=comment_id(60)))],
    "live.live_own": [Read(lambda: live.live_own(user_id=LISTENER), 100, EXPORT)],
    "live.reaction_curves": [
        Read(lambda: live.reaction_curves(appearance_ids=[APPEARANCE]), 3600, A_SECOND),
        Read(lambda: live.reaction_curves(appearance_ids=[150, 151])),
    ],
    "live.reactions_now": [
        Read(lambda: live.reactions_now(session_id=SESSION), 100, "the taps of half a minute are what it counts")
    ],
    "live.session_comments": [Read(lambda: live.session_comments(session_id=SESSION))],
    "news.post_edit": [Read(lambda: news.post_edit(post_id=newest("blog_posts")))],
    "news.posts_admin": [
        Read(news.posts_admin, 1500, "numbered pages count articles, which administrators write by hand"),
    ],
    "news.post_get": [Read(lambda: news.post_get(post_id=newest("blog_posts") - 1))],
    "news.post_ids": [Read(news.post_ids, 100, "the sitemap names all but drafts")],
    "news.post_list": [
        Read(lambda: news.post_list(limit=3)),
        Read(lambda: news.post_list(limit=21)),
        Read(lambda: news.post_list(limit=21, before=Cursor(NOW - timedelta(hours=1000), 1))),
    ],
    "news.post_neighbours": [Read(_neighbours)],
    "news.posts_own": [Read(lambda: news.posts_own(user_id=ADMIN), 1000, EXPORT)],
    "imports.catalogue_get": [Read(imports.catalogue_get)],
    "imports.import_get": [Read(lambda: imports.import_get(import_id=2001))],
    "imports.import_pending": [Read(lambda user=user: imports.import_pending(user_id=user)) for user in (ADMIN, 2)],
    "imports.import_rows": [
        Read(lambda: imports.import_rows(import_id=2001), 10_000, OF_A_FILE),
        Read(lambda: imports.import_rows(import_id=2001, after=9000), 10_000, OF_A_FILE),
    ],
    "imports.import_row": [Read(lambda: imports.import_row(import_id=2001, position=7))],
    "imports.imports_own": [Read(lambda: imports.imports_own(user_id=ADMIN), 2000, EXPORT)],
    "imports.imports_saved": [Read(imports.imports_saved)],
    "imports.participants_export": [Read(lambda: imports.participants_export(session_id=SESSION))],
    "imports.plan_basis": [Read(imports.plan_basis)],
    "imports.program_assigned_to": [Read(lambda: imports.program_assigned_to(user_id=ADMIN))],
    "imports.program_leaving": [Read(_leaving)],
    "imports.program_preview": [Read(lambda: imports.program_preview(user_id=ADMIN))],
    "imports.program_text_get": [Read(lambda: imports.program_text_get(user_id=ADMIN))],
    "imports.program_texts_own": [Read(lambda: imports.program_texts_own(user_id=ADMIN))],
    "ranking.stage_counting": [Read(lambda: selectors.stage_counting(stage_id=1), 101_000, OF_A_STAGE)],
    "ranking.marks_file": [Read(lambda: selectors.marks_file(stage_id=1))],
    "ranking.ranking_csv": [Read(lambda: selectors.ranking_csv(stage_id=1))],
    "ranking.ranking_json": [Read(lambda: selectors.ranking_json(stage_id=1))],
    "ranking.ranking_rows": [Read(lambda: selectors.ranking_rows(stage_id=1))],
    "ranking.quarantine_get": [Read(lambda: selectors.quarantine_get(stage_id=1), 101_000, OF_A_STAGE)],
    "ranking.places_of_participant": [Read(lambda: selectors.places_of_participant(participant_id=PARTICIPANT))],
    "ranking.ranking_get": [Read(lambda: selectors.ranking_get(stage_id=1))],
    "ranking.run_get": [Read(lambda: selectors.run_get(stage_id=1))],
    "ranking.releases_own": [Read(lambda: selectors.releases_own(user_id=LISTENER))],
    "ratings.counts.pieces_rated_of": [Read(lambda: pieces_rated_of(appearance_id=APPEARANCE))],
    "ratings.counts.ratings_of_appearances": [Read(lambda: ratings_of_appearances(appearance_ids=[APPEARANCE, 2, 3]))],
    "ratings.counts.ratings_count": [Read(lambda kind=kind: counts.ratings_count(kind, Q())) for kind in RatingKind],
    "ratings.counts.recommendation_counts": [Read(lambda: recommendation_counts(appearance_ids=[APPEARANCE, 2]))],
    "ratings.counts.waiting_counts": [Read(waiting_counts)],
    "ratings.lists.day_marks": [
        Read(lambda: day_marks(since=NOW - timedelta(hours=12), until=NOW + timedelta(hours=12))),
        Read(lambda: day_marks(since=NOW + timedelta(days=30), until=NOW + timedelta(days=31))),
    ],
    "ratings.moderation_queue.decision_last": [Read(lambda: decision_last(user_id=ADMIN))],
    "ratings.counts.account_ratings_export": [Read(lambda: account_ratings_export(LISTENER), 100, EXPORT)],
    "ratings.statistics.participant_figures": [Read(lambda: participant_figures(participant_id=PARTICIPANT))],
    "ratings.statistics.performance_figures": [Read(lambda: performance_figures(appearance_ids=[APPEARANCE, 2]))],
    "ratings.lists.rating_comments_hidden": [Read(lambda: rating_comments_hidden(user_id=LISTENER, limit=50))],
    "ratings.lists.rating_comments_reported": [
        Read(lambda: rating_comments_reported(ids=newest_ids("performance_ratings")), 5000, MERGED)
    ],
    "ratings.lists.ratings_latest": [Read(ratings_latest)],
    "ratings.lists.ratings_own_list": [
        Read(lambda: ratings_own_list(user_id=LISTENER), 168, RATED_ONCE),
        Read(lambda: ratings_own_list(user_id=3000), 168, RATED_ONCE),
    ],
    "ratings.lists.ratings_public": [
        Read(lambda: ratings_public(participant_id=PARTICIPANT)),
        Read(lambda: ratings_public(participant_id=80)),
        Read(lambda: ratings_public(participant_id=PARTICIPANT, before=cursor(RatingKind.PIECE))),
        Read(lambda: ratings_public(participant_id=80, before=cursor(RatingKind.PIECE)), 450, FEW),
    ],
    "ratings.lists.ratings_words": [
        Read(lambda which=which: ratings_words(appearance_id=which, limit=3)) for which in (APPEARANCE, 80)
    ],
    "ratings.own.own_stage_marks": [Read(lambda: own_stage_marks(user_id=LISTENER, stage_id=1), 168 * 5, RATED_ONCE)],
    "ratings.own.ratings_own": [
        Read(lambda: ratings_own(user_id=LISTENER, participant_id=PARTICIPANT), 168 * 5, RATED_ONCE),
        Read(lambda: ratings_own(user_id=LISTENER, session_id=SESSION), 168 * 5, RATED_ONCE),
    ],
    "ratings.counts.pieces_marked": [
        Read(lambda: pieces_marked(appearance_id=APPEARANCE), 10_000, "all marks of one performance")
    ],
    "ranking.program_effects": [
        Read(lambda: effects.program_effects(APPEARANCE, [1]), 10_000, "all marks of one performance")
    ],
    "ratings.counts.stage_marks": [Read(lambda: stage_marks(stage_id=1), 101_000, OF_A_STAGE)],
    "ratings.own.own_beside_audience": [
        Read(lambda: own_beside_audience(user_id=LISTENER), 168 * 5, RATED_ONCE),
    ],
    "ratings.own.own_marked": [Read(lambda: own_marked(user_id=LISTENER), 168, RATED_ONCE)],
    "ratings.moderation_queue.ratings_match_count": [
        *(Read(_matching(show=show)) for show in ApprovalFilter),
        Read(_matching(session_id=SESSION)),
        Read(_matching(participant_id=80)),
        Read(_matching(kind=RatingKind.PERFORMANCE)),
        Read(_matching(text="listener4711"), 21_000, SEARCH),
    ],
    "ratings.moderation_queue.ratings_queue": [
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
    *("accounts.sessions.account_session_of", "accounts.sessions.viewer_of_account"),
    *("competition.public.programs.following", "competition.public.programs.performer"),
    *("competition.public.programs.last_on_stage", "competition.admin.participants.participant_fields"),
    *("competition.public.stages.with_times", "competition.public.stages.with_outcomes"),
    *(
        "competition.admin.programs.program_fields",
        "competition.admin.programs.piece_fields",
        "imports.catalogue_piece",
    ),
    *("competition.admin.programs.link_fields", "competition.admin.sessions.session_fields"),
    "competition.admin.sessions.sessions_with",
    *("competition.admin.sessions.stage_fields", "competition.admin.sessions.undo_since"),
    *("competition.admin.sessions.session_values", "competition.public.participants.participants_named"),
    "competition.public.participants.participants_alike",
    *("competition.public.programs.piece_title", "competition.public.programs.appearances_with_programs"),
    *("core.audit.audit_prune", "core.audit.audit_record", "core.audit.changed_details"),
    *("community.reports.cursor_of", "community.reports.reports_matching"),
    *("news.post_fields", "news.excerpt_text"),
    *("ratings.lists.cursor_of", "ratings.lists.newest", "ratings.lists.with_marks"),
    "ratings.moderation_queue.matching",
    *("ranking.burst_accounts", "ranking.given_by_account", "ranking.uniform_accounts"),
    *("ranking.packed", "ranking.performer_labels", "ranking.written"),
}


def selectors_found() -> dict[str, Callable[..., object]]:
    """Return every public function of every selectors module, and of the audit, by its short name."""
    modules = [audit]
    for app in APPS:
        package = importlib.import_module(f"apps.{app}.selectors")
        modules.append(package)
        inner = pkgutil.walk_packages(getattr(package, "__path__", []), f"{package.__name__}.")
        modules += [importlib.import_module(found.name) for found in inner]
    return {
        f"{module.__name__.removeprefix('apps.').replace('.selectors', '')}.{name}": function
        for module in modules
        for name, function in vars(module).items()
        if inspect.isfunction(function) and function.__module__ == module.__name__ and not name.startswith("_")
    }


def test_every_selector_is_read_below():
    found = selectors_found()
    assert len(found) >= 90
    assert set(found) == {*READS, *HELPERS}
