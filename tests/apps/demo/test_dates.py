"""Test how the demo's dates move: related rows move once; users' own rows and a changed demo stay."""

import datetime as dt

import pytest
from django.core.management import call_command
from django.db import connection, transaction

from apps.accounts.actors import OPERATOR
from apps.accounts.models import User
from apps.community.models import Post, PostComment
from apps.community.services.reports import report_add
from apps.competition.models import PerformingTime, Session, SessionParticipant
from apps.competition.services.live import performer_clear
from apps.competition.services.sessions import session_create
from apps.competition.services.stages import stage_create
from apps.core.audit import audit_record
from apps.core.database.fields import venue_zone
from apps.demo.accounts import accounts_load
from apps.demo.audience.posts import comments_load, community_load, reactions_load
from apps.demo.audience.ratings import ratings_load
from apps.demo.competition import competition_load
from apps.demo.dates import MOVES, Dates, dates_move, demo_remember
from apps.demo.models import LoadedDemo
from apps.demo.texts import account_texts
from apps.live.models import ReactionMoment, SessionComment
from apps.news.models import BlogPost
from apps.ratings.models import AdvanceRecommendation, PerformanceRating, PieceRating, RatingSubmission
from tests.apps.conftest import run_together
from tests.factories import UserFactory, viewer_of
from tests.owner import as_owner

pytestmark = pytest.mark.long

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
}


def hall(year, month, day, hour=21, minute=10):
    return dt.datetime(year, month, day, hour, minute, tzinfo=venue_zone()).astimezone(dt.UTC)


MADE = hall(2025, 3, 3)


@pytest.fixture(autouse=True)
def fresh(db, settings, tmp_path, monkeypatch):
    """Restart the sequences, as in a new database, and keep the data folder in a temporary path."""
    settings.DATA = tmp_path
    monkeypatch.setenv("DEMO_PASSWORD", "row-g-seat-12")
    with as_owner() as cursor:
        for name in SEQUENCES:
            cursor.execute(f"ALTER SEQUENCE {name} RESTART")


def demo(monkeypatch, made=MADE):
    """Load the whole demo as at that moment."""
    with monkeypatch.context() as then:
        then.setattr("django.utils.timezone.now", lambda: made)
        competition_load()
        ratings_load()
        comments_load()
        community_load()
        reactions_load()
        demo_remember()


def dates():
    """Return all dates of the demo's tables, by table, row and column."""
    return {
        (model, pk, name): value
        for model, names in DATED.items()
        for pk, *values in model.objects.values_list("pk", *names)
        for name, value in zip(names, values, strict=True)
        if value is not None
    }


def moments():
    """When all that has happened did, reactions too; drafts and sessions to come have not."""
    yield from (
        dt.datetime.fromtimestamp(value, dt.UTC) if name == "second" else value
        for (model, _, name), value in dates().items()
        if model is not Session
    )


def test_a_start_on_a_later_day_moves_everything_by_whole_days_once(monkeypatch):
    demo(monkeypatch)
    before, live = dates(), Session.objects.get(is_live=True)
    assert {model for model, *_ in before} == set(DATED)
    assert dates_move(now=MADE + dt.timedelta(hours=1)) == Dates.CURRENT
    assert dates() == before
    assert dates_move(now=MADE + 3 * DAY + dt.timedelta(hours=1)) == Dates.MOVED
    after = dates()
    for (model, pk, name), value in before.items():
        by = 3 * 86400 if name == "second" else 3 * DAY
        assert after[model, pk, name] == value + by, (model, name)
    assert Session.objects.get(is_live=True).title == live.title
    assert dates_move(now=MADE + 3 * DAY + dt.timedelta(hours=2)) == Dates.CURRENT
    assert dates() == after


