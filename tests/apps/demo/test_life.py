"""Test the living demo step by step, as time passes: consistent evenings, and the conditions that stop it."""

from collections import Counter
from datetime import timedelta
from itertools import pairwise

import pytest
from django.core.exceptions import PermissionDenied, ValidationError
from django.db.transaction import atomic, set_rollback
from django.test import override_settings

from apps.accounts.actors import OPERATOR
from apps.accounts.models import User
from apps.community.models import Post, PostComment
from apps.community.services.posts import post_add, post_comment_add
from apps.competition.models import Appearance, PerformingTime, ProgramEntry, Session
from apps.competition.services.live import performer_clear, performer_next
from apps.competition.services.sessions import session_create
from apps.core.audit import AuditFilter, audit_list
from apps.core.database.fields import database_now
from apps.demo.accounts import MODERATOR
from apps.demo.dates import Dates, dates_move
from apps.demo.enums import Act, DemoState
from apps.demo.life import audience, evening
from apps.demo.limits import INTERVAL, PLAYS
from apps.demo.models import LoadedDemo
from apps.demo.selectors import demo_state
from apps.demo.services import demo_start, demo_stop
from apps.demo.texts import live_texts
from apps.live.models import SessionComment
from apps.live.services import comment_add
from apps.ratings.models import Decision, PerformanceRating, PieceRating
from apps.ratings.services.moderation import mark_approve
from apps.ratings.services.submission import ratings_submit
from tests.apps.demo.living import AUDIENCE, Evening, demo_load, rows_of, time_passes, zone_by_day
from tests.factories import UserFactory, viewer_of

pytestmark = [
    pytest.mark.long(reason="loads the demo"),
    pytest.mark.limit(300, reason="plays a whole evening of the demo"),
]

WRITTEN = (
    *("piece_ratings", "performance_ratings", "advance_recommendations", "session_comments", "session_reactions"),
    *("posts", "post_comments", "post_reactions", "performing_times", "audit_entries", "rating_decisions"),
)
ON_STAGE = {Act.PERFORMER_CAME, Act.PERFORMER_LEFT, Act.SESSION_BEGAN, Act.SESSION_ENDED}
LATE = timedelta(seconds=40)  # one step, and time that passes in lumps
HOUR = timedelta(hours=1)


@pytest.fixture(scope="module")
def loaded_at(django_db_setup, django_db_blocker):
    """Load the demo once, in a transaction around those of the tests, and return the time."""
    zone = override_settings(VENUE_TIME_ZONE=zone_by_day())
    with zone, django_db_blocker.unblock(), atomic():
        demo_load()
        yield database_now()
        set_rollback(True)


@pytest.fixture(autouse=True)
def demo(loaded_at, db, settings, tmp_path):
    """Start each test with a demo that was just loaded."""
    settings.DATA, settings.DEMO_ALIVE = tmp_path, True
    time_passes(loaded_at - database_now())


@pytest.fixture
def halina():
    """Return the demo's administrator, an account that a person signs in to."""
    return viewer_of(User.objects.get(username="halina_k"))


def on_stage():
    return list(Appearance.objects.filter(is_performing=True).select_related("session"))


def steps_until(lives, last, *, most):
    """Do steps until one of the `last` acts and return all acts. Check that the stage is consistent after each."""
    acts = []
    while not acts or acts[-1] not in last:
        assert len(acts) < most, Counter(acts)
        acts.append(lives.step())
        performing = on_stage()
        assert len(performing) <= 1
        assert all(appearance.session.is_live for appearance in performing)
    return acts


def test_evening_is_consistent_to_its_end_and_the_next_one_begins():
    session, lives, known = Session.objects.get(is_live=True), Evening(), PerformingTime.objects.latest("pk").pk
    acts = steps_until(lives, {Act.SESSION_ENDED}, most=900)
    done = Counter(acts)
    assert done.keys() >= {
        *(Act.REACTED, Act.COMMENTED, Act.MARKED, Act.APPROVED, Act.RECOMMENDED, Act.POSTED, Act.REPLIED),
        *(Act.APPLAUDED, Act.MOMENT_SET, Act.PERFORMER_LEFT),
    }
    assert done[Act.PERFORMER_CAME] == 2  # of nine, seven had been on stage
    assert done[Act.REFUSED] < len(acts) / 8
    assert not Session.objects.filter(is_live=True).exists()
    assert not on_stage()
    _times_are_as_planned(known)
    _marks_are_valid()
    _moments_ascend(session)
    lives.passes(timedelta(minutes=7))
    steps_until(lives, {Act.SESSION_BEGAN}, most=200)
    following = Session.objects.get(is_live=True)
    assert following.title == "Stage I, closing session"
    assert following.starts_at > session.starts_at
    assert steps_until(lives, {Act.PERFORMER_CAME}, most=60)
    assert on_stage()[0].order_number == 1


