"""Test moderation of ratings: approval, rejection, deletion, and concurrent moderators."""

from datetime import timedelta
from functools import partial

import pytest
from django.core.exceptions import ValidationError

from apps.accounts.actors import OPERATOR
from apps.ratings.enums import RatingKind
from apps.ratings.models import PerformanceRating, PieceRating
from apps.ratings.services.moderation import mark_approve, mark_delete, mark_reject, rating_delete
from apps.ratings.services.submission import ratings_submit
from tests.apps.conftest import run_together
from tests.factories import PerformanceRatingFactory, PieceRatingFactory, ProgramEntryFactory, viewer_of

pytestmark = pytest.mark.django_db

KINDS = [(RatingKind.PIECE, PieceRatingFactory), (RatingKind.PERFORMANCE, PerformanceRatingFactory)]
both_kinds = pytest.mark.parametrize(("kind", "factory"), KINDS, ids=["piece", "performance"])
DECIDED = "This rating has been decided already."


def left(rating):
    """Return whether a rating is approved, or None if it was deleted."""
    return type(rating).objects.filter(pk=rating.pk).values_list("approved", flat=True).first()


@both_kinds
def test_decision_changes_one_mark_once(admin, kind, factory):
    approved, rejected, other = factory(), factory(), factory()
    name = kind.capitalize()
    answer = mark_approve(actor=admin, kind=kind, mark_id=approved.pk)
    assert answer == f"{name} rating approved successfully"
    assert mark_reject(actor=admin, kind=kind, mark_id=rejected.pk) == f"{name} rating rejected successfully"
    for rating in (approved, rejected):
        for decide in (mark_approve, mark_reject):
            with pytest.raises(ValidationError, match=DECIDED):
                decide(actor=admin, kind=kind, mark_id=rating.pk)
    assert [left(rating) for rating in (approved, rejected, other)] == [True, None, False]


@pytest.mark.django_db(transaction=True)
@both_kinds
@pytest.mark.parametrize("last", [mark_approve, mark_reject])
def test_one_of_concurrent_decisions_succeeds(kind, factory, last):
    mark = {"actor": OPERATOR, "kind": kind, "mark_id": factory().pk}
    answers = run_together(*(partial(decide, **mark) for decide in (mark_approve, mark_approve, last)))
    assert [answer.messages for answer in answers if isinstance(answer, ValidationError)] == [[DECIDED]] * 2


@both_kinds
def test_mark_changed_after_it_was_read_cannot_be_approved(admin, kind, factory):
    rating = factory()
    with pytest.raises(ValidationError, match="has changed since"):
        mark_approve(actor=admin, kind=kind, mark_id=rating.pk, seen_at=rating.updated_at - timedelta(microseconds=1))
    assert left(rating) is False
    mark_approve(actor=admin, kind=kind, mark_id=rating.pk, seen_at=rating.updated_at)
    assert left(rating) is True


ACTORS = (lambda rating, _: viewer_of(rating.user), lambda _, admin: admin, lambda *_: OPERATOR)


@both_kinds
@pytest.mark.parametrize("approved", [True, False])
def test_mark_is_deleted_once_by_its_author_or_an_administrator(admin, kind, factory, approved):
    for actor_of in ACTORS:
        rating, other = factory(approved=approved), factory(approved=approved)
        delete = partial(mark_delete, kind=kind, mark_id=rating.pk)
        assert delete(actor=actor_of(rating, admin)) == "Rating deleted successfully"
        assert (left(rating), left(other)) == (None, approved)
        for actor in (admin, viewer_of(rating.user)):
            with pytest.raises(ValidationError, match="deleted already"):
                delete(actor=actor)


@pytest.mark.parametrize("approved", [True, False])
def test_rating_is_deleted_once_by_its_author_or_an_administrator(admin, approved):
    for actor_of in ACTORS:
        whole = PerformanceRatingFactory(approved=approved)
        author, place = {"user": whole.user}, {"appearance": whole.appearance}
        marks = [whole, *(PieceRatingFactory(**author, **place, approved=shown) for shown in (False, True))]
        others = [PieceRatingFactory(**author), PieceRatingFactory(**place)]
        delete = partial(rating_delete, appearance_id=whole.appearance_id, user_id=whole.user_id)
        assert delete(actor=actor_of(whole, admin)) == "Rating deleted successfully"
        assert [left(mark) for mark in (*marks, *others)] == [None] * 3 + [False] * 2
        with pytest.raises(ValidationError, match="deleted already"):
            delete(actor=admin)


@pytest.mark.django_db(transaction=True)
def test_concurrent_change_and_approval_leave_the_change_waiting(admin, fan):
    entry = ProgramEntryFactory()
    appearance_id, pieces = entry.appearance_id, {entry.piece_id: 10}
    submit = partial(ratings_submit, actor=fan, appearance_id=appearance_id, pieces=pieces, score=3)
    for turn in range(3):
        submit(comment=f"{turn}, first.")
        rating = PerformanceRating.objects.get()
        seen = {"mark_id": rating.pk, "seen_at": rating.updated_at}
        run_together(
            partial(mark_approve, actor=admin, kind=RatingKind.PERFORMANCE, **seen),
            partial(submit, comment=f"{turn}, second."),
        )
        rating.refresh_from_db()
        assert (rating.comment, rating.approved) == (f"{turn}, second.", False)


@pytest.mark.django_db(transaction=True)
def test_concurrent_change_and_rejection_leave_one_mark_or_none(admin, fan):
    entry = ProgramEntryFactory()
    rating = {"appearance_id": entry.appearance_id, "score": 3, "comment": "So."}
    submit = partial(ratings_submit, actor=fan, **rating)
    submit(pieces={entry.piece_id: 10})
    submitted, rejected = run_together(
        partial(submit, pieces={entry.piece_id: 11}),
        partial(mark_reject, actor=admin, kind=RatingKind.PIECE, mark_id=PieceRating.objects.get().pk),
    )
    assert "successfully" in submitted
    assert "successfully" in rejected
    assert list(PieceRating.objects.values_list("score", "approved")) in ([], [(11, False)])
