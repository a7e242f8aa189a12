"""Test moderation of ratings: approval, rejection, deletion, permissions, and the answers to two moderators at once."""

from datetime import timedelta
from functools import partial

import pytest
from django.core.exceptions import PermissionDenied, ValidationError

from apps.accounts.actors import ANONYMOUS, OPERATOR
from apps.ratings.enums import RatingKind
from apps.ratings.models import PerformanceRating, PieceRating
from apps.ratings.services.moderation import mark_approve, mark_delete, mark_reject, rating_delete
from apps.ratings.services.submission import ratings_submit
from tests.apps.conftest import run_together
from tests.factories import (
    PerformanceRatingFactory,
    PieceRatingFactory,
    ProgramEntryFactory,
    UserFactory,
    viewer_of,
)

KINDS = [(RatingKind.PIECE, PieceRatingFactory), (RatingKind.PERFORMANCE, PerformanceRatingFactory)]
both_kinds = pytest.mark.parametrize(("kind", "factory"), KINDS, ids=["piece", "performance"])
DECIDED = "This rating has been decided already."


def left(rating):
    """Return whether a rating is approved, or None if it was deleted."""
    return type(rating).objects.filter(pk=rating.pk).values_list("approved", flat=True).first()


@pytest.mark.django_db
@both_kinds
def test_approve_shows_one_rating_and_no_other(admin, kind, factory):
    rating, other = factory(), factory()
    assert (
        mark_approve(actor=admin, kind=kind, mark_id=rating.pk) == f"{kind.capitalize()} rating approved successfully"
    )
    assert (left(rating), left(other)) == (True, False)


@pytest.mark.django_db
@both_kinds
def test_reject_deletes_one_rating_and_no_other(admin, kind, factory):
    rating, other = factory(), factory()
    assert mark_reject(actor=admin, kind=kind, mark_id=rating.pk) == f"{kind.capitalize()} rating rejected successfully"
    assert (left(rating), left(other)) == (None, False)


@pytest.mark.django_db
@both_kinds
def test_the_second_decision_is_told_of_the_first(admin, kind, factory):
    approved, rejected = factory(approved=True), factory()
    mark_reject(actor=admin, kind=kind, mark_id=rejected.pk)
    for rating in (approved, rejected):
        for decide in (mark_approve, mark_reject):
            with pytest.raises(ValidationError, match=DECIDED):
                decide(actor=admin, kind=kind, mark_id=rating.pk)
    assert (left(approved), left(rejected)) == (True, None)


@pytest.mark.django_db(transaction=True)
@both_kinds
@pytest.mark.parametrize("last", [mark_approve, mark_reject])
def test_of_moderators_at_once_one_decides(kind, factory, last):
    rating = factory()
    asked = {"actor": OPERATOR, "kind": kind, "mark_id": rating.pk}
    answers = run_together(*(partial(decide, **asked) for decide in (mark_approve, mark_approve, last)))
    refused = [answer for answer in answers if isinstance(answer, ValidationError)]
    assert [answer.messages for answer in refused] == [[DECIDED]] * 2


@pytest.mark.django_db
@both_kinds
def test_what_changed_after_it_was_read_is_not_approved(admin, kind, factory):
    rating = factory()
    with pytest.raises(ValidationError, match="has changed since"):
        mark_approve(actor=admin, kind=kind, mark_id=rating.pk, seen_at=rating.updated_at - timedelta(microseconds=1))
    assert left(rating) is False
    mark_approve(actor=admin, kind=kind, mark_id=rating.pk, seen_at=rating.updated_at)
    assert left(rating) is True


@pytest.mark.django_db
@both_kinds
@pytest.mark.parametrize("approved", [True, False])
def test_the_author_and_administrators_delete(admin, kind, factory, approved):
    for actor_of in (lambda rating: viewer_of(rating.user), lambda _: admin, lambda _: OPERATOR):
        rating, other = factory(approved=approved), factory(approved=approved)
        deleted = mark_delete(actor=actor_of(rating), kind=kind, mark_id=rating.pk)
        assert deleted == "Rating deleted successfully"
        assert (left(rating), left(other)) == (None, approved)
        with pytest.raises(ValidationError, match="deleted already"):
            mark_delete(actor=admin, kind=kind, mark_id=rating.pk)