def _times_are_as_planned(known):
    """Check that the performances since `known` last some minutes, with some seconds between them."""
    times = list(PerformingTime.objects.filter(pk__gt=known).order_by("began_at"))
    assert len(times) == 2
    assert all(PLAYS[0] <= each.ended_at - each.began_at <= PLAYS[1] + LATE for each in times)
    assert all(
        INTERVAL[0] <= later.began_at - earlier.ended_at <= INTERVAL[1] + LATE for earlier, later in pairwise(times)
    )


def _marks_are_valid():
    program = set(ProgramEntry.objects.values_list("appearance_id", "piece_id"))
    marks = PieceRating.objects.values_list("appearance_id", "piece_id", "score", "user__username")
    assert len(marks) > 50
    assert all((appearance, piece) in program and 1 <= score <= 25 for appearance, piece, score, _ in marks)
    assert {name for *_, name in marks} <= set(AUDIENCE)
    assert set(Decision.objects.values_list("user__username", "approved")) == {(MODERATOR, True)}
    assert PerformanceRating.objects.filter(approved=True).count() > 10
    for model, text in ((PerformanceRating, "comment"), (SessionComment, "content"), (Post, "content")):
        written = model.objects.filter(user__username__in=AUDIENCE).values_list("user", text)
        assert max(Counter(written).values()) == 1, model
    comments = PerformanceRating.objects.values_list("appearance_id", "comment")
    assert max(Counter(comments).values()) == 1


def _moments_ascend(session):
    """Check that each piece of the evening has a moment in the stream, in order and before the end."""
    ended = PerformingTime.objects.filter(appearance__session=session).latest("ended_at").ended_at
    session.refresh_from_db()
    entries = ProgramEntry.objects.filter(appearance__session=session)
    seconds = list(entries.order_by("appearance__order_number", "order_number").values_list("timestamp", flat=True))
    assert len(seconds) == 9 * 4
    assert seconds == sorted(set(seconds))
    # the demo was loaded 150 to 180 minutes into the stream; the time that passed since has moved its beginning
    assert seconds[-1] <= (ended - session.starts_at).total_seconds()


def test_evening_continues_after_the_performer_on_stage():
    session = Session.objects.get(is_live=True)
    times = PerformingTime.objects.filter(appearance__session=session).order_by("began_at")
    first = times.values_list("pk", flat=True)[0]
    PerformingTime.objects.filter(pk=first).update(began_at=session.starts_at - timedelta(microseconds=3))
    lives = Evening(watched_for=HOUR)
    lives.passes(timedelta(minutes=6))
    steps_until(lives, {Act.PERFORMER_CAME}, most=100)
    assert [appearance.order_number for appearance in on_stage()] == [8]


def test_comments_do_not_repeat():
    lives = Evening()
    steps_until(lives, {Act.PERFORMER_CAME}, most=200)
    written = list(SessionComment.objects.order_by("pk").values_list("content", flat=True))
    assert len(written) > 4
    assert len(set(written)) == len(written)
    assert not any("{" in text or "etude" in text for text in written)
    templates = [*live_texts().performer, *live_texts().piece]
    newest = [line.format(name="Ewa Nowak", piece="scherzo op. 31") for line in templates[:3]]
    assert audience._unused(templates, newest) == templates[3:]


