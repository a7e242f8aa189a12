"""The setting that approves piece ratings at once: for which accounts, what still waits, and what the audit says."""

from datetime import timedelta

import pytest
from django.utils import timezone

from apps.core.audit import audit_list
from apps.ratings.enums import RatingKind
from apps.ratings.limits import PROVEN_FROM
from apps.ratings.models import Decision, PerformanceRating, PieceRating, RatingDraft
from apps.ratings.selectors.deciding import pieces_at_once
from apps.ratings.selectors.statistics import performance_figures
from apps.ratings.services.at_once import REASON, pieces_at_once_set
from apps.ratings.services.moderation import mark_reject
from apps.ratings.services.rating_moderation import decision_undo
from apps.ratings.services.submission import ratings_submit
from tests.factories import PerformanceRatingFactory, PieceRatingFactory, UserFactory, viewer_of

pytestmark = pytest.mark.django_db


def prove(fan, count=PROVEN_FROM):
    """Give the account so many approved submissions."""
    PerformanceRatingFactory.create_batch(count, user_id=fan.id, user=None, approved=True)


def submit(fan, program, *marks):
    pieces = {entry.piece_id: mark for entry, mark in zip(program, marks or (21, 18), strict=True)}
    appearance_id = program[0].appearance_id
    ratings_submit(actor=fan, appearance_id=appearance_id, pieces=pieces, score=4, comment="Like weather.")


def approved(fan, program):
    """Return the approval of the marks of pieces, and of the whole performance."""
    of = {"user_id": fan.id, "appearance": program[0].appearance}
    pieces = PieceRating.objects.filter(**of).order_by("pk").values_list("approved", flat=True)
    return [*pieces], PerformanceRating.objects.get(**of).approved


def test_pieces_of_a_proven_account_are_approved_at_once_and_the_whole_waits(admin, fan, program):
    prove(fan)
    submit(fan, program)
    assert approved(fan, program) == ([False, False], False), "off by default"
    pieces_at_once_set(actor=admin, is_on=True)
    assert approved(fan, program) == ([False, False], False), "the setting itself decides about nothing"
    submit(fan, program, 22, 18)
    assert approved(fan, program) == ([True, True], False)
    entry = audit_list()[0]
    assert (entry.action, entry.user_id, entry.details["reason"]) == ("ratings.at_once", None, REASON)
    assert entry.details["pieces"] == 2
    pieces_at_once_set(actor=admin, is_on=False)
    assert (approved(fan, program), pieces_at_once()) == (([True, True], False), False)
    submit(fan, program, 23, 18)
    assert approved(fan, program) == ([False, True], False)


def test_account_without_ten_approved_submissions_waits(admin, fan, program):
    pieces_at_once_set(actor=admin, is_on=True)
    prove(fan, PROVEN_FROM - 1)
    PerformanceRatingFactory(user_id=fan.id, user=None)
    PerformanceRatingFactory.create_batch(PROVEN_FROM, approved=True)  # of others
    submit(fan, program)
    assert approved(fan, program) == ([False, False], False)


@pytest.mark.parametrize(("days", "is_approved"), [(29, False), (31, True)])
def test_account_with_a_recent_rejection_waits(admin, fan, program, days, is_approved):
    pieces_at_once_set(actor=admin, is_on=True)
    prove(fan)
    mark_reject(actor=admin, kind=RatingKind.PIECE, mark_id=PieceRatingFactory(user_id=fan.id, user=None).pk)
    at = timezone.now() - timedelta(days=days)
    assert RatingDraft.objects.filter(rejected_at__isnull=False).update(rejected_at=at)
    submit(fan, program)
    assert approved(fan, program) == ([is_approved] * 2, False)


def test_rejection_that_is_taken_back_is_none(admin, fan, program):
    pieces_at_once_set(actor=admin, is_on=True)
    prove(fan)
    rating = PieceRatingFactory(user_id=fan.id, user=None, entry=program[0])
    mark_reject(actor=admin, kind=RatingKind.PIECE, mark_id=rating.pk)
    decision_undo(actor=admin, decision_id=Decision.objects.get().pk)
    submit(fan, program)
    assert approved(fan, program) == ([True, True], False)


def test_figures_have_the_number_of_ratings_that_wait(fan, program):
    appearance_id = program[0].appearance_id
    submit(fan, program)
    submit(viewer_of(UserFactory()), program)
    assert performance_figures(appearance_ids=[appearance_id])[appearance_id].waiting == 2
    PieceRating.objects.update(approved=True)
    figures = performance_figures(appearance_ids=[appearance_id])[appearance_id]
    assert (figures.waiting, figures.all_pieces.count) == (0, 4)
