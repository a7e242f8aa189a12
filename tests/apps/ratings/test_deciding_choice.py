"""What a moderator decides together: stored per account, told in the answer, counted before a bulk decision."""

from functools import partial

import pytest
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import connection

from apps.core.moderation import DecisionResult, OthersDecision
from apps.ratings.enums import Verdict
from apps.ratings.models import DecidingChoice, PerformanceRating, PieceRating, RatingSubmission
from apps.ratings.selectors.counts import account_ratings_export
from apps.ratings.selectors.deciding import Deciding, deciding_get, marks_decided_by_others
from apps.ratings.selectors.moderation_queue import QueueFilter, decision_last, ratings_match_count
from apps.ratings.services.deciding import deciding_set
from apps.ratings.services.rating_moderation import decision_undo, ratings_decide, ratings_decide_matching
from tests.apps.conftest import run_together
from tests.apps.ratings.deciding import PERFORMANCE, PIECE, seen
from tests.factories import (
    PerformanceRatingFactory,
    PieceRatingFactory,
    UserFactory,
    viewer_of,
)

pytestmark = pytest.mark.django_db


def rating(pieces=2):
    """Return the marks of one rating that waits: of its pieces, and of the whole performance."""
    whole = PerformanceRatingFactory()
    place = {"user": whole.user, "session_participant": whole.session_participant}
    return PieceRatingFactory.create_batch(pieces, **place), whole


def test_both_boxes_are_on_until_a_moderator_turns_one_off(admin):
    assert deciding_get(user_id=admin.id) == Deciding(whole_too=True, pieces_too=True)
    assert deciding_set(actor=admin, kind=PIECE, both=False) == "Only the pieces are decided."
    assert deciding_get(user_id=admin.id) == Deciding(whole_too=False, pieces_too=True)
    deciding_set(actor=admin, kind=PERFORMANCE, both=False)
    assert deciding_set(actor=admin, kind=PIECE, both=True) == "The whole performance is decided too."
    kept = deciding_get(user_id=admin.id)
    assert (kept, kept.both(PIECE), kept.both(PERFORMANCE)) == (Deciding(True, False), True, False)
    assert account_ratings_export(admin.id)["deciding_choices"] == [{"whole_too": True, "pieces_too": False}]


def test_nobody_else_has_boxes(nobody):
    with pytest.raises(PermissionDenied, match="Only administrators decide about ratings"):
        deciding_set(actor=nobody, kind=PIECE, both=False)
    assert not DecidingChoice.objects.exists()


def test_the_choice_goes_with_the_account_also_in_the_database(admin):
    deciding_set(actor=admin, kind=PIECE, both=False)
    with connection.cursor() as cursor:  # as the version before, which does not know the table
        cursor.execute("DELETE FROM account_emailaddress WHERE user_id = %s", [admin.id])
        cursor.execute("DELETE FROM users WHERE id = %s", [admin.id])
    assert not DecidingChoice.objects.exists()


@pytest.mark.parametrize(
    ("first", "pieces", "text"),
    [
        (PIECE, 3, "Piece rating approved successfully. And the whole performance."),
        (PERFORMANCE, 3, "Performance rating approved successfully. And 3 pieces."),
        (PERFORMANCE, 1, "Performance rating approved successfully. And 1 piece."),
    ],
)
def test_the_answer_is_the_tabs_own_and_names_the_rest(admin, first, pieces, text):
    marks, whole = rating(pieces)
    ordered = [*marks, whole] if first == PIECE else [whole, *marks]
    answer = ratings_decide(actor=admin, decision="approve", seen=seen(*ordered))
    assert answer.sentence_in("en") == text


def test_the_answer_names_the_other_kind_alone_where_the_tabs_own_was_decided_before(admin):
    marks, whole = rating()
    ratings_decide(actor=viewer_of(UserFactory(is_admin=True)), decision="approve", seen=seen(*marks))
    answer = ratings_decide(actor=admin, decision="approve", seen=seen(*marks, whole))
    assert answer.sentence_in("en") == "1 rating approved. 2 marks had been decided already."