def test_evening_restarts_and_keeps_rows_of_people(halina):
    lives, session = Evening(watched_for=HOUR), Session.objects.get(is_live=True)
    comment_add(actor=halina, session_id=session.pk, content="I was here.")
    ratings_submit(
        actor=halina, appearance_id=on_stage()[0].pk, score=4, comment="Mine",
        pieces={on_stage()[0].program.first().piece_id: 20},
    )  # fmt: skip
    mine = PerformanceRating.objects.get(user=halina.id)
    begun = []
    while len(begun) < 2:
        act = lives.step()
        if act in ON_STAGE:
            lives.passes(timedelta(minutes=7))
        begun += [Session.objects.get(is_live=True)] if act is Act.SESSION_BEGAN else []
    assert begun[0].title == "Stage I, closing session"
    assert begun[1] == session
    assert begun[1].starts_at > Session.objects.get(pk=begun[0].pk).starts_at  # which has become older
    assert not ProgramEntry.objects.filter(appearance__session=session, timestamp__isnull=False).exists()
    assert SessionComment.objects.filter(user=halina.id, content="I was here.").exists()
    assert PerformanceRating.objects.filter(pk=mine.pk, score=4, comment="Mine").exists()
    steps_until(lives, {Act.PERFORMER_CAME}, most=60)
    assert [appearance.order_number for appearance in on_stage()] == [1]


def test_real_account_ends_the_demo(halina):
    lives = Evening()
    assert lives.step() not in {Act.OVER, Act.STOPPED}
    listener = UserFactory()
    before = rows_of(*WRITTEN)
    assert [lives.step() for _ in range(5)] == [Act.OVER] * 5
    listener.delete()
    assert demo_state() is DemoState.OVER
    assert Evening().step() is Act.OVER
    assert rows_of(*WRITTEN) == before
    with pytest.raises(ValidationError):
        demo_start(actor=halina)


def test_only_administrators_stop_and_start_the_demo(halina):
    listener = viewer_of(User.objects.get(username="una_corda"))
    for refused in (demo_stop, demo_start):
        with pytest.raises(PermissionDenied):
            refused(actor=listener)
    demo_stop(actor=halina)
    demo_stop(actor=halina)
    before, lives = rows_of(*WRITTEN), Evening(watched_for=HOUR)
    assert [lives.step() for _ in range(5)] == [Act.STOPPED] * 5
    assert rows_of(*WRITTEN) == before
    assert len(audit_list(filters=AuditFilter(action="demo.stop"))) == 1
    demo_start(actor=halina)
    assert lives.step() is not Act.STOPPED


def test_demo_is_off_without_the_setting_and_without_a_demo(settings, halina, django_assert_num_queries):
    settings.DEMO_ALIVE = False
    with django_assert_num_queries(0):
        assert Evening().life.step(watched_for=HOUR) is Act.STOPPED
    with pytest.raises(ValidationError):
        demo_stop(actor=halina)
    settings.DEMO_ALIVE = True
    LoadedDemo.objects.all().delete()
    assert Evening().life.step(watched_for=HOUR) is Act.STOPPED


def test_demo_leaves_the_stage_to_a_person_for_ten_minutes(halina):
    lives, session = Evening(watched_for=HOUR), Session.objects.get(is_live=True)
    performer_clear(actor=halina, session_id=session.pk)
    lives.passes(timedelta(minutes=5))
    assert not {lives.step() for _ in range(12)} & ON_STAGE
    performer_next(actor=OPERATOR, session_id=session.pk, after=None)  # by another person, in a terminal
    chosen = on_stage()
    lives.passes(timedelta(minutes=9))
    assert not {lives.step() for _ in range(12)} & {*ON_STAGE, Act.MOMENT_SET}
    assert on_stage() == chosen
    lives.passes(timedelta(minutes=1))
    assert Act.PERFORMER_LEFT in steps_until(lives, {Act.PERFORMER_LEFT}, most=20)


def test_demo_does_not_run_other_sessions(halina):
    other = Session.objects.get(is_live=True)
    own = session_create(actor=halina, title="Mine", starts_at=other.starts_at, stage_id=other.stage_id)
    Session.objects.filter(is_live=True).update(is_live=False)
    Appearance.objects.update(is_performing=False)
    Session.objects.filter(pk=own.pk).update(is_live=True)
    lives = Evening(watched_for=HOUR)
    lives.passes(HOUR)
    assert not {lives.step() for _ in range(10)} & ON_STAGE


def test_performer_on_stage_gets_approved_marks():
    lives, marks = Evening(watched_for=HOUR), 0
    lives.passes(HOUR)
    steps_until(lives, {Act.PERFORMER_CAME}, most=100)
    (playing,) = on_stage()
    while lives.step() is not Act.PERFORMER_LEFT:
        marks = PieceRating.objects.filter(appearance=playing, approved=True).count()
    assert marks


