"""Test a member's nearest juror: submitted marks only, without recused performances, shrunk for few performances."""

from fractions import Fraction

import pytest

from apps.jury.comparison import tau_b
from apps.jury.nearest import LEAST_SHARED, Likeness, MarkedApart, likenesses, nearest_get
from apps.ranking.own_states import own_states
from apps.ratings.services.drafts import rating_keep
from apps.ratings.services.strikes import Strikes
from tests.apps.jury.juries import published
from tests.apps.ranking.halls import give, stage_of
from tests.factories import PieceRatingFactory, UserFactory, viewer_of


def marks(*scores, missing=()):
    return {pk: Fraction(score) for pk, score in enumerate(scores) if pk not in missing}


def test_jurors_are_ordered_by_the_shrunk_coefficient():
    own = marks(*range(1, 31))
    alike_on_few = marks(*range(1, 9))  # tau 1 of 8: 8/18
    alike_on_many = marks(2, 1, 4, 3, *range(5, 31))  # nearly 1 of 30: about 3/4
    against = marks(*range(30, 0, -1))
    jurors = likenesses(own, {"few": alike_on_few, "many": alike_on_many, "against": against})
    assert [(each.juror, each.shared) for each in jurors] == [("many", 30), ("few", 8), ("against", 30)]
    assert jurors[1].shrunk == pytest.approx(8 / 18)
    assert jurors[2].shrunk == pytest.approx(-30 / 40)
    assert jurors[0].tau == tau_b(list(own.values()), list(alike_on_many.values()))


def test_eight_shared_performances_are_needed():
    for count in (0, LEAST_SHARED - 1, LEAST_SHARED, 40):
        jurors = likenesses(marks(*range(1, 51)), {"juror": marks(*range(1, count + 1))})
        assert [each.shared for each in jurors] == ([count] if count >= LEAST_SHARED else [])


def test_juror_with_equal_marks_only_is_left_out_and_ties_are_by_name():
    own, steady = marks(*range(1, 11)), marks(*([20] * 10))
    assert likenesses(own, {"steady": steady}) == ()
    jurors = likenesses(own, {"Zoe": own, "Ada": own, "steady": steady})
    assert [each.juror for each in jurors] == ["Ada", "Zoe"]


def test_three_largest_differences_are_listed():
    own = marks(10, 11, 12, 13, 14, 15, 16, 17, 18)
    juror = marks(10, 11, 12, 13, "14.5", 10, 16, "20.25", 18)
    [likeness] = likenesses(own, {"juror": juror})
    assert likeness.apart == (
        MarkedApart(5, Fraction(15), Fraction(10)),
        MarkedApart(7, Fraction(17), Fraction("20.25")),
        MarkedApart(4, Fraction(14), Fraction("14.5")),
    )


def nearest(fan, stage_id):
    return nearest_get(stage_id=stage_id, states=own_states(user_id=fan.pk, stage_id=stage_id))


@pytest.fixture
def performances(db):
    """Return twelve performances with a sheet: Ada's order is the member's, Bruno's the opposite one."""
    appearances = stage_of(12)
    cells = [[str(12 + place), str(24 - place)] for place in range(12)]
    cells[0][0] = "S"  # Ada's student
    published(appearances, cells)
    return appearances


@pytest.mark.parametrize(("submitted", "of_ada"), [(7, None), (8, None), (9, 8), (12, 11)])
def test_nearest_juror_needs_eight_shared_performances(performances, submitted, of_ada):
    fan = UserFactory()
    give(fan, performances[:submitted], range(10, 10 + submitted))
    jurors = nearest(fan, performances[0].session.stage_id)
    if submitted < LEAST_SHARED:
        assert jurors is None
    elif of_ada is None:  # one of the eight is Ada's student
        assert (jurors.nearest.juror, jurors.nearest.shared, jurors.farthest) == ("Bruno Cerny", 8, None)
    else:
        assert (jurors.nearest.juror, jurors.nearest.shared, jurors.nearest.tau) == ("Ada Bell", of_ada, 1.0)
        assert (jurors.farthest.juror, jurors.farthest.shared, jurors.farthest.tau) == ("Bruno Cerny", submitted, -1.0)
        assert jurors.names[performances[1].participant_id] == performances[1].participant.name


def test_submitted_marks_of_half_the_program_count_before_approval(performances):
    fan, stage_id = UserFactory(), performances[0].session.stage_id
    give(fan, performances[:7], range(10, 17), approved=False)
    kept = {entry.piece_id: (25, 0.0) for entry in performances[8].program.all()}
    rating_keep(actor=viewer_of(fan), appearance_id=performances[8].pk, strikes=Strikes(kept))
    assert nearest(fan, stage_id) is None
    give(fan, [performances[9]], [17], pieces=1, approved=False)
    jurors = nearest(fan, stage_id)
    assert (jurors.nearest.juror, jurors.nearest.shared) == ("Bruno Cerny", 8)
    rating_keep(actor=viewer_of(fan), appearance_id=performances[9].pk, strikes=Strikes(kept))
    assert nearest(fan, stage_id) == jurors


def test_repeated_performance_is_not_compared(performances):
    fan, stage_id = UserFactory(), performances[0].session.stage_id
    give(fan, performances[:8], range(10, 18))
    performances[7].is_repeated = True
    performances[7].save()
    assert nearest(fan, stage_id) is None


def test_no_juror_is_nearest_without_a_published_sheet(db):
    fan, appearances = UserFactory(), stage_of(9)
    give(fan, appearances, range(10, 19))
    assert nearest(fan, appearances[0].session.stage_id) is None


def test_mark_is_the_mean_of_the_pieces(performances):
    fan, stage_id = UserFactory(), performances[0].session.stage_id
    give(fan, performances[1:9], range(10, 18), pieces=1)
    for each in performances[1:3]:
        for entry in each.program.order_by("order_number")[1:2]:
            PieceRatingFactory(user=fan, entry=entry, score=25, approved=True)
    likeness: Likeness = nearest(fan, stage_id).nearest
    own = {each.participant_id: each.own for each in likeness.apart}
    assert own[performances[1].participant_id] == Fraction(35, 2)
