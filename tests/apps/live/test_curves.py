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
from apps.live.selectors import reaction_curves
from apps.live.services import Taps, live_forget, reactions_store
from tests.apps.conftest import run_together
from tests.apps.live.conftest import member
from tests.factories import PLAYED, AppearanceFactory, SessionFactory

ZERO = int(PLAYED.timestamp())


@pytest.fixture
def appearance(session):
    return AppearanceFactory(session=session)


def at(second):
    return PLAYED + dt.timedelta(seconds=second)


def stay(appearance, began, ended):
    """Store that an appearance was on stage, in seconds from PLAYED."""
    PerformingTime.objects.create(session_participant=appearance, began_at=at(began), ended_at=at(ended))


def tap(session, *seconds):
    """Store taps at these seconds from PLAYED, as the service counts them."""
    found = Counter(seconds)
    ReactionMoment.objects.bulk_create(
        ReactionMoment(session=session, second=ZERO + second, count=count) for second, count in found.items()
    )


def curve_of(appearance):
    return reaction_curves(appearance_ids=[appearance.pk]).get(appearance.pk)


def test_taps_are_counted_in_slices_from_coming_to_the_stage(session, appearance):
    stay(appearance, 100, 160)
    tap(session, 99, 100, 104, 105, 105, 159, 160)
    found = curve_of(appearance)
    assert (found.slice_seconds, found.seconds, found.is_on_stage) == (5, 60, False)
    assert found.counts == (2, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)


def test_who_was_never_on_stage_has_no_curve_and_who_was_without_taps_a_flat_one(session, appearance):
    tap(session, 1, 2, 3)
    assert curve_of(appearance) is None
    stay(appearance, 500, 512)
    assert curve_of(appearance).counts == (0, 0, 0)


def test_two_that_follow_each_other_share_no_tap(session, appearance):
    after = AppearanceFactory(session=session)
    stay(appearance, 0, 100)
    stay(after, 100, 200)
    tap(session, *range(200))
    found = reaction_curves(appearance_ids=[appearance.pk, after.pk])
    assert [sum(found[each.pk].counts) for each in (appearance, after)] == [100, 100]


def test_who_comes_back_goes_on_where_the_curve_ended(session, appearance):
    stay(appearance, 0, 10)
    stay(appearance, 1000, 1010)
    tap(session, 9, 500, 1000, 1009)
    assert curve_of(appearance).counts == (0, 1, 1, 1)


def test_another_sessions_taps_are_not_counted(appearance):
    stay(appearance, 0, 10)
    tap(SessionFactory(), 1, 2)
    assert sum(curve_of(appearance).counts) == 0


def test_a_performance_that_lasts_ends_now_with_the_tap_of_this_second(session, appearance, fan):
    began_at = timezone.now() - dt.timedelta(seconds=12)
    PerformingTime.objects.create(session_participant=appearance, began_at=began_at)
    reactions_store(messages=[Taps(session.pk, fan.id, uuid4(), (Reaction.HEART, Reaction.THUMBS_DOWN))])
    found = curve_of(appearance)
    assert found.is_on_stage
    assert 12 <= found.seconds <= 20
    assert sum(found.counts[2:]) == 2
    assert len(found.counts) == -(-found.seconds // 5)


@pytest.mark.parametrize("seconds", [0, 1, 300, 301, 1800, 7200, 36_000, 36_001, 400_000])
def test_slices_are_bounded_and_as_short_as_that_allows(session, appearance, seconds):
    stay(appearance, 0, seconds)
    tap(session, max(0, seconds - 1))
    found = curve_of(appearance)
    assert 1 <= len(found.counts) <= CURVE_SLICES
    shorter = [step for step in CURVE_SLICE_SECONDS if step < found.slice_seconds]
    assert all(step * CURVE_SLICES < seconds for step in shorter)
    assert sum(found.counts) == found.counts[-1] == (1 if seconds else 0)


def test_many_taps_are_counted_as_by_hand(session):
    random = Random(24)  # noqa: S311 - the same every time
    appearances = [AppearanceFactory(session=session) for _ in range(3)]
    times = {appearances[0]: [(0, 431), (900, 977)], appearances[1]: [(431, 900)], appearances[2]: [(1000, 2311)]}
    for appearance, stays in times.items():
        for began, ended in stays:
            stay(appearance, began, ended)
    seconds = [random.randrange(-50, 2400) for _ in range(5000)]
    tap(session, *seconds)
    found = reaction_curves(appearance_ids=[each.pk for each in appearances])
    for appearance, stays in times.items():
        curve, passed, expected = found[appearance.pk], 0, Counter()
        for began, ended in stays:
            inside = (second - began + passed for second in seconds if began <= second < ended)
            expected.update(second // curve.slice_seconds for second in inside)
            passed += ended - began
        assert dict(enumerate(curve.counts)) == {nth: expected[nth] for nth in range(len(curve.counts))}
        assert curve.seconds == passed


def test_any_number_of_appearances_is_one_query(session, django_assert_num_queries):
    appearances = [AppearanceFactory(session=session) for _ in range(5)]
    for nth, appearance in enumerate(appearances):
        stay(appearance, nth * 100, nth * 100 + 100)
    tap(session, *range(500))
    for few in (appearances[:1], appearances):
        with django_assert_num_queries(1):
            assert len(reaction_curves(appearance_ids=[each.pk for each in few])) == len(few)


def by_second(session):
    """Count the stored taps by hand."""
    return Counter(stamp // 1000 for stamp in SessionReaction.objects.values_list("timestamp", flat=True))


def moments(session):
    return dict(ReactionMoment.objects.filter(session=session).values_list("second", "count"))


def test_what_is_stored_is_counted_by_second_and_what_is_repeated_is_not(session, fan):
    message = Taps(session.pk, fan.id, uuid4(), (Reaction.HEART,) * 3)
    reactions_store(messages=[message, Taps(session.pk, member().id, uuid4(), (Reaction.THUMBS_UP,))])
    reactions_store(messages=[message])
    assert sum(moments(session).values()) == 4
    assert moments(session) == by_second(session)


@pytest.mark.django_db(transaction=True)
def test_batches_of_several_processes_add_up(session):
    fans = [member() for _ in range(4)]
    batches = [
        [Taps(session.pk, who.id, uuid4(), kinds) for who in fans]
        for kinds in (*((kind,) for kind in Reaction), *(tuple(Reaction), tuple(reversed(Reaction))), (Reaction.HEART,))
    ]
    assert run_together(*(lambda batch=batch: reactions_store(messages=batch) for batch in batches)) == [[""] * 4] * 6
    assert moments(session) == by_second(session)


def test_it_knows_no_persons_and_stays_when_one_leaves(session, appearance, fan):
    assert {field.name for field in ReactionMoment._meta.get_fields()} == {
        *("id", "session", "second", "count", "applause")
    }
    PerformingTime.objects.create(session_participant=appearance)
    reactions_store(messages=[Taps(session.pk, fan.id, uuid4(), (Reaction.HEART,))])
    live_forget(user_id=fan.id)
    assert sum(curve_of(appearance).counts) == 1


def test_it_goes_with_the_appearance_and_with_the_session(session, appearance):
    stay(appearance, 0, 10)
    tap(session, 1)
    pk = appearance.pk
    appearance.delete()
    assert reaction_curves(appearance_ids=[pk]) == {}
    session.delete()
    assert not ReactionMoment.objects.exists()