def test_the_first_start_of_a_day_may_be_earlier_than_the_demo_was_made(monkeypatch):
    demo(monkeypatch)
    now = hall(2025, 3, 4, 9, 5)
    others = dict(Session.objects.filter(is_live=False).values_list("pk", "starts_at"))
    assert dates_move(now=now) == Dates.MOVED
    live = Session.objects.get(is_live=True)
    assert live.starts_at.astimezone(venue_zone()).strftime("%m-%d %H:%M") == "03-04 06:00"
    assert live.title == "Stage I, morning session"
    assert dict(Session.objects.filter(is_live=False).values_list("pk", "starts_at")) == {
        pk: at + DAY for pk, at in others.items()
    }
    assert now - dt.timedelta(minutes=40) < max(moments()) <= now
    appearances = SessionParticipant.objects.filter(session=live)
    assert (
        PerformingTime.objects.filter(session_participant__in=appearances).earliest("began_at").began_at
        >= live.starts_at
    )
    assert SessionComment.objects.earliest("created_at").created_at >= live.starts_at
    assert dates_move(now=hall(2025, 3, 4, 23)) == Dates.CURRENT


def test_whenever_it_starts_nothing_that_has_happened_lies_ahead_and_once_is_enough(monkeypatch):
    demo(monkeypatch)
    for clock in ((0, 0), (0, 5), (0, 35), (3, 0), (21, 9)):
        with transaction.atomic():
            starts_once(hall(2025, 3, 5, *clock))
            transaction.set_rollback(True)


def starts_once(now):
    """Only the first start of a day moves the stored dates."""
    assert dates_move(now=now) == Dates.MOVED
    assert max(moments()) <= now, now
    heard = dict(Session.objects.values_list("pk", "starts_at"))
    for at, session in PieceRating.objects.values_list("created_at", "session_participant__session"):
        assert at >= heard[session], now
    assert dates_move(now=now) == Dates.CURRENT, now
    assert dates_move(now=now + DAY) == Dates.MOVED


@pytest.mark.parametrize(("made", "now"), [((2025, 3, 29), (2025, 3, 31)), ((2025, 10, 25), (2025, 10, 27))])
def test_the_hour_of_the_hall_stays_over_a_change_of_summer_time(monkeypatch, made, now):
    demo(monkeypatch, hall(*made))
    clock = {pk: at.astimezone(venue_zone()) for pk, at in Session.objects.values_list("pk", "starts_at")}
    articles = {
        pk: at.astimezone(venue_zone())
        for pk, at in BlogPost.objects.filter(is_published=True).values_list("pk", "published_at")
    }
    assert dates_move(now=hall(*now)) == Dates.MOVED
    for pk, at in Session.objects.values_list("pk", "starts_at"):
        assert at.astimezone(venue_zone()).replace(tzinfo=None) == (clock[pk] + 2 * DAY).replace(tzinfo=None)
    for pk, at in articles.items():
        moved = BlogPost.objects.get(pk=pk).published_at.astimezone(venue_zone())
        assert moved.replace(tzinfo=None) == (at + 2 * DAY).replace(tzinfo=None)


def test_what_is_made_of_marks_follows_them(monkeypatch):
    demo(monkeypatch)
    before = dict(RatingSubmission.objects.values_list("pk", "given_at"))
    dates_move(now=MADE + DAY)
    assert dict(RatingSubmission.objects.values_list("pk", "given_at")) == {pk: at + DAY for pk, at in before.items()}
    live = Session.objects.get(is_live=True)
    taps = ReactionMoment.objects.filter(session=live)
    times = PerformingTime.objects.filter(session_participant__session=live)
    assert taps.earliest("second").second >= int(times.earliest("began_at").began_at.timestamp())


def test_what_others_wrote_keeps_its_dates(monkeypatch):
    demo(monkeypatch)
    live, mine = Session.objects.get(is_live=True), User.objects.get(username="pedal-point")
    visitor = UserFactory()
    rows = [SessionComment.objects.create(session=live, user=user, content="Here") for user in (visitor, mine)]
    rows.append(Post.objects.create(user=mine, content="Good evening"))
    again = PieceRating.objects.filter(user=mine).first()
    PieceRating.objects.filter(pk=again.pk).update(updated_at=MADE + dt.timedelta(hours=1))
    tapped = ReactionMoment.objects.filter(session=live).latest("second")
    rows.append(ReactionMoment.objects.create(session=live, second=tapped.second + 86400, count=2))
    before = [type(row).objects.filter(pk=row.pk).values().get() for row in [*rows, again]]
    assert dates_move(now=MADE + DAY) == Dates.MOVED
    assert [type(row).objects.filter(pk=row.pk).values().get() for row in [*rows, again]] == before
    assert not ReactionMoment.objects.filter(second__lt=0).exists()