def test_new_visitor_sees_the_performer_for_a_while():
    lives = Evening()
    lives.passes(timedelta())
    PerformingTime.objects.filter(ended_at=None).update(began_at=Session.objects.get(is_live=True).starts_at)
    acts = steps_until(lives, {Act.PERFORMER_LEFT}, most=40)
    assert len(acts) > 8


def test_demo_leaves_the_queue_to_a_moderator_for_ten_minutes(halina):
    lives = Evening()
    steps_until(lives, {Act.APPROVED}, most=300)
    waiting = PerformanceRating.objects.filter(approved=False)
    while not waiting.exists():
        lives.step()
    mark = waiting.first()
    mark_approve(actor=halina, kind="performance", mark_id=mark.pk)
    assert Act.APPROVED not in {lives.step() for _ in range(60)}
    lives.passes(timedelta(minutes=10))
    assert steps_until(lives, {Act.APPROVED}, most=60)


def test_marks_of_people_are_approved_later(halina):
    lives, performance = Evening(), on_stage()[0]
    ratings_submit(
        actor=halina, appearance_id=performance.pk, score=5, comment="Mine",
        pieces={performance.program.first().piece_id: 25},
    )  # fmt: skip
    mine = PerformanceRating.objects.filter(user=halina.id)
    assert Act.APPROVED not in {lives.step() for _ in range(15)} or not mine.get().approved
    lives.passes(timedelta(minutes=2))
    while not mine.get().approved:
        assert lives.watched_for < timedelta(minutes=10)
        lives.step()
    assert PieceRating.objects.get(user=halina.id).approved


def test_old_demo_texts_are_deleted_but_not_those_of_people(monkeypatch, halina):
    monkeypatch.setattr(audience, "COMMENTS_MOST", 6)
    monkeypatch.setattr(audience, "POSTS_MOST", 3)
    lives = Evening()
    own, posts = (table.objects.filter(user__username__in=AUDIENCE) for table in (SessionComment, Post))
    post_add(actor=halina, content="My own post")
    steps_until(lives, {Act.POSTED}, most=200)
    kept = posts.get()
    assert kept.appearance.session.is_live
    post_comment_add(actor=halina, post_id=kept.pk, content="I disagree.")
    done = Counter()
    while done[Act.COMMENT_DELETED] <= 2 or not done[Act.POST_DELETED]:
        assert done.total() < 1000, done
        done[lives.step()] += 1
        assert own.count() <= 6
        assert posts.count() <= 3
    assert PostComment.objects.filter(post=kept, user=halina.id).exists()
    assert Post.objects.filter(content="My own post").exists()


def test_audience_continues_after_a_refused_step_on_stage(monkeypatch):
    def refuse(**_):
        raise ValidationError("No.")

    lives = Evening(watched_for=HOUR)
    lives.passes(HOUR)
    with monkeypatch.context() as patch:
        patch.setattr(evening, "performer_clear", refuse)
        assert lives.step() is Act.REFUSED
        assert len({lives.step() for _ in range(8)} - {Act.REFUSED}) > 1
    lives.passes(timedelta(minutes=1))
    assert lives.step() is Act.PERFORMER_LEFT


def test_only_the_audience_acts_without_a_moderator():
    User.objects.filter(username=MODERATOR).update(is_admin=False)
    lives = Evening(watched_for=HOUR)
    lives.passes(HOUR)
    assert not {lives.step() for _ in range(30)} & {*ON_STAGE, Act.MOMENT_SET, Act.APPROVED}


def test_activity_of_the_living_demo_moves_with_its_dates():
    lives = Evening(watched_for=HOUR)
    lives.passes(HOUR)
    steps_until(lives, {Act.PERFORMER_CAME}, most=100)
    comment = SessionComment.objects.filter(user__username__in=AUDIENCE).latest("pk")
    session, came = Session.objects.get(is_live=True), PerformingTime.objects.get(ended_at=None)
    lived_at = LoadedDemo.objects.get().lived_at
    tomorrow = lived_at + timedelta(hours=25)
    assert dates_move(now=tomorrow) is Dates.MOVED
    moved = Session.objects.get(is_live=True).starts_at - session.starts_at
    assert moved == PerformingTime.objects.get(ended_at=None).began_at - came.began_at
    assert moved == SessionComment.objects.get(pk=comment.pk).created_at - comment.created_at
    assert PerformingTime.objects.get(ended_at=None).began_at <= tomorrow
    assert LoadedDemo.objects.get().lived_at is None
