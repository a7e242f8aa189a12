"""Test how the demo's dates move: related rows move once; rows of users and an edited demo keep their dates."""

import datetime as dt

import pytest
from django.core.management import call_command
from django.db import connection, transaction
from django.db.models import Max, Min

from apps.accounts.actors import OPERATOR
from apps.accounts.models import User
from apps.community.models import Post, PostComment
from apps.community.services.reports import report_add
from apps.competition.models import Appearance, PerformingTime, Session, Stage, StageAdvancement
from apps.competition.services.live import performer_clear
from apps.competition.services.stages import stage_create
from apps.core.audit import audit_record
from apps.core.database.fields import venue_zone
from apps.demo.audience.posts import comments_load, community_load, reactions_load
from apps.demo.audience.ratings import ratings_load
from apps.demo.closing import ranking_load
from apps.demo.competition import competition_load
from apps.demo.dates import MOVES, Dates, dates_move, demo_remember
from apps.demo.texts import account_texts
from apps.live.models import ReactionMoment, SessionComment
from apps.news.models import BlogPost
from apps.ranking.models import RankingRun
from apps.ratings.models import AdvanceRecommendation, PerformanceRating, PieceRating, RatingSubmission
from tests.apps.demo.living import audience_shrink, sessions_shrink
from tests.factories import UserFactory, viewer_of
from tests.owner import as_owner

pytestmark = [pytest.mark.django_db, pytest.mark.long(reason="loads the demo")]

DAY = dt.timedelta(days=1)
SEQUENCES = ("session_comments_id_seq", "posts_id_seq", "session_reaction_moments_id_seq")
DATED = {
    Session: ("starts_at", "ended_at", "planned_end"),
    PerformingTime: ("began_at", "ended_at"),
    PieceRating: ("created_at", "updated_at"),
    PerformanceRating: ("created_at", "updated_at"),
    AdvanceRecommendation: ("created_at", "updated_at"),
    SessionComment: ("created_at",),
    ReactionMoment: ("second",),
    Post: ("created_at",),
    PostComment: ("created_at",),
    BlogPost: ("published_at", "publish_at"),
    Appearance: ("planned_start",),
    Stage: ("archived_at",),
    StageAdvancement: ("at",),
    RankingRun: ("made_at", "final_at"),
}
PLANS = {Session, Appearance}  # may lie in the future


def venue_time(year, month, day, hour=21, minute=10):
    return dt.datetime(year, month, day, hour, minute, tzinfo=venue_zone()).astimezone(dt.UTC)


LOADED_AT = venue_time(2025, 3, 3)


@pytest.fixture(scope="module", autouse=True)
def loaded(django_db_setup, django_db_blocker, tmp_path_factory):
    """Load a small demo as at LOADED_AT, in a transaction around all tests of this module."""
    with pytest.MonkeyPatch.context() as patch, django_db_blocker.unblock(), transaction.atomic():
        patch.setattr("django.conf.settings.DATA", tmp_path_factory.mktemp("data"))
        patch.setenv("DEMO_PASSWORD", "row-g-seat-12")
        audience_shrink(patch)
        sessions_shrink(patch)
        with as_owner() as cursor:  # comments and posts are loaded only into a new database
            for name in SEQUENCES:
                cursor.execute(f"ALTER SEQUENCE {name} RESTART")
        with patch.context() as clock:
            clock.setattr("django.utils.timezone.now", lambda: LOADED_AT)
            for load in (competition_load, ratings_load, ranking_load, comments_load, community_load, reactions_load):
                load()
            demo_remember()
        yield
        transaction.set_rollback(True)


def dates():
    """Return all dates of the demo's tables, by table, row and column."""
    return {
        (model, pk, name): value
        for model, names in DATED.items()
        for pk, *values in model.objects.values_list("pk", *names)
        for name, value in zip(names, values, strict=True)
        if value is not None
    }


def last_activity():
    """Return the newest date of the audience's activity, reactions included; plans may lie in the future."""
    newest = [
        model.objects.aggregate(newest=Max(name))["newest"]
        for model, names in DATED.items()
        for name in names
        if model not in PLANS
    ]
    moments = [dt.datetime.fromtimestamp(each, dt.UTC) if isinstance(each, int) else each for each in newest]
    return max(moment for moment in moments if moment is not None)


def test_later_day_moves_all_dates_by_whole_days_once():
    before, live = dates(), Session.objects.get(is_live=True)
    rated_at = dict(RatingSubmission.objects.values_list("pk", "given_at"))
    assert {model for model, *_ in before} == set(DATED)
    assert dates_move(now=LOADED_AT + dt.timedelta(hours=1)) == Dates.CURRENT
    assert dates() == before
    assert dates_move(now=LOADED_AT + 3 * DAY + dt.timedelta(hours=1)) == Dates.MOVED
    after = dates()
    for (model, pk, name), value in before.items():
        by = 3 * 86400 if name == "second" else 3 * DAY
        assert after[model, pk, name] == value + by, (model, name)
    moved_ratings = {pk: at + 3 * DAY for pk, at in rated_at.items()}
    assert dict(RatingSubmission.objects.values_list("pk", "given_at")) == moved_ratings
    assert Session.objects.get(is_live=True).title == live.title
    taps = ReactionMoment.objects.filter(session=live)
    times = PerformingTime.objects.filter(appearance__session=live)
    assert taps.earliest("second").second >= int(times.earliest("began_at").began_at.timestamp())
    assert dates_move(now=LOADED_AT + 3 * DAY + dt.timedelta(hours=2)) == Dates.CURRENT
    assert dates() == after


