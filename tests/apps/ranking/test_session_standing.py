"""Test a session's standing and its marks that count against an independent computation from the ratings."""

import random
import statistics
from collections import Counter, defaultdict
from decimal import Decimal
from fractions import Fraction

import pytest

from apps.accounts.models import User
from apps.ranking import services
from apps.ranking.models import RankingRow, RankingRun
from apps.ranking.selectors import Place
from apps.ranking.selectors.session_standing import session_leaders, session_marks, session_standing
from apps.ratings.models import PieceRating
from tests.apps.ranking.halls import age, give, listeners, stage_of
from tests.factories import AppearanceFactory, ProgramEntryFactory, SessionFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def sessions():
    """Return the performances of two sessions of a stage, with random marks of forty listeners and two other kinds."""
    here = stage_of(5, pieces=3)
    stage = here[0].session.stage
    there = [AppearanceFactory(session=SessionFactory(stage=stage)) for _ in range(3)]
    for appearance in there:
        ProgramEntryFactory.create_batch(3, appearance=appearance)
    chance, people = random.Random(41), listeners(40)  # noqa: S311 - test data
    programs = [(each, list(each.program.values_list("piece_id", flat=True))) for each in (*here, *there)]
    PieceRating.objects.bulk_create(
        PieceRating(
            user=user,
            appearance=appearance,
            piece_id=piece_id,
            approved=True,
            score=min(25, max(1, round(chance.gauss(13 + at, 1 + 2 * at)))),
        )
        for number, user in enumerate(people)
        for at, (appearance, pieces) in enumerate(programs)
        if at != 4 or number < 9  # too few for an agreement
        for piece_id in pieces
    )
    (young, lazy) = listeners(2)
    give(young, here, [25] * 5)
    age([young], hours=2)
    give(lazy, here[:1], [1])
    services.ranking_compute(stage_id=stage.pk)
    return here, there


def marks_of(appearances):
    """Return the marks that count, by performance: of accounts older than a day that marked three performances."""
    sheets = defaultdict(lambda: defaultdict(list))
    for user, appearance, score in PieceRating.objects.values_list("user", "appearance", "score"):
        sheets[user][appearance].append(score)
    old = set(User.objects.filter(created_at__year__lt=2022).values_list("pk", flat=True))
    return {
        each.pk: sorted(
            Fraction(sum(sheet[each.pk]), len(sheet[each.pk]))
            for user, sheet in sheets.items()
            if user in old and len(sheet) >= 3 and each.pk in sheet
        )
        for each in appearances
    }


def histogram(marks):
    """Return how many marks round to each number of points."""
    rounded = Counter(int(mark + Fraction(1, 2)) for mark in marks)
    return tuple(rounded[points] for points in range(1, 26))


def test_marks_agree_with_an_independent_computation(sessions):
    here, _ = sessions
    summary = session_marks(stage_id=here[0].session.stage_id, appearance_ids=[each.pk for each in here])
    marks = marks_of(here)
    assert [len(each) for each in marks.values()] == [40, 40, 40, 40, 9]
    assert (summary.marks, summary.raters) == (169, 40)
    assert summary.often == histogram(mark for of_one in marks.values() for mark in of_one)
    assert [each.appearance_id for each in summary.agreements] == [each.pk for each in here[:4]]
    for each in summary.agreements:
        own = marks[each.appearance_id]
        lowest, _, highest = statistics.quantiles(own, n=4, method="inclusive")
        assert (each.lowest, each.highest) == pytest.approx((float(lowest), float(highest)))
        assert (each.raters, each.often) == (40, histogram(own))


def test_extremes_have_the_narrowest_and_widest_middle_half(sessions):
    here, _ = sessions
    summary = session_marks(stage_id=here[0].session.stage_id, appearance_ids=[each.pk for each in here])
    spreads = {}
    for pk, marks in marks_of(here[:4]).items():
        lowest, _, highest = statistics.quantiles(marks, n=4, method="inclusive")
        spreads[pk] = highest - lowest
    most, least = summary.extremes()
    assert most.appearance_id == min(spreads, key=spreads.get) != here[1].pk
    assert least.appearance_id == max(spreads, key=spreads.get)
    seen = {here[1].pk, here[2].pk}
    most, least = summary.extremes(seen)
    assert {most.appearance_id, least.appearance_id} == seen
    assert summary.extremes({here[1].pk}) is None
    assert summary.extremes(set()) is None