@pytest.mark.parametrize("kind", [PIECE, PERFORMANCE])
@pytest.mark.parametrize("both", [True, False])
def test_the_number_before_a_bulk_decision_is_what_it_decides(admin, kind, both):
    for pieces in (1, 3):
        rating(pieces)
    PieceRatingFactory()  # alone, as the next
    PerformanceRatingFactory()
    marks, _ = rating(2)
    ratings_decide(actor=admin, decision="approve", seen=seen(*marks[:1]))
    filters = QueueFilter(kind=kind, both=both)
    waiting = PieceRating.objects.filter(approved=False), PerformanceRating.objects.filter(approved=False)
    before = sum(rows.count() for rows in waiting)
    count = ratings_match_count(filters=filters)
    until = max(row.updated_at for rows in waiting for row in rows.all())
    answer = ratings_decide_matching(actor=admin, decision="reject", filters=filters, until=until)
    assert (answer.decided, before - sum(rows.count() for rows in waiting)) == (count.total, count.marks)
    assert count.total == 4
    if both:
        listeners = RatingSubmission.objects.filter(waiting_pieces__gt=0).count() + waiting[1].count()
        assert listeners == 1, "the rating of the other kind alone: no other listener is decided twice"


def test_the_decisions_of_others_are_found_by_mark_until_the_next_own_one(admin):
    other = UserFactory(is_admin=True, username="ewa")
    marks, whole = rating()
    mine = PieceRatingFactory()
    authors, keys = [whole.user_id, mine.user_id], [("piece", each.pk) for each in (*marks, mine)]

    def found():
        last = decision_last(user_id=admin.id)
        after = last.id if last else 0
        return marks_decided_by_others(user_id=admin.id, author_ids=authors, marks=keys, after=after)

    assert found() == {}
    decision = ratings_decide(actor=viewer_of(other), decision="reject", seen=seen(*marks, whole))
    assert found() == {key: OthersDecision(Verdict.REJECT, "ewa") for key in keys[:2]}
    decision_undo(actor=viewer_of(other), decision_id=decision.id)
    assert found() == {}
    ratings_decide(actor=viewer_of(other), decision="approve", seen=seen(*PieceRating.objects.exclude(pk=mine.pk)))
    assert found() == {key: OthersDecision(Verdict.APPROVE, "ewa") for key in keys[:2]}
    ratings_decide(actor=admin, decision="approve", seen=seen(mine))
    assert found() == {}


@pytest.mark.django_db(transaction=True)
def test_pieces_and_whole_decided_from_both_tabs_at_once_are_decided_by_one(admin):
    other = viewer_of(UserFactory(is_admin=True))
    for _ in range(5):
        marks, whole = rating()
        answers = run_together(
            partial(ratings_decide, actor=admin, decision="approve", seen=seen(*marks, whole)),
            partial(ratings_decide, actor=other, decision="reject", seen=seen(whole, *marks)),
        )
        (won,) = [each for each in answers if isinstance(each, DecisionResult)]
        (lost,) = [each for each in answers if isinstance(each, ValidationError)]
        assert lost.messages == ["This rating has been decided already."]
        assert won.decided == 1
        assert "And " in won.sentence_in("en")
        PieceRating.objects.all().delete()
        PerformanceRating.objects.all().delete()


@pytest.mark.django_db(transaction=True)
def test_a_choice_and_the_end_of_its_account_never_wait_for_each_other_in_a_circle():
    for _ in range(4):
        UserFactory(is_admin=True)  # the last administrator stays
        leaving = UserFactory(is_admin=True)
        answers = run_together(
            partial(deciding_set, actor=viewer_of(leaving), kind=PIECE, both=False),
            leaving.delete,
        )
        assert all(isinstance(each, str | PermissionDenied | tuple) for each in answers), answers
        assert not DecidingChoice.objects.filter(user_id=leaving.pk).exists()