def test_start_earlier_in_the_day_moves_the_live_session_back():
    now = venue_time(2025, 3, 4, 9, 5)
    others = dict(Session.objects.filter(is_live=False).values_list("pk", "starts_at"))
    assert dates_move(now=now) == Dates.MOVED
    live = Session.objects.get(is_live=True)
    assert live.starts_at.astimezone(venue_zone()).strftime("%m-%d %H:%M") == "03-04 06:00"
    assert live.title == "Stage I, morning session"
    assert dict(Session.objects.filter(is_live=False).values_list("pk", "starts_at")) == {
        pk: at + DAY for pk, at in others.items()
    }
    assert now - dt.timedelta(minutes=40) < last_activity() <= now
    times = PerformingTime.objects.filter(appearance__session=live)
    assert times.earliest("began_at").began_at >= live.starts_at
    assert SessionComment.objects.earliest("created_at").created_at >= live.starts_at
    assert dates_move(now=venue_time(2025, 3, 4, 23)) == Dates.CURRENT


def test_activity_is_never_in_the_future_at_any_time_of_day():
    for clock in ((0, 0), (0, 35), (21, 9)):
        with transaction.atomic():
            now = venue_time(2025, 3, 5, *clock)
            assert dates_move(now=now) == Dates.MOVED
            assert last_activity() <= now, now
            starts = dict(Session.objects.values_list("pk", "starts_at"))
            rated = PieceRating.objects.values_list("appearance__session").annotate(first=Min("created_at"))
            assert all(first >= starts[session] for session, first in rated), now
            assert dates_move(now=now) == Dates.CURRENT, now
            assert dates_move(now=now + DAY) == Dates.MOVED
            transaction.set_rollback(True)


def venue_dates():
    """Return the local times of sessions and published articles at the venue."""
    published = BlogPost.objects.filter(is_published=True)
    rows = [*Session.objects.values_list("pk", "starts_at"), *published.values_list("pk", "published_at")]
    return [(pk, at.astimezone(venue_zone()).replace(tzinfo=None)) for pk, at in rows]


def test_venue_time_of_day_stays_across_a_change_of_summer_time():
    for day, second_next in (((2025, 3, 29), (2025, 3, 31)), ((2025, 10, 25), (2025, 10, 27))):
        assert dates_move(now=venue_time(*day)) == Dates.MOVED
        before = venue_dates()
        assert dates_move(now=venue_time(*second_next)) == Dates.MOVED
        assert sorted(venue_dates()) == sorted((pk, at + 2 * DAY) for pk, at in before)


def test_rows_of_other_accounts_and_newer_rows_keep_their_dates():
    live, demo_user = Session.objects.get(is_live=True), User.objects.get(username="pedal-point")
    rows = [
        SessionComment.objects.create(session=live, user=user, content="Here") for user in (UserFactory(), demo_user)
    ]
    rows.append(Post.objects.create(user=demo_user, content="Good evening"))
    changed = PieceRating.objects.filter(user=demo_user).first()
    PieceRating.objects.filter(pk=changed.pk).update(updated_at=LOADED_AT + dt.timedelta(hours=1))
    last_tap = ReactionMoment.objects.filter(session=live).latest("second")
    rows += [ReactionMoment.objects.create(session=live, second=last_tap.second + 86400, count=2), changed]
    before = [type(row).objects.filter(pk=row.pk).values().get() for row in rows]
    assert dates_move(now=LOADED_AT + DAY) == Dates.MOVED
    assert [type(row).objects.filter(pk=row.pk).values().get() for row in rows] == before
    assert not ReactionMoment.objects.filter(second__lt=0).exists()


def test_edited_demo_keeps_its_dates(capsys):
    live = Session.objects.get(is_live=True).pk
    for change in (
        lambda: performer_clear(actor=OPERATOR, session_id=live),
        lambda: stage_create(actor=OPERATOR, name="Gala"),
    ):
        with transaction.atomic():
            change()
            before = dates()
            call_command("demo")
            assert "Somebody has changed the demo (its audit says what), so its dates stay" in capsys.readouterr().out
            assert dates() == before
            transaction.set_rollback(True)


def test_export_does_not_count_as_an_edit():
    audit_record(user_id=None, action="stage.export", subject="stage", subject_id=1)
    assert dates_move(now=LOADED_AT + DAY) == Dates.MOVED


def test_accounts_are_weeks_older_than_the_first_session():
    first = Session.objects.earliest("starts_at").starts_at
    assert User.objects.latest("created_at").created_at < first - dt.timedelta(weeks=2)


def test_reports_by_demo_accounts_count_towards_hiding(settings):
    settings.REPORTS_HIDE_AT = 3
    post = Post.objects.create(user=UserFactory(), content="Buy strings here")
    for user in User.objects.filter(username__in=[text.username for text in account_texts()]):
        assert not Post.objects.get(pk=post.pk).is_hidden
        report_add(actor=viewer_of(user), kind="post", subject_id=post.pk, reason="spam")
    assert Post.objects.get(pk=post.pk).is_hidden


def test_every_date_column_of_the_moved_tables_is_listed():
    """A new date column in these tables needs an entry in DATED."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public'"
            " AND data_type LIKE 'timestamp%%' AND table_name = ANY(%s)",
            [list(MOVES)],
        )
        columns = {(table, column) for table, column in cursor.fetchall()}
    moved = {(model._meta.db_table, name) for model, names in DATED.items() for name in names if name != "second"}
    others = {(table, "created_at") for table in ("sessions", "blog_posts", "session_participants")}
    others |= {("ranking_runs", "counting_since"), ("ranking_runs", "failed_at"), ("stages", "field_drawn_at")}
    assert columns - moved == others