def test_session_without_marks_has_zeros(sessions):
    other = AppearanceFactory()
    summary = session_marks(stage_id=other.session.stage_id, appearance_ids=[other.pk])
    assert (summary.marks, summary.raters, sum(summary.often), summary.agreements) == (0, 0, 0, ())
    assert session_marks(stage_id=other.session.stage_id, appearance_ids=[]).extremes() is None


def test_standing_has_the_places_of_the_newest_run(sessions):
    here, _ = sessions
    standing = session_standing(session_id=here[0].session_id)
    assert [each.appearance.id for each in standing.performances] == [each.pk for each in here]
    run = RankingRun.objects.latest("pk")
    for each in standing.performances:
        row = RankingRow.objects.get(run=run, appearance=each.appearance.id)
        for name in ("rank", "score", "score_from", "score_to", "raters"):
            assert getattr(each.place, name) == getattr(row, name), name
    ranked = [each for each in standing.by_score if each.position]
    assert [each.place.score for each in ranked] == sorted((each.place.score for each in ranked), reverse=True)
    assert [each.position for each in ranked] == [1, 2, 3, 4]
    assert standing.by_score[-1].appearance.id == here[4].pk
    assert session_leaders(session_id=here[0].session_id) == tuple(ranked[:3])
    assert session_leaders(session_id=here[0].session_id, limit=1) == tuple(ranked[:1])


def test_equal_scores_share_a_position(sessions):
    here, _ = sessions
    RankingRow.objects.filter(appearance__in=[each.pk for each in here[1:3]]).update(
        score=Decimal("24.00"), score_from=None, score_to=None
    )
    performances = session_standing(session_id=here[0].session_id).performances
    assert [(each.position, each.is_tied) for each in performances[1:3]] == [(1, True)] * 2
    assert sorted(each.position for each in performances if each.position) == [1, 1, 3, 4]


def test_covered_performances_have_no_figures_and_no_rank(sessions):
    here, _ = sessions
    standing = session_standing(session_id=here[0].session_id)
    seen = [here[0].pk, here[2].pk]
    own = standing.as_seen(seen)
    assert [each.appearance.id for each in own.performances] == [each.pk for each in here]
    assert [each.is_covered for each in own.performances] == [False, True, False, True, True]
    for each in own.performances:
        if each.is_covered:
            assert (each.place, each.position) == (Place(), None)
        else:
            assert (each.place.rank, each.place.lowest, each.place.highest) == (None, None, None)
            assert each.place.score is not None
    assert [each.appearance.id for each in own.by_score[:2]] == [here[2].pk, here[0].pk]
    assert sorted(each.position or 0 for each in own.performances) == [0, 0, 0, 1, 2]
    leaders = session_leaders(session_id=here[0].session_id, seen=seen)
    assert [each.appearance.id for each in leaders] == [here[2].pk, here[0].pk]
    assert session_leaders(session_id=here[0].session_id, seen=()) == ()


def test_number_of_queries_does_not_depend_on_the_session(sessions, django_assert_num_queries):
    here, there = sessions
    for of_session in (here, there):
        with django_assert_num_queries(4):
            session_standing(session_id=of_session[0].session_id)
        with django_assert_num_queries(1):
            session_marks(stage_id=here[0].session.stage_id, appearance_ids=[each.pk for each in of_session])
    assert session_standing(session_id=987654) is None
    assert session_leaders(session_id=987654) == ()


def test_session_without_a_ranking_has_no_leaders():
    appearance = AppearanceFactory()
    standing = session_standing(session_id=appearance.session_id)
    assert (standing.run, standing.leaders()) == (None, ())
    assert [each.place for each in standing.performances] == [Place()]