def test_a_changed_demo_is_left_alone_and_says_so(monkeypatch, capsys):
    demo(monkeypatch)
    live = Session.objects.get(is_live=True).pk
    for change in (
        lambda: performer_clear(actor=OPERATOR, session_id=live),  # the evening was played
        lambda: stage_create(actor=OPERATOR, name="Gala"),
    ):
        with transaction.atomic():
            change()
            before = dates()
            call_command("demo")
            assert "Somebody has changed the demo (its audit says what), so its dates stay" in capsys.readouterr().out
            assert dates() == before
            transaction.set_rollback(True)


def test_an_export_changes_no_demo(monkeypatch):
    demo(monkeypatch)
    with transaction.atomic():
        audit_record(user_id=None, action="stage.export", subject="stage", subject_id=1)
    assert dates_move(now=MADE + DAY) == Dates.MOVED


@pytest.mark.parametrize("is_public", [False, True])
def test_the_command_moves_a_demo_of_yesterday_once(settings, capsys, is_public):
    settings.DEMO_ACCOUNTS = not is_public
    call_command("demo")
    LoadedDemo.objects.update(present_at=LoadedDemo.objects.get().present_at - DAY)
    capsys.readouterr()
    call_command("demo")
    assert "The demo's dates were moved to today." in capsys.readouterr().out
    call_command("demo")
    assert "moved" not in capsys.readouterr().out


def test_an_evening_that_is_no_demo_is_not_touched(capsys):
    accounts_load()
    session = session_create(actor=OPERATOR, title="Opening", starts_at=MADE)
    call_command("demo")
    assert "There are sessions already, nothing loaded.\n" in capsys.readouterr().out
    assert not LoadedDemo.objects.exists()
    assert dates_move(now=MADE + DAY) == Dates.NONE
    assert Session.objects.get(pk=session.pk).starts_at == MADE


@pytest.mark.django_db(transaction=True)
def test_two_processes_that_start_at_once_move_it_once(monkeypatch):
    demo(monkeypatch)
    before = dates()
    move = lambda: dates_move(now=MADE + DAY)  # noqa: E731 - twice
    assert {*run_together(move, move)} == {Dates.MOVED, Dates.CURRENT}
    after = dates()
    assert all(after[key] - value in {DAY, 86400} for key, value in before.items())


def test_accounts_are_weeks_old_before_the_first_session(monkeypatch):
    demo(monkeypatch)
    first = Session.objects.earliest("starts_at").starts_at
    assert User.objects.latest("created_at").created_at < first - dt.timedelta(weeks=2)


def test_reports_of_the_demos_accounts_count_towards_hiding(settings):
    settings.REPORTS_HIDE_AT = 3
    accounts_load()
    post = Post.objects.create(user=UserFactory(), content="Buy strings here")
    for user in User.objects.filter(username__in=[text.username for text in account_texts()]):
        assert not Post.objects.get(pk=post.pk).is_hidden
        report_add(actor=viewer_of(user), kind="post", subject_id=post.pk, reason="spam")
    assert Post.objects.get(pk=post.pk).is_hidden


def test_every_date_of_the_moved_tables_is_known_here():
    """A new date column in these tables needs an entry here."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public'"
            " AND data_type LIKE 'timestamp%%' AND table_name = ANY(%s)",
            [list(MOVES)],
        )
        found = {(table, column) for table, column in cursor.fetchall()}
    moved = {(model._meta.db_table, name) for model, names in DATED.items() for name in names if name != "second"}
    assert found - moved == {("sessions", "created_at"), ("blog_posts", "created_at")}
