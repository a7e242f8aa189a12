"""Test what a moderator decides together: the stored choice, answers, counts, and decisions of other moderators."""

from functools import partial

import pytest
from django.core.exceptions import PermissionDenied
from django.db import connection

from apps.core.moderation import OthersDecision
from apps.ratings.enums import Verdict
from apps.ratings.models import DecidingChoice, PerformanceRating, PieceRating, RatingSubmission
from apps.ratings.selectors.counts import account_ratings_export
from apps.ratings.selectors.deciding import Deciding, deciding_get, marks_decided_by_others
from apps.ratings.selectors.moderation_queue import QueueFilter, decision_last, ratings_match_count
from apps.ratings.services.deciding import deciding_set
from apps.ratings.services.rating_moderation import decision_undo, ratings_decide, ratings_decide_matching
from tests.apps.conftest import run_together
from tests.apps.ratings.deciding import PERFORMANCE, PIECE, seen
from tests.factories import PerformanceRatingFactory, PieceRatingFactory, UserFactory, viewer_of

pytestmark = pytest.mark.django_db


def rating(pieces=2):
    """Return the marks of one rating that waits: of its pieces, and of the whole performance."""
    whole = PerformanceRatingFactory()
    place = {"user": whole.user, "appearance": whole.appearance}
    return PieceRatingFactory.create_batch(pieces, **place), whole


def test_both_kinds_are_decided_until_a_moderator_turns_one_off(admin):
    assert deciding_get(user_id=admin.id) == Deciding(whole_too=True, pieces_too=True)
    assert deciding_set(actor=admin, kind=PIECE, both=False) == "Only the pieces are decided."
    assert deciding_get(user_id=admin.id) == Deciding(whole_too=False, pieces_too=True)
    deciding_set(actor=admin, kind=PERFORMANCE, both=False)
    assert deciding_set(actor=admin, kind=PIECE, both=True) == "The whole performance is decided too."
    choice = deciding_get(user_id=admin.id)
    assert (choice, choice.both(PIECE), choice.both(PERFORMANCE)) == (Deciding(True, False), True, False)
    assert account_ratings_export(admin.id)["deciding_choices"] == [{"whole_too": True, "pieces_too": False}]


def test_database_deletes_the_choice_with_its_account(admin):
    deciding_set(actor=admin, kind=PIECE, both=False)
    with connection.cursor() as cursor:  # as the previous version, which does not know the table
        cursor.execute("DELETE FROM account_emailaddress WHERE user_id = %s", [admin.id])
        cursor.execute("DELETE FROM users WHERE id = %s", [admin.id])
    assert not DecidingChoice.objects.exists()


def test_answer_begins_with_the_kind_of_the_first_mark(admin):
    for first, pieces, text in (
        (PIECE, 3, "Piece rating approved successfully. And the whole performance."),
        (PERFORMANCE, 3, "Performance rating approved successfully. And 3 pieces."),
        (PERFORMANCE, 1, "Performance rating approved successfully. And 1 piece."),
    ):
        marks, whole = rating(pieces)
        ordered = [*marks, whole] if first == PIECE else [whole, *marks]
        answer = ratings_decide(actor=admin, decision="approve", seen=seen(*ordered))
        assert answer.sentence_in("en") == text
    marks, whole = rating()
    ratings_decide(actor=viewer_of(UserFactory(is_admin=True)), decision="approve", seen=seen(*marks))
    answer = ratings_decide(actor=admin, decision="approve", seen=seen(*marks, whole))
    assert answer.sentence_in("en") == "1 rating approved. 2 marks had been decided already."


@pytest.mark.parametrize("kind", [PIECE, PERFORMANCE])
@pytest.mark.parametrize("both", [True, False])
def test_match_count_equals_the_decided_ratings(admin, kind, both):
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
        assert listeners == 1, "only the rating without marks of this kind is left"


def test_decisions_of_others_are_returned_until_the_next_own_decision(admin):
    other = UserFactory(is_admin=True, username="ewa")
    marks, whole = rating()
    mine = PieceRatingFactory()
    authors, keys = [whole.user_id, mine.user_id], [("piece", mark.pk) for mark in (*marks, mine)]

    def others():
        last = decision_last(user_id=admin.id)
        after = last.id if last else 0
        return marks_decided_by_others(user_id=admin.id, author_ids=authors, marks=keys, after=after)

    assert others() == {}
    decision = ratings_decide(actor=viewer_of(other), decision="reject", seen=seen(*marks, whole))
    assert others() == {key: OthersDecision(Verdict.REJECT, "ewa") for key in keys[:2]}
    decision_undo(actor=viewer_of(other), decision_id=decision.id)
    assert others() == {}
    ratings_decide(actor=viewer_of(other), decision="approve", seen=seen(*PieceRating.objects.exclude(pk=mine.pk)))
    assert others() == {key: OthersDecision(Verdict.APPROVE, "ewa") for key in keys[:2]}
    ratings_decide(actor=admin, decision="approve", seen=seen(mine))
    assert others() == {}


@pytest.mark.django_db(transaction=True)
def test_choice_and_deletion_of_its_account_do_not_deadlock():
    for _ in range(2):
        UserFactory(is_admin=True)  # the last administrator cannot be deleted
        leaving = UserFactory(is_admin=True)
        answers = run_together(partial(deciding_set, actor=viewer_of(leaving), kind=PIECE, both=False), leaving.delete)
        assert all(isinstance(answer, str | PermissionDenied | tuple) for answer in answers), answers
        assert not DecidingChoice.objects.filter(user_id=leaving.pk).exists()