@pytest.mark.django_db
@pytest.mark.parametrize("approved", [True, False])
def test_a_whole_rating_is_deleted_by_its_author_and_administrators(admin, approved):
    for actor_of in (lambda rating: viewer_of(rating.user), lambda _: admin, lambda _: OPERATOR):
        whole = PerformanceRatingFactory(approved=approved)
        whose = {"user": whole.user, "session_participant": whole.session_participant}
        marks = [whole, PieceRatingFactory(**whose), PieceRatingFactory(**whose, approved=True)]
        others = [
            PieceRatingFactory(user=whole.user),
            PieceRatingFactory(session_participant=whole.session_participant),
        ]
        asked = {"session_participant_id": whole.session_participant_id, "user_id": whole.user_id}
        assert rating_delete(actor=actor_of(whole), **asked) == "Rating deleted successfully"
        assert [left(mark) for mark in (*marks, *others)] == [None] * 3 + [False] * 2
        with pytest.raises(ValidationError, match="deleted already"):
            rating_delete(actor=admin, **asked)


@pytest.mark.django_db
def test_nobody_else_deletes_a_whole_rating(nobody):
    whole = PerformanceRatingFactory()
    with pytest.raises(PermissionDenied, match="only delete your own"):
        rating_delete(actor=nobody, session_participant_id=whole.session_participant_id, user_id=whole.user_id)
    assert left(whole) is False


@pytest.mark.django_db
@both_kinds
def test_an_author_who_hits_twice_is_told(kind, factory):
    rating = factory()
    author = viewer_of(rating.user)
    mark_delete(actor=author, kind=kind, mark_id=rating.pk)
    with pytest.raises(ValidationError, match="deleted already"):
        mark_delete(actor=author, kind=kind, mark_id=rating.pk)


@pytest.mark.django_db
@both_kinds
def test_nobody_else_decides(nobody, kind, factory):
    rating = factory()
    for decide in (mark_approve, mark_reject, mark_delete):
        with pytest.raises(PermissionDenied):
            decide(actor=nobody, kind=kind, mark_id=rating.pk)
    assert left(rating) is False


@pytest.mark.django_db
@both_kinds
def test_an_author_who_was_deactivated_deletes_nothing(kind, factory):
    rating = factory()
    author = viewer_of(rating.user)
    rating.user.is_active = False
    rating.user.save()
    for actor in (author, ANONYMOUS):
        with pytest.raises(PermissionDenied, match="only delete your own"):
            mark_delete(actor=actor, kind=kind, mark_id=rating.pk)
    assert left(rating) is False


@pytest.mark.django_db(transaction=True)
def test_a_change_and_an_approval_at_once_never_show_what_nobody_read(admin):
    entry, fan = ProgramEntryFactory(), viewer_of(UserFactory())
    appearance_id, pieces = entry.session_participant_id, {entry.piece_id: 10}
    submit = partial(ratings_submit, actor=fan, session_participant_id=appearance_id, pieces=pieces, score=3)
    for turn in range(5):
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
def test_a_change_and_a_rejection_at_once_leave_one_whole_rating_or_none(admin):
    entry = ProgramEntryFactory()
    fan = viewer_of(UserFactory())
    given = {"actor": fan, "session_participant_id": entry.session_participant_id, "score": 3, "comment": "So."}
    ratings_submit(**given, pieces={entry.piece_id: 10})
    mark = PieceRating.objects.get()
    submitted, rejected = run_together(
        lambda: ratings_submit(**given, pieces={entry.piece_id: 11}),
        lambda: mark_reject(actor=admin, kind=RatingKind.PIECE, mark_id=mark.pk),
    )
    assert "successfully" in submitted
    assert "successfully" in rejected
    assert list(PieceRating.objects.values_list("score", "approved")) in ([], [(11, False)])
