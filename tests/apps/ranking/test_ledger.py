"""Test a member's ledger: ranks, differences, what is covered, and the order of the rows."""

from decimal import Decimal

import pytest

from apps.ranking.ledger import LedgerSort, biggest_differences, ledger_get
from apps.ranking.selectors.figures import AudienceFigure, Basis
from apps.ratings.models import PieceRating
from apps.ratings.services.covering import figures_show
from apps.ratings.services.drafts import rating_keep
from apps.ratings.services.strikes import Strikes
from tests.components.conftest import busy_session_with
from tests.factories import PerformanceRatingFactory, PieceRatingFactory, ProgramEntryFactory, UserFactory, viewer_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def fan():
    return viewer_of(UserFactory())


@pytest.fixture
def appearances():
    """Return five performances of two pieces each, all of one session, which is over."""
    return busy_session_with(5, is_live=False).appearances


def entries(appearance):
    return list(appearance.program.order_by("order_number"))


def submit(appearance, *scores, **who):
    """Store a submitted, approved mark of each piece, in the program's order."""
    for entry, score in zip(entries(appearance), scores, strict=False):
        PieceRatingFactory(entry=entry, score=score, approved=True, **who)


def keep(fan, appearance, *scores):
    """Keep a mark of each piece, in the program's order, without submitting it."""
    pieces = {entry.piece_id: (score, 0.0) for entry, score in zip(entries(appearance), scores, strict=False)}
    rating_keep(actor=fan, appearance_id=appearance.pk, strikes=Strikes(pieces))


def rows(fan):
    [stage] = ledger_get(account_id=fan.id)
    return stage.rows


def numbers(ledger_rows):
    return [row.place.number for row in ledger_rows]


def test_ledger_is_empty_without_marks(fan, appearances, django_assert_num_queries):
    figures_show(actor=fan, appearance_id=appearances[0].pk)
    with django_assert_num_queries(1):
        assert ledger_get(account_id=fan.id) == ()


def test_drafts_and_submitted_marks_have_ranks_that_ties_share(fan, appearances):
    first, second, third, fourth, _ = appearances
    submit(first, 20, 20, user_id=fan.id, user=None)
    keep(fan, second, 24, 24)
    keep(fan, third, 20, 20)
    PerformanceRatingFactory(appearance=fourth, user_id=fan.id, user=None)
    [stage] = ledger_get(account_id=fan.id)
    assert (stage.name, stage.performances) == ("Stage I", 5)
    shown = [(row.place.number, row.mean, row.rank) for row in stage.rows]
    assert shown == [(1, Decimal(20), 2), (2, Decimal(24), 1), (3, Decimal(20), 2), (4, None, None)]
    submit(appearances[4], 3, user_id=fan.id, user=None)
    assert [row.rank for row in rows(fan)] == [2, 1, 2, None, 4]


def test_audience_figure_is_of_the_same_pieces_if_only_some_are_marked(fan, appearances):
    first, second, third, fourth, _ = appearances
    for scores in ((10, 25), (11, 25), (11,)):
        submit(first, *scores)
    submit(second, 10, 25)
    submit(third, 25)
    submit(fourth, 7, 7)
    submit(first, 22, user_id=fan.id, user=None)
    PieceRating.objects.filter(user_id=fan.id).update(approved=False)
    keep(fan, second, 10, 10)
    keep(fan, third, 10, 10)
    keep(fan, fourth, 7, 7)
    figures = [(str(row.audience.value), row.audience.basis, str(row.difference)) for row in rows(fan)]
    so_far = Basis.SO_FAR
    assert figures == [
        *(("10.7", Basis.SAME, "11.3"), ("17.5", so_far, "-7.5"), ("25.0", so_far, "-15.0"), ("7.0", so_far, "0.0"))
    ]
    assert numbers(biggest_differences(ledger_get(account_id=fan.id))) == [3, 1, 2]
    PieceRating.objects.filter(appearance=first).exclude(user_id=fan.id).delete()
    assert rows(fan)[0].audience == AudienceFigure(None, Basis.SAME)


def test_covered_row_has_no_figures_and_comes_last_by_difference(fan, appearances):
    for appearance, scores in zip(appearances, ((13, 13), (25,), (6, 6), (15, 15), (12, 12)), strict=True):
        submit(appearance, 10, 10)
        keep(fan, appearance, *scores)
    [stage] = ledger_get(account_id=fan.id)
    covered = stage.rows[1]
    assert covered.own.is_covered
    assert (covered.mean, covered.rank, covered.audience.value, covered.difference) == (Decimal(25), 1, None, None)
    assert numbers(stage.ordered(LedgerSort.PLAYED)) == [1, 2, 3, 4, 5]
    assert numbers(stage.ordered(LedgerSort.MARK)) == [2, 4, 1, 5, 3]
    assert numbers(stage.ordered(LedgerSort.DIFFERENCE)) == [4, 3, 1, 5, 2]
    assert numbers(biggest_differences([stage])) == [4, 3, 1]
    figures_show(actor=fan, appearance_id=appearances[1].pk)
    [stage] = ledger_get(account_id=fan.id)
    assert stage.rows[1].difference == 15
    assert numbers(stage.ordered(LedgerSort.DIFFERENCE)) == [2, 4, 3, 1, 5]
    assert numbers(biggest_differences([stage])) == [2, 4, 3]


def test_newest_stage_comes_first(fan, appearances):
    newer = ProgramEntryFactory().appearance
    for appearance in (appearances[3], newer, appearances[0]):
        keep(fan, appearance, 12)
    stages = [(stage.id, numbers(stage.rows)) for stage in ledger_get(account_id=fan.id)]
    assert stages == [(newer.session.stage_id, [1]), (appearances[0].session.stage_id, [1, 4])]


@pytest.mark.parametrize("count", [1, 15])
def test_number_of_queries_does_not_depend_on_ratings(fan, django_assert_num_queries, count):
    played = [*busy_session_with(count, is_live=False).appearances, ProgramEntryFactory().appearance]
    for appearance in played:
        submit(appearance, 10, 10)
        submit(appearance, 11, 12, user_id=fan.id, user=None)
    with django_assert_num_queries(14):
        assert sum(len(stage.rows) for stage in ledger_get(account_id=fan.id)) == count + 1


def test_unknown_order_is_the_order_of_playing():
    sorts = [LedgerSort.of(value) for value in ("", "mark", "difference", "name")]
    assert sorts == [*LedgerSort, LedgerSort.PLAYED]
