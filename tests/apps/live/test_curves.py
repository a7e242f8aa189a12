"""Test the reactions along a performance: which performance a tap belongs to, compared with a count in Python."""

import datetime as dt
from collections import Counter
from random import Random
from uuid import uuid4

import pytest
from django.utils import timezone

from apps.competition.models import PerformingTime
from apps.live.enums import Reaction
from apps.live.limits import CURVE_SLICE_SECONDS, CURVE_SLICES
from apps.live.models import ReactionMoment, SessionReaction
from apps.live.selectors import applauded_most, reaction_curves, reactions_now
from apps.live.services import Taps, live_forget, reactions_store
from tests.apps.conftest import run_together
from tests.apps.live.conftest import member
from tests.clock import clock_set
from tests.factories import PLAYED, AppearanceFactory, SessionFactory

ZERO = int(PLAYED.timestamp())


@pytest.fixture
def appearance(session):
    return AppearanceFactory(session=session)


def at(second):
    return PLAYED + dt.timedelta(seconds=second)


def store_stay(appearance, began, ended):
    """Store that an appearance was on stage, in seconds from PLAYED."""
    PerformingTime.objects.create(appearance=appearance, began_at=at(began), ended_at=at(ended))


def tap(session, *seconds):
    """Store taps at these seconds from PLAYED, as the service counts them."""
    counts = Counter(seconds)
    ReactionMoment.objects.bulk_create(
        ReactionMoment(session=session, second=ZERO + second, count=count) for second, count in counts.items()
    )


def curve_of(appearance):
    return reaction_curves(appearance_ids=[appearance.pk]).get(appearance.pk)


def test_taps_are_counted_in_slices_of_the_performance(session, appearance):
    store_stay(appearance, 100, 160)
    tap(session, 99, 100, 104, 105, 105, 159, 160)
    tap(SessionFactory(), 101, 102)
    curve = curve_of(appearance)
    assert (curve.slice_seconds, curve.seconds, curve.is_on_stage) == (5, 60, False)
    assert curve.counts == (2, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)


def test_curve_is_missing_without_a_performance_and_flat_without_taps(session, appearance):
    tap(session, 1, 2, 3)
    assert curve_of(appearance) is None
    store_stay(appearance, 500, 512)
    assert curve_of(appearance).counts == (0, 0, 0)


def test_current_performance_includes_the_taps_of_this_second(session, appearance, fan):
    began_at = timezone.now() - dt.timedelta(seconds=12)
    PerformingTime.objects.create(appearance=appearance, began_at=began_at)
    reactions_store(messages=[Taps(session.pk, fan.id, uuid4(), (Reaction.HEART, Reaction.THUMBS_DOWN))])
    curve = curve_of(appearance)
    assert curve.is_on_stage
    assert 12 <= curve.seconds <= 20
    assert sum(curve.counts[2:]) == 2
    assert len(curve.counts) == -(-curve.seconds // 5)


def test_performance_that_began_by_a_later_clock_is_empty_until_then(session, appearance, fan):
    began_at = timezone.now() - dt.timedelta(seconds=200)
    visits = {"began_at": began_at, "ended_at": began_at + dt.timedelta(seconds=60)}, {}
    for visit in visits:
        PerformingTime.objects.create(appearance=appearance, **visit)
    ReactionMoment.objects.create(session=session, second=int(began_at.timestamp()) + 50, count=2, applause=2)
    before = curve_of(appearance)
    reactions_store(messages=[Taps(session.pk, fan.id, uuid4(), (Reaction.THUMBS_DOWN,))])
    clock_set(dt.timedelta(hours=-1))
    reactions_store(messages=[Taps(session.pk, fan.id, uuid4(), (Reaction.HEART,))])
    lately = reactions_now(session_id=session.pk).lately
    assert (lately[Reaction.HEART], lately[Reaction.THUMBS_DOWN]) == (1, 0)
    curve = curve_of(appearance)
    assert (before.seconds in (60, 61, 62), curve.seconds, sum(curve.counts), curve.is_on_stage) == (True, 60, 2, True)
    assert [each.count for each in applauded_most(appearance_ids=[appearance.pk])] == [2]


def test_slices_are_limited_and_as_short_as_possible(db):
    for seconds in (0, 1, 300, 301, 1800, 7200, 36_000, 36_001, 400_000):
        session = SessionFactory()
        appearance = AppearanceFactory(session=session)
        store_stay(appearance, 0, seconds)
        tap(session, max(0, seconds - 1))
        curve = curve_of(appearance)
        assert 1 <= len(curve.counts) <= CURVE_SLICES
        shorter = [step for step in CURVE_SLICE_SECONDS if step < curve.slice_seconds]
        assert all(step * CURVE_SLICES < seconds for step in shorter), seconds
        assert sum(curve.counts) == curve.counts[-1] == (1 if seconds else 0)


def test_curves_equal_a_count_in_python(session):
    rng = Random(24)  # noqa: S311 - repeatable test data
    appearances = [AppearanceFactory(session=session) for _ in range(3)]
    times = {appearances[0]: [(0, 431), (900, 977)], appearances[1]: [(431, 900)], appearances[2]: [(1000, 2311)]}
    for appearance, visits in times.items():
        for began, ended in visits:
            store_stay(appearance, began, ended)
    seconds = [rng.randrange(-50, 2400) for _ in range(5000)]
    tap(session, *seconds)
    curves = reaction_curves(appearance_ids=[appearance.pk for appearance in appearances])
    for appearance, visits in times.items():
        curve, passed, expected = curves[appearance.pk], 0, Counter()
        for began, ended in visits:
            inside = (second - began + passed for second in seconds if began <= second < ended)
            expected.update(second // curve.slice_seconds for second in inside)
            passed += ended - began
        assert dict(enumerate(curve.counts)) == {nth: expected[nth] for nth in range(len(curve.counts))}
        assert curve.seconds == passed


def test_reaction_curves_is_one_query(session, django_assert_num_queries):
    appearances = [AppearanceFactory(session=session) for _ in range(5)]
    for nth, appearance in enumerate(appearances):
        store_stay(appearance, nth * 100, nth * 100 + 100)
    tap(session, *range(500))
    for few in (appearances[:1], appearances):
        with django_assert_num_queries(1):
            assert len(reaction_curves(appearance_ids=[appearance.pk for appearance in few])) == len(few)


def by_second(session):
    """Return the number of stored taps in each second."""
    return Counter(stamp // 1000 for stamp in SessionReaction.objects.values_list("timestamp", flat=True))


def moments(session):
    return dict(ReactionMoment.objects.filter(session=session).values_list("second", "count"))


def test_moments_count_each_stored_tap_once(session, fan):
    message = Taps(session.pk, fan.id, uuid4(), (Reaction.HEART,) * 3)
    reactions_store(messages=[message, Taps(session.pk, member().id, uuid4(), (Reaction.THUMBS_UP,))])
    reactions_store(messages=[message])
    assert sum(moments(session).values()) == 4
    assert moments(session) == by_second(session)


@pytest.mark.django_db(transaction=True)
def test_concurrent_batches_add_up(session):
    fans = [member() for _ in range(4)]
    batches = [
        [Taps(session.pk, fan.id, uuid4(), kinds) for fan in fans]
        for kinds in (*((kind,) for kind in Reaction), *(tuple(Reaction), tuple(reversed(Reaction))), (Reaction.HEART,))
    ]
    assert run_together(*(lambda batch=batch: reactions_store(messages=batch) for batch in batches)) == [[""] * 4] * 6
    assert moments(session) == by_second(session)


def test_moments_are_anonymous_and_kept_when_an_account_is_deleted(session, appearance, fan):
    assert {field.name for field in ReactionMoment._meta.get_fields()} == {
        *("id", "session", "second", "count", "applause")
    }
    PerformingTime.objects.create(appearance=appearance)
    reactions_store(messages=[Taps(session.pk, fan.id, uuid4(), (Reaction.HEART,))])
    live_forget(user_id=fan.id)
    assert sum(curve_of(appearance).counts) == 1


def test_moments_are_deleted_with_their_session(session, appearance):
    store_stay(appearance, 0, 10)
    tap(session, 1)
    pk = appearance.pk
    appearance.delete()
    assert reaction_curves(appearance_ids=[pk]) == {}
    session.delete()
    assert not ReactionMoment.objects.exists()
